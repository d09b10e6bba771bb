import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cleanText } from '../../model/clean-text.ts';
import type { Finding } from '../../model/finding.ts';
import type { SchemaName } from '../../model/published.ts';
import { isSystemError } from '../../store/system-error.ts';
import { jsonFault } from './json-fault.ts';

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
  { file: 'execution-result.json', schema: 'execution-result' },
  { file: 'code-review.json', schema: 'code-review' },
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
      return { names: readdirSync(join(folder, inner)).toSorted(byNumber.compare), findings: [] };
    }
    const what = stats.isSymbolicLink() ? 'a symbolic link' : 'no folder';
    return refused('link-refused', inner, `${inner} is ${what}; put the folder itself here.`);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `${inner} cannot be read (${error.code}); check its permissions.`;
    return refused('unreadable', inner, message);
  }
}

const byNumber = new Intl.Collator('en', { numeric: true });

function refused(rule: string, file: string, message: string): Entries {
  return { names: [], findings: [{ severity: 'blocking', rule, file, pointer: '', message }] };
}

/** No artifact comes near this size; a hostile one must not fill the memory. In bytes. */
const largest = 32 * 1024 * 1024;

export type Artifact =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly value: unknown }
  | { readonly state: 'bad'; readonly finding: Finding };

/**
 * Reads one JSON file of a session folder, never through a link. Reads at once and not in turns:
 * a thousand small task files are several times faster that way.
 */
export function readArtifact(folder: string, file: string): Artifact {
  const opened = openArtifact(join(folder, file));
  if (typeof opened === 'string') {
    return opened === 'ENOENT' ? { state: 'absent' } : bad(file, unopened(opened));
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) return bad(file, ['not-a-file', 'is not a regular file; remove it']);
    if (stats.size > largest) {
      return bad(file, ['too-large', `is ${stats.size} bytes long, more than any artifact can be`]);
    }
    return parsed(file, readFileSync(opened));
  } finally {
    closeSync(opened);
  }
}

/** A link as the last part of the path fails with ELOOP; a pipe must not make us wait. */
function openArtifact(path: string): number | string {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isSystemError(error)) return error.code;
    throw error;
  }
}

type Problem = readonly [rule: string, clause: string];

function unopened(code: string): Problem {
  if (code === 'ELOOP') return ['link-refused', 'is a symbolic link; put the file itself here'];
  return ['unreadable', `cannot be opened (${code}); check its permissions`];
}

function parsed(file: string, bytes: Buffer): Artifact {
  if (!isUtf8(bytes)) return bad(file, ['not-utf8', 'is not UTF-8 text; save it as UTF-8']);
  const text = bytes.toString('utf8');
  try {
    return { state: 'read', value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const fault = jsonFault(text);
    const clause =
      fault === null
        ? `is not JSON: ${error.message}`
        : `is not JSON: line ${fault.line}, column ${fault.column}: ${fault.message}`;
    return bad(file, ['invalid-json', cleanText(clause)]);
  }
}

function bad(file: string, [rule, clause]: Problem): Artifact {
  const message = `${cleanText(file)} ${clause}.`;
  return { state: 'bad', finding: { severity: 'blocking', rule, file, pointer: '', message } };
}
