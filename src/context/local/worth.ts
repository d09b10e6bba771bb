import type { PlacesIn } from './key-table.ts';
import type { StoredSegment } from './segment-store.ts';

/**
 * A segment with fewer of its documents still wanted is not worth its place. The others are kept
 * for the day when somebody checks out the branch that has them.
 */
const leastAlive = 1 / 10;
/** In bytes. */
const smallSegment = 1024 * 1024;
const mostSmall = 12;
/** A search that has read so much leaves more to the next: that many times as many. */
const muchRead = 100;
const leftThen = 3;

/** What is wanted of the index: a number of places, and which documents are of use for one. */
interface Wanted {
  readonly count: number;
  readonly placesIn: PlacesIn;
}

/**
 * The segments that are worth their place. Those with little of what is wanted are not, and of many
 * small ones the smallest: their documents are indexed anew, together, and each only now and then.
 * `read` is how many documents were already read for this search, `missing` how many are in none of
 * the segments. Where these are many, or it is enough, none is indexed anew: searches that have not
 * the time for all of it would never get on.
 */
export function worthKeeping(
  segments: readonly StoredSegment[],
  {
    wanted,
    read,
    missing,
    enough,
  }: {
    readonly wanted: Wanted;
    readonly read: number;
    readonly missing: number;
    readonly enough: AbortSignal;
  },
): readonly StoredSegment[] {
  const found = new Uint8Array(wanted.count);
  const left = read < muchRead ? 1 : leftThen;
  const least = leastAlive / left;
  const alive = segments.filter(
    (segment) => aliveOf(wanted.placesIn(segment), found) >= segment.documentCount * least,
  );
  const small = alive
    .filter(({ bytes }) => bytes < smallSegment)
    .toSorted((a, b) => b.bytes - a.bytes);
  const isDue = missing < muchRead && !enough.aborted && small.length > mostSmall * left;
  const merged = isDue ? small.slice(mostSmall / 2) : [];
  return alive.filter((segment) => !merged.includes(segment));
}

/** What was `found` in another segment does not count: two searches may index it at once. */
function aliveOf(places: Int32Array, found: Uint8Array): number {
  let alive = 0;
  for (const place of places) {
    if (place === -1 || found[place] === 1) continue;
    found[place] = 1;
    alive++;
  }
  return alive;
}
