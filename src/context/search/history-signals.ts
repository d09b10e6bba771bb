// Turns the messages of past commits, and how often a file changes, into signals.
import type { PastCommit } from '../../git/past-commits.ts';
import { cleanText } from '../../model/clean-text.ts';
import { clip, counted, listed, oneLine } from '../../model/wording.ts';
import {
  distinctWords,
  rareness,
  saturate,
  tally,
  type Clues,
  type ReadSignals,
  type Signal,
} from './search-signal.ts';
import { tokensIn } from './terms.ts';

/** The number of commits at which the history counts half: a few commits say little about each file. */
const shortHistory = 100;

/** Signals from past commits: their messages, and how often and how recently they touched a file. */
export const historySignals: ReadSignals = (clues) => {
  const past = pastOf(clues);
  const trust = past.changes.length / (past.changes.length + shortHistory);
  const best = bestMessages(past);
  return [
    { share: trust, scores: allMessages(past), reason: best.reason },
    { share: 0.3 * trust, ...best },
    { share: 0.5 * trust, ...churn(past), findsNone: true },
  ];
};

/** A past commit and what its message shares with the task. */
interface Change {
  readonly commit: PastCommit;
  /** The number of commits that came after it. */
  readonly age: number;
  /** The touched files that still exist. */
  readonly files: readonly number[];
  /** The count of each term in the message. */
  readonly counts: ReadonlyMap<number, number>;
  /** The length of the message relative to the average. */
  readonly length: number;
}

interface Past {
  readonly changes: readonly Change[];
  readonly fileCount: number;
  readonly wordOf: (term: number) => string;
  /** The value of a term that occurs in `found` of `all` texts. */
  readonly valueOf: (term: number, found: number, all: number) => number;
}

/** The most files of a commit that counts: larger ones move or reformat. */
const mostFiles = 40;
/** The share of a term of several words in a message. */
const jointShare = 0.5;

function pastOf({ commits, paths, terms, termsIn }: Clues): Past {
  const places = new Map(paths.map((path, file) => [path, file]));
  const messages = commits.map(({ subject, body }) => `${subject}\n${withoutTrailers(body)}`);
  const total = messages.reduce((sum, { length }) => sum + length, 0);
  const changes = commits.map((commit, age) => {
    const { isRoot, files } = commit;
    const message = messages[age] ?? '';
    const touched = isRoot || files.length > mostFiles ? [] : files;
    return {
      commit,
      age,
      files: touched.map(({ path }) => places.get(path)).filter((file) => file !== undefined),
      counts: tally(tokensIn(message).flatMap(termsIn)),
      length: (message.length * commits.length) / total,
    };
  });
  return {
    changes,
    fileCount: paths.length,
    wordOf: (term) => terms[term]?.word ?? '',
    valueOf(term, found, all) {
      const { weight, isJoint } = terms[term] ?? { weight: 0, isJoint: false };
      return weight * rareness(found, all) * (isJoint ? jointShare : 1);
    },
  };
}

/** Drops signatures and the words of bots below them: they are not about the code. */
function withoutTrailers(body: string): string {
  return body
    .slice(0, 4000)
    .replace(/^(?:[A-Z][\w-]+-by|Co-authored-by|Change-Id|PiperOrigin-RevId):.*$/gim, ' ')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
}

type Told = Pick<Signal, 'scores' | 'reason'>;

/** The number of later commits after which a message counts half. */
const messageHalfLife = 1500;

/**
 * Scores the files with BM25, where the text of a file is every message of the commits that touched
 * it: a file that several commits describe with different words of the task is found, even if no
 * single message resembles the task.
 */
function allMessages({ changes, fileCount, valueOf }: Past): Float64Array {
  const lengths = new Map<number, number>();
  const counts = new Map<number, Map<number, number>>();
  for (const { age, files, length, ...change } of changes) {
    const weight = 0.5 ** (age / messageHalfLife) / Math.sqrt(Math.max(1, files.length));
    for (const file of files) {
      increase(lengths, file, weight * (0.25 + 0.75 * length));
      for (const term of change.counts.keys()) {
        const ofTerm = counts.get(term) ?? new Map<number, number>();
        counts.set(term, ofTerm);
        increase(ofTerm, file, weight);
      }
    }
  }
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const average = total / Math.max(1, lengths.size);
  const scores = new Float64Array(fileCount);
  for (const [term, ofTerm] of counts) {
    const value = valueOf(term, ofTerm.size, lengths.size);
    for (const [file, count] of ofTerm) {
      const ratio = (lengths.get(file) ?? 0) / average;
      scores[file] = (scores[file] ?? 0) + value * saturate(count, ratio);
    }
  }
  return scores;
}

function increase(sums: Map<number, number>, key: number, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by);
}

const mostLike = 100;
const longestSubject = 72;

/** Scores the files touched by the commits whose messages resemble the task most. */
function bestMessages({ changes, fileCount, wordOf, valueOf }: Past): Told {
  const found = tally(changes.flatMap(({ counts }) => [...counts.keys()]));
  const like = changes
    .map((change) => {
      const score = [...change.counts].reduce(
        (sum, [term, count]) =>
          sum +
          valueOf(term, found.get(term) ?? 0, changes.length) * saturate(count, change.length),
        0,
      );
      return { ...change, score };
    })
    .toSorted((a, b) => b.score - a.score)
    .map((change) => ({
      ...change,
      share: change.score / Math.sqrt(Math.max(1, change.commit.files.length)),
    }));
  const scores = new Float64Array(fileCount);
  for (const { files, share } of like.slice(0, mostLike)) {
    for (const file of files) scores[file] = (scores[file] ?? 0) + share;
  }
  const reason = (file: number): string | null => {
    const [best] = like
      .filter(({ files, share }) => share > 0 && files.includes(file))
      .toSorted((a, b) => b.share - a.share);
    if (best === undefined) return null;
    const { id, subject } = best.commit;
    const words = distinctWords([...best.counts.keys()].toSorted((a, b) => a - b).map(wordOf), 3);
    return `commit ${id.slice(0, 8)} “${shorten(subject)}” touched it, with words like ${listed(words)}`;
  };
  return { scores, reason };
}

function shorten(subject: string): string {
  return clip(oneLine(cleanText(subject)), longestSubject);
}

/** The number of later commits after which a touch counts half. */
const touchHalfLife = 400;

function churn({ changes, fileCount }: Past): Told {
  const sums = new Float64Array(fileCount);
  for (const { age, files } of changes) {
    for (const file of files) sums[file] = (sums[file] ?? 0) + 0.5 ** (age / touchHalfLife);
  }
  const reason = (file: number): string | null => {
    const touches = changes.filter(({ files }) => files.includes(file)).length;
    if (touches === 0) return null;
    // Commits with many files do not count, hence “at least”.
    return `changed in at least ${touches} of the last ${counted(changes.length, 'commit')}`;
  };
  return { scores: sums.map((sum) => Math.log(1 + sum)), reason };
}
