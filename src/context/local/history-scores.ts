import type { CommitFacts } from './commit-index.ts';
import { rareness } from './file-scores.ts';
import type { TaskTerm } from './task-terms.ts';
import type { TouchedPaths } from './touched-paths.ts';

/** A term of the task, and the commits whose messages have it, by their places in the list. */
export interface SaidTerm extends TaskTerm {
  readonly positions: Uint32Array;
  /** How often each of them has it. */
  readonly counts: Uint32Array;
}

/** What the messages of all the commits that touched a path say together. */
export interface HistoryScores {
  /** By path of the tree. */
  readonly scores: ReadonlyMap<string, number>;
  /** How telling a word of the task is among the paths. */
  readonly values: ReadonlyMap<string, number>;
  /** For each commit that touched the path: the words of the task in its message, if any. */
  wordsOf(path: string): readonly ReadonlySet<string>[];
}

/** What a term that joins several parts of a name counts in a message, against a word. */
export const jointShare = 0.5;
const saturation = 1.2;
/** So many commits later, a message counts half. */
const halfLife = 1500;

/**
 * BM25 over the paths of the tree, where the text of a path is every message of the commits that
 * touched it: a file that several commits call by different words of the task is found, even where
 * no one of them is like the task.
 */
export function historyScores(
  terms: readonly SaidTerm[],
  past: {
    /** The newest first. */
    readonly facts: readonly CommitFacts[];
    /** Of the messages, in terms. */
    readonly lengths: readonly number[];
    readonly paths: TouchedPaths;
  },
): HistoryScores {
  const { names, touched } = past.paths;
  const weights = Float64Array.from(past.facts, ({ files }, position) => {
    return 0.5 ** (position / halfLife) / Math.sqrt(Math.max(1, files.length));
  });
  const lengths = lengthsOf({ touched, weights, lengths: past.lengths, count: names.length });
  const scores = new Float64Array(names.length);
  const values = new Map<string, number>();
  const found = new Float64Array(names.length);
  for (const { word, weight, isJoint, positions } of terms) {
    const here: number[] = [];
    for (const position of positions) {
      for (const path of touched[position] ?? []) {
        if (found[path] === 0) here.push(path);
        found[path] = (found[path] ?? 0) + (weights[position] ?? 0);
      }
    }
    const value = weight * rareness(here.length, names.length) * (isJoint ? jointShare : 1);
    values.set(word, Math.max(value, values.get(word) ?? 0));
    for (const path of here) {
      const count = found[path] ?? 0;
      const norm = saturation * (0.25 + 0.75 * (lengths[path] ?? 0));
      scores[path] = (scores[path] ?? 0) + (value * count * (saturation + 1)) / (count + norm);
      found[path] = 0;
    }
  }
  let messages: Messages | null = null;
  return {
    scores: new Map(names.map((name, path) => [name, scores[path] ?? 0])),
    values,
    wordsOf(path) {
      messages ??= messagesByPath(terms, past.facts);
      return messages.get(path) ?? [];
    },
  };
}

type Messages = ReadonlyMap<string, readonly ReadonlySet<string>[]>;

function messagesByPath(terms: readonly SaidTerm[], facts: readonly CommitFacts[]): Messages {
  const messages = new Map<string, ReadonlySet<string>[]>();
  for (const [position, words] of wordsByPosition(terms)) {
    for (const path of facts[position]?.files ?? []) {
      const known = messages.get(path);
      if (known === undefined) messages.set(path, [words]);
      else known.push(words);
    }
  }
  return messages;
}

/** Words of the task that each message has, by the commit’s place in the list; of all, or of some. */
export function wordsByPosition(
  terms: readonly SaidTerm[],
  some: ReadonlySet<number> | null = null,
): ReadonlyMap<number, ReadonlySet<string>> {
  const words = new Map<number, Set<string>>();
  for (const { word, positions } of terms) {
    for (const position of positions) {
      if (some?.has(position) === false) continue;
      const known = words.get(position);
      if (known === undefined) words.set(position, new Set([word]));
      else known.add(word);
    }
  }
  return words;
}

/** How long the messages of each path are together, as a multiple of the average. */
function lengthsOf(past: {
  readonly touched: TouchedPaths['touched'];
  readonly weights: Float64Array;
  readonly lengths: readonly number[];
  readonly count: number;
}): Float64Array {
  const { touched, weights, lengths, count } = past;
  const sums = new Float64Array(count);
  for (const [position, paths] of touched.entries()) {
    const length = (weights[position] ?? 0) * (lengths[position] ?? 0);
    for (const path of paths) sums[path] = (sums[path] ?? 0) + length;
  }
  const average = sums.reduce((a, b) => a + b, 0) / Math.max(1, count);
  return sums.map((length) => length / (average || 1));
}
