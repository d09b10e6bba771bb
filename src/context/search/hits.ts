import type { TaskTerm } from './task-terms.ts';
import { nameCharacter, termsOf, tokensIn } from './terms.ts';

/** So many lines are counted together. */
export const blockLines = 20;

/** Finds the terms of a task in names. */
export interface TermFinder {
  /** What fits each name that may have a term; case does not count. Understood by ripgrep, too. */
  readonly pattern: string;
  /** The terms of a name or word, by their places in the list. */
  termsIn(name: string): readonly number[];
}

/** A task that pastes a log has more words than are worth looking for. */
const mostStems = 150;
/** The same names come again and again. */
const mostRemembered = 200_000;

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
  const known = new Map<string, readonly number[]>();
  return {
    pattern: `${nameCharacter}*(?:${stems.join('|')})${nameCharacter}*`,
    termsIn(name) {
      const remembered = known.get(name);
      if (remembered !== undefined) return remembered;
      const all = tokensIn(name).flatMap(termsOf);
      const found = all.map((term) => places.get(term)).filter((place) => place !== undefined);
      if (known.size < mostRemembered) known.set(name, found);
      return found;
    },
  };
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
