import type { TaskTerm } from './task-terms.ts';
import { nameCharacter, termsOf, tokensIn } from './terms.ts';

/** So many lines are counted together. */
export const blockLines = 20;

/** Finds the terms of a task in names. */
export interface TermFinder {
  /** What fits each name that may have a term; case does not count. Understood by ripgrep, too. */
  readonly pattern: string;
  /** The terms of a name or word, by their places in the list. */
  readonly termsIn: (name: string) => readonly number[];
}

/** A task that pastes a log has more words than are worth looking for. */
const mostStems = 150;
/** Null where there is nothing to look for. */
export function termFinder(terms: readonly TaskTerm[]): TermFinder | null {
  const stems = terms
    .filter(({ isJoint }) => !isJoint)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostStems)
    // The stem of `copy` and of `copied` is `copi`.
    .map(({ term }) => term.replaceAll('$', '\\$').replace(/i$/, '[iy]'));
  if (stems.length === 0) return null;
  const places = new Map(terms.map(({ term }, place) => [term, place]));
  // Most names have no term, and need not be taken apart.
  const mayFit = new RegExp(stems.join('|'), 'iu');
  const known = remembered((name) => {
    const all = tokensIn(name).flatMap(termsOf);
    return all.map((term) => places.get(term)).filter((place) => place !== undefined);
  });
  return {
    pattern: `${nameCharacter}*(?:${stems.join('|')})${nameCharacter}*`,
    termsIn: (name) => (mayFit.test(name) ? known(name) : []),
  };
}

const mostRemembered = 100_000;

/** The same names come again and again. */
export function remembered<T>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name) ?? find(name);
    // A copy: a part of a text keeps the whole text in memory.
    if (known.size < mostRemembered && !known.has(name)) known.set(copyOf(name), found);
    return found;
  };
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Told of each name that fits the pattern; lines count from 1. */
export type TakeHit = (hit: {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}) => void;

/** Finds the names in some files on the disk that fit a pattern. Rejects where `signal` is aborted. */
export type FindHits = (
  search: {
    readonly root: string;
    readonly paths: readonly string[];
    readonly pattern: string;
    readonly signal: AbortSignal;
  },
  take: TakeHit,
) => Promise<void>;
