import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../model/plan.ts';
import type { SchemaName } from '../../model/published.ts';

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
  const stats = lstatSync(join(folder, inner), { throwIfNoEntry: false });
  if (stats === undefined) return { names: [], findings: [] };
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? 'a symbolic link' : 'no folder';
    const message = `${inner} is ${what}; put the folder itself here.`;
    return { names: [], findings: [finding(inner, message)] };
  }
  const entries: readonly Dirent[] = readdirSync(join(folder, inner), { withFileTypes: true });
  return { names: entries.map(({ name }) => name).toSorted(byNumber), findings: [] };
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function finding(file: string, message: string): Finding {
  return { severity: 'blocking', rule: 'link-refused', file, pointer: '', message };
}
