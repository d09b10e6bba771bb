import { kindOf } from '../../context/file-kinds.ts';
import { countIn, type Needle } from '../../context/needles.ts';
import { sum } from '../../context/weighing.ts';
import type { PastCommit } from '../../git/past-commits.ts';

/** A past commit that is like the task. */
export interface CommitMatch {
  readonly commit: PastCommit;
  readonly score: number;
  /** The part of what the task’s keywords tell that its message has, from 0 to 1. */
  readonly share: number;
  /** Keywords of the task that its message has. */
  readonly keywords: readonly string[];
  /** Files that the search found for the task and that it touched. */
  readonly found: readonly string[];
}

/** A commit that touched more files than this moved or reformatted; it is no pattern. */
const mostFiles = 40;
/** A message with less of what the task’s keywords tell has only its common words. */
const leastShare = 0.25;
/** Fewer commits do not show which words are common. */
const shortHistory = 100;
/** Only the best files of the search say that a commit without a word of the task is like it. */
const mostTelling = 3;

/** The past commits that are like the task, best first; the newer one where they are equal. */
export function matchesIn(
  commits: readonly PastCommit[],
  task: { readonly needles: readonly Needle[]; readonly found: readonly string[] },
): readonly CommitMatch[] {
  const { needles, found } = task;
  const messages = commits.map(({ subject, body }) => wordsHit(`${subject}\n${body}`, needles));
  const weights = needles.map((needle, index) => {
    const count = messages.filter((hit) => hit.has(index)).length;
    return (
      Math.log(1 + (commits.length - count + 0.5) / (count + 0.5)) * (needle.identifier ? 1.6 : 1)
    );
  });
  return commits
    .map((commit, at) =>
      matchOf(commit, { hit: messages[at] ?? new Set(), weights, needles, found }),
    )
    .filter((match) => match !== null)
    .filter(({ share }) => share >= leastShare || commits.length < shortHistory)
    .toSorted((a, b) => b.score - a.score);
}

function matchOf(
  commit: PastCommit,
  task: {
    readonly hit: ReadonlySet<number>;
    readonly weights: readonly number[];
    readonly needles: readonly Needle[];
    readonly found: readonly string[];
  },
): CommitMatch | null {
  const { hit, weights, needles, found } = task;
  const paths = new Set(commit.files.map(({ path }) => path));
  const code = commit.files.filter(({ path }) => kindOf(path) !== 'doc').length;
  if (code === 0 || paths.size > mostFiles) return null;
  const shared = found.filter((path) => paths.has(path));
  const telling = found.slice(0, mostTelling).filter((path) => paths.has(path)).length;
  if (!isLike({ hit, needles, telling, shared: shared.length, isRoot: commit.isRoot })) return null;
  const words = sum([...hit].map((index) => weights[index] ?? 0));
  const files = sum(shared.map((path) => 1 / (1 + found.indexOf(path))));
  const share = words / (sum(weights) || 1);
  return {
    commit,
    score: (words + 2 * files) / (1 + paths.size / mostFiles),
    share,
    keywords: needles.filter((_, index) => hit.has(index)).map(({ keyword }) => keyword),
    found: shared,
  };
}

/**
 * A name; or a word and one of the best files; or two words and any file that was found. The first
 * commit of all touched everything, so only a name in its message makes it a precedent.
 */
function isLike(match: {
  readonly hit: ReadonlySet<number>;
  readonly needles: readonly Needle[];
  readonly telling: number;
  readonly shared: number;
  readonly isRoot: boolean;
}): boolean {
  const { hit, needles, telling, shared, isRoot } = match;
  const named = [...hit].map((index) => needles[index]).filter((needle) => needle !== undefined);
  if (named.some(({ identifier }) => identifier)) return true;
  const words = new Set(named.map(({ keyword }) => singular(keyword))).size;
  return !isRoot && ((words > 0 && telling > 0) || (words > 1 && shared > 0));
}

/** "session" and "sessions" are one word. */
function singular(word: string): string {
  return word.toLowerCase().replace(/(?<=..)s$/, '');
}

function wordsHit(message: string, needles: readonly Needle[]): ReadonlySet<number> {
  const line = { text: message, lower: message.toLowerCase() };
  const indexes = needles.map((needle, index) => (countIn(line, needle) > 0 ? index : -1));
  return new Set(indexes.filter((index) => index >= 0));
}
