// Words the first line of a commit in the project’s style, and detects that style.
import { oneLine } from './wording.ts';

/** The form of the first line of a commit: plain, or with a type as in Conventional Commits 1.0. */
export type CommitStyle = 'plain' | 'conventional';

/** How many of the latest commits are conventional. */
export interface StyleCount {
  readonly conventional: number;
  readonly of: number;
}

/** The fewest commits that show a style. */
const fewestCommits = 5;
const usualShare = 0.6;

/** Counts conventional commits among first lines; null if the project does not use them. */
export function countConventional(subjects: readonly string[]): StyleCount | null {
  const conventional = subjects.filter((subject) => typeOf(subject) !== null).length;
  const count = { conventional, of: subjects.length };
  const isUsual = count.of >= fewestCommits && conventional >= usualShare * count.of;
  return isUsual ? count : null;
}

/** Says how many are conventional, e.g. `18 of the last 20 commits are conventional`. */
export function styleCountText({ conventional, of }: StyleCount): string {
  return `${conventional} of the last ${of} commits are conventional`;
}

/** The first line of a commit of some files; `does` begins with a verb, e.g. `Add the flag`. */
export function commitSubject(
  does: string,
  { style, files }: { readonly style: CommitStyle; readonly files: readonly string[] },
): string {
  const text = oneLine(does);
  if (style === 'plain' || typeOf(text) !== null) return text;
  return `${typeFor(text, files)}: ${lowerFirst(text).replace(/\.$/, '')}`;
}

/** The first line of one commit that combines several; conventional if all of these are. */
export function joinedSubject(does: string, subjects: readonly string[]): string {
  const types = subjects.map(typeOf);
  if (types.length === 0 || types.includes(null)) return does;
  const type = ['feat', 'fix'].find((one) => types.includes(one)) ?? types[0] ?? 'chore';
  return `${type}: ${lowerFirst(does)}`;
}

/** The first line of the merge of a change; programs that check messages accept this form. */
export function mergeSubject(title: string, into: string): string {
  return `Merge "${title}" into ${into}`;
}

/** The type of a conventional commit; null for any other commit. */
function typeOf(subject: string): string | null {
  return /^([a-z]{2,12})(?:\([^()]+\))?!?: \S/.exec(subject)?.[1] ?? null;
}

function typeFor(does: string, files: readonly string[]): string {
  const kind = fileTypes.find(([, pattern]) => files.every((path) => pattern.test(path)));
  if (kind !== undefined && files.length > 0) return kind[0];
  const word = /^\w+/.exec(does)?.[0].toLowerCase() ?? '';
  return verbTypes.find(([, verbs]) => verbs.includes(word))?.[0] ?? 'feat';
}

const fileTypes: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['docs', /\.(?:md|mdx|rst|adoc)$|(?:^|\/)docs?\//i],
  ['test', /(?:^|\/)(?:tests?|__tests__|spec)\/|[._](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+$/i],
  ['ci', /^\.github\/|^\.gitlab-ci|^\.circleci\//],
];

const verbTypes: readonly (readonly [type: string, verbs: readonly string[]])[] = [
  ['fix', ['fix', 'correct', 'repair', 'prevent', 'handle', 'avoid']],
  ['refactor', ['refactor', 'rename', 'move', 'extract', 'split', 'simplify', 'inline']],
  ['docs', ['document', 'describe']],
  ['test', ['test', 'cover']],
  ['perf', ['speed', 'cache', 'optimize', 'optimise']],
  ['chore', ['bump', 'upgrade', 'update']],
];

/** Lowers the first letter, but not of a name such as `JSON`. */
function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}|^A /u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
