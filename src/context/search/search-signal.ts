// Defines a signal, and the clues that it goes by.
import type { PastCommit } from '../../git/past-commits.ts';
import type { FileTraits } from '../file-kinds.ts';
import type { Definition } from '../symbols.ts';
import type { TaskTerm, TermFinder } from './task-terms.ts';
import { termsOf } from './terms.ts';

/** So many lines are counted together. */
export const blockLines = 20;

/** The input of all signals. A file is known by its index among the paths, a term by its own. */
export interface Clues {
  readonly task: string;
  readonly terms: readonly TaskTerm[];
  /** By term: its weight in the task times how rare it is among the files. */
  readonly values: readonly number[];
  readonly termsIn: TermFinder['termsIn'];
  readonly paths: readonly string[];
  readonly traits: readonly FileTraits[];
  /** The folder where the user stands; empty for the root. */
  readonly standing: string;
  /** In bytes; 0 where the content is not searched. */
  readonly sizes: readonly number[];
  /** By file, each hit in its content: its line from 0 times the number of terms, plus the term. */
  readonly hits: ReadonlyMap<number, readonly number[]>;
  /** The newest first. */
  readonly commits: readonly PastCommit[];
  /** Of the files that were looked at closely. */
  readonly definitions: ReadonlyMap<number, readonly Definition[]>;
}

/** One way to tell from the clues which files the task is about. */
export interface Signal {
  /** The weight of its greatest value. */
  readonly share: number;
  /** By file; zero where it says nothing. */
  readonly scores: Float64Array;
  /** A clause for people on what it says of a file, or null. Signals may have one together. */
  readonly reason: (file: number) => string | null;
  /** It says something of files that other signals found, but finds none. */
  readonly findsNone?: boolean;
}

/** Signals that are calculated together. */
export type ReadSignals = (clues: Clues) => readonly Signal[];

export function rareness(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Flattens a count as BM25 does: many hits say little more, and less in a long text. */
export function saturate(count: number, lengthRatio: number): number {
  return (2.2 * count) / (count + 1.2 * (0.25 + 0.75 * lengthRatio));
}

/** Counts each of them. */
export function tally(terms: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** The first of them: one of `Format` and `formats`, and no part of a name that is told whole. */
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
