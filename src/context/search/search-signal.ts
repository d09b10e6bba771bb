// Defines a signal, and the clues that it uses.
import type { PastCommit } from '../../git/past-commits.ts';
import type { FileTraits } from '../file-kinds.ts';
import type { Definition } from '../symbols.ts';
import type { TaskTerm, TermFinder } from './task-terms.ts';
import { termsOf } from './terms.ts';

/** The number of lines that are counted together. */
export const blockLines = 20;

/** The input of all signals. A file is known by its index among the paths, a term by its own. */
export interface Clues {
  readonly task: string;
  readonly terms: readonly TaskTerm[];
  /** The value of each term: its weight in the task times its rareness among the files. */
  readonly values: readonly number[];
  readonly termsIn: TermFinder['termsIn'];
  readonly paths: readonly string[];
  readonly traits: readonly FileTraits[];
  /** The user’s current folder; empty for the root. */
  readonly standing: string;
  /** The sizes in bytes; 0 if the content is not searched. */
  readonly sizes: readonly number[];
  /** The hits in each file’s content: the line from 0 times the number of terms, plus the term. */
  readonly hits: ReadonlyMap<number, readonly number[]>;
  /** The commits, newest first. */
  readonly commits: readonly PastCommit[];
  /** The definitions of the files that were examined closely. */
  readonly definitions: ReadonlyMap<number, readonly Definition[]>;
}

/** A way to tell from the clues which files the task is about. */
export interface Signal {
  /** The weight of its greatest value. */
  readonly share: number;
  /** The score of each file; zero if the signal says nothing. */
  readonly scores: Float64Array;
  /** A clause for people on what it says about a file, or null. Signals may share one. */
  readonly reason: (file: number) => string | null;
  /** True if it only scores files that other signals found. */
  readonly findsNone?: boolean;
}

/** Signals that are calculated together. */
export type ReadSignals = (clues: Clues) => readonly Signal[];

export function rareness(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Dampens a count as BM25 does: many hits say little more, and less in a long text. */
export function saturate(count: number, lengthRatio: number): number {
  return (2.2 * count) / (count + 1.2 * (0.25 + 0.75 * lengthRatio));
}

/** Counts how often each term occurs. */
export function tally(terms: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * The first words without repetitions: one of `Format` and `formats`, and no part of a name already
 * listed.
 */
export function distinctWords(words: readonly string[], most: number): readonly string[] {
  const told: string[] = [];
  for (const word of words) {
    if (told.length === most) break;
    const isTold = told.some((other) => {
      const known = new Set(other.split(' ').flatMap(termsOf));
      return termsOf(word).every((term) => known.has(term));
    });
    if (!isTold) told.push(word);
  }
  return told;
}
