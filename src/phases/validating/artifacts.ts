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
import { type Finding, blockingFinding } from '../../model/finding.ts';
import { jsonIn } from '../../model/json.ts';
import type { SchemaName } from '../../model/published.ts';
import { isSystemError } from '../../store/system-error.ts';
import { jsonFault } from './json-fault.ts';

export interface ListedArtifact {
  /** Relative to the folder. */
  readonly file: string;
  readonly schema: SchemaName;
}

const singles = [
  'session-state',
  'codebase-context',
  'context-package',
  'plan',
  'approval',
  'execution-context',
  'execution-result',
  'code-review',
] as const;

/** Every JSON file of a session folder that has a published schema, and the links on the way. */
export function listArtifacts(folder: string): {
  readonly artifacts: readonly ListedArtifact[];
  readonly findings: readonly Finding[];
} {
  const tasks = entriesOf(folder, '.task');
  const rounds = entriesOf(folder, 'rounds');
  const numbers = rounds.names.filter((name) => /^\d+$/.test(name));
  const inRounds = numbers.map((name) => entriesOf(folder, `rounds/${name}`));
  return {
    artifacts: [
      ...singles.map((schema) => ({ file: `${schema}.json`, schema })),
      ...tasks.names
        .filter((name) => name.endsWith('.json'))
        .map((name) => ({ file: `.task/${name}`, schema: 'task' as const })),
      ...inRounds
        .filter(({ names }) => names.includes('synthesis.json'))
        .map(({ inner }) => ({ file: `${inner}/synthesis.json`, schema: 'synthesis' as const })),
    ],
    findings: [tasks, rounds, ...inRounds].flatMap(({ findings }) => findings),
  };
}

interface Entries {
  readonly inner: string;
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

/** Names in order. A link in place of the folder is not followed. */
function entriesOf(folder: string, inner: string): Entries {
  const path = join(folder, inner);
  const refused = (rule: string, clause: string) => {
    return { inner, names: [], findings: [unreadable(inner, rule, clause)] };
  };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { inner, names: [], findings: [] };
    if (!stats.isDirectory()) return refused('link-refused', 'is no folder; put one here');
    return { inner, names: readdirSync(path).toSorted(byNumber.compare), findings: [] };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refused('unreadable', `cannot be read (${error.code}); check its permissions`);
  }
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** No artifact comes near this size; a hostile one must not fill the memory. In bytes. */
const largest = 32 * 1024 * 1024;

type Artifact =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly value: unknown }
  | { readonly state: 'bad'; readonly finding: Finding };

/**
 * Reads one JSON file of a session folder, never through a link. Reads at once and not in turns:
 * a thousand small task files are several times faster that way.
 */
export function readArtifact(folder: string, file: string): Artifact {
  const bad = (rule: string, clause: string): Artifact => {
    return { state: 'bad', finding: unreadable(file, rule, clause) };
  };
  const opened = openArtifact(join(folder, file));
  if (opened === 'ENOENT') return { state: 'absent' };
  if (opened === 'ELOOP')
    return bad('link-refused', 'is a symbolic link; put the file itself here');
  if (typeof opened === 'string') {
    return bad('unreadable', `cannot be opened (${opened}); check its permissions`);
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) return bad('not-a-file', 'is not a regular file; remove it');
    if (stats.size > largest) {
      return bad('too-large', `is ${stats.size} bytes long, more than any artifact can be`);
    }
    const bytes = readFileSync(opened);
    if (!isUtf8(bytes)) return bad('not-utf8', 'is not UTF-8 text; save it as UTF-8');
    const text = bytes.toString('utf8');
    const value = jsonIn(text);
    if (value !== undefined) return { state: 'read', value };
    return bad('invalid-json', `is not JSON${jsonFault(text)}`);
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

function unreadable(file: string, rule: string, clause: string): Finding {
  const message = `${cleanText(file)} ${clause}.`;
  return blockingFinding({ rule, file, pointer: '', message });
}
