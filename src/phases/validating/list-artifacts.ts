import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../model/finding.ts';
import type { SchemaName } from '../../model/published.ts';
import { isSystemError } from '../../store/system-error.ts';

export interface ListedArtifact {
  /** Relative to the folder. */
  readonly file: string;
  readonly schema: SchemaName;
}

const singles: readonly ListedArtifact[] = [
  { file: 'session-state.json', schema: 'session-state' },
  { file: 'codebase-context.json', schema: 'codebase-context' },
  { file: 'context-package.json', schema: 'context-package' },
  { file: 'plan.json', schema: 'plan' },
  { file: 'approval.json', schema: 'approval' },
  { file: 'execution-context.json', schema: 'execution-context' },
];

/** Every JSON file of a session folder that has a published schema, and the links on the way. */
export function listArtifacts(folder: string): {
  readonly artifacts: readonly ListedArtifact[];
  readonly findings: readonly Finding[];
} {
  const tasks = entriesOf(folder, '.task');
  const rounds = entriesOf(folder, 'rounds');
  const numbers = rounds.names.filter((name) => /^\d+$/.test(name));
  const folders = numbers.map((name) => ({ name, ...entriesOf(folder, join('rounds', name)) }));
  return {
    artifacts: [
      ...singles,
      ...tasks.names.filter((name) => name.endsWith('.json')).map(taskArtifact),
      ...folders
        .filter(({ names }) => names.includes('synthesis.json'))
        .map(({ name }) => ({
          file: `rounds/${name}/synthesis.json`,
          schema: 'synthesis' as const,
        })),
    ],
    findings: [tasks, rounds, ...folders].flatMap(({ findings }) => findings),
  };
}

function taskArtifact(name: string): ListedArtifact {
  return { file: `.task/${name}`, schema: 'task' };
}

interface Entries {
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

/** Names in order. A link in place of the folder is not followed. */
function entriesOf(folder: string, inner: string): Entries {
  try {
    const stats = lstatSync(join(folder, inner), { throwIfNoEntry: false });
    if (stats === undefined) return { names: [], findings: [] };
    if (stats.isDirectory()) {
      return { names: readdirSync(join(folder, inner)).toSorted(byNumber), findings: [] };
    }
    const what = stats.isSymbolicLink() ? 'a symbolic link' : 'no folder';
    return refused('link-refused', inner, `${inner} is ${what}; put the folder itself here.`);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `${inner} cannot be read (${error.code}); check its permissions.`;
    return refused('unreadable', inner, message);
  }
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function refused(rule: string, file: string, message: string): Entries {
  return { names: [], findings: [{ severity: 'blocking', rule, file, pointer: '', message }] };
}
