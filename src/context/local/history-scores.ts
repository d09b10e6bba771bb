import { rareness } from './file-scores.ts';
import type { PastCommits } from './past-commits.ts';
import type { TaskTerm } from './task-terms.ts';

/** What the messages of all the commits that touched a path say together. */
export interface HistoryScores {
  /** By path of the tree. */
  readonly scores: Float64Array;
  /** How telling a word of the task is among the paths. */
  readonly values: ReadonlyMap<string, number>;
  /** For each commit that touched the path: the words of the task in its message, if any. */
  wordsOf(path: number): readonly ReadonlySet<string>[];
}

/** What a term that joins several parts of a name counts in a message, against a word. */
export const jointShare = 0.5;

/**
 * BM25 over the paths of the tree, where the text of a path is every message of the commits that
 * touched it: a file that several commits call by different words of the task is found, even where
 * no one of them is like the task.
 */
export function historyScores(terms: readonly TaskTerm[], past: PastCommits): HistoryScores {
  const { kernel } = past;
  const { wasm } = kernel;
  const pathCount = wasm.touchedOf(past.history);
  const values = new Map<string, number>();
  for (const [term, { word, weight, isJoint }] of terms.entries()) {
    const found = wasm.findPaths(past.history, term);
    const value = weight * rareness(found, pathCount) * (isJoint ? jointShare : 1);
    wasm.addPaths(past.history, value);
    values.set(word, Math.max(value, values.get(word) ?? 0));
  }
  let messages: Messages | null = null;
  return {
    scores: kernel.floats(wasm.scoresOf(past.history)).slice(),
    values,
    wordsOf(path) {
      messages ??= messagesByPath(terms, past);
      return messages.get(path) ?? [];
    },
  };
}

type Messages = ReadonlyMap<number, readonly ReadonlySet<string>[]>;

function messagesByPath(terms: readonly TaskTerm[], past: PastCommits): Messages {
  const messages = new Map<number, ReadonlySet<string>[]>();
  for (const [commit, words] of wordsByCommit(terms, past)) {
    for (const path of past.touchedBy(commit)) {
      const known = messages.get(path);
      if (known === undefined) messages.set(path, [words]);
      else known.push(words);
    }
  }
  return messages;
}

/** Words of the task that each message has. */
export function wordsByCommit(
  terms: readonly TaskTerm[],
  past: PastCommits,
): ReadonlyMap<number, ReadonlySet<string>> {
  const words = new Map<number, Set<string>>();
  for (const [term, { word }] of terms.entries()) {
    for (const commit of past.having(term)) {
      const known = words.get(commit);
      if (known === undefined) words.set(commit, new Set([word]));
      else known.add(word);
    }
  }
  return words;
}
