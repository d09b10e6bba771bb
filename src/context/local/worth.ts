import type { StoredSegment } from './segment-store.ts';

/**
 * A segment with fewer of its documents still wanted is not worth its place. The others are kept
 * for the day when somebody checks out the branch that has them.
 */
const leastAlive = 1 / 10;
/** In bytes. */
const smallSegment = 1024 * 1024;
const mostSmall = 12;
/** A search that has read so much leaves small ones to the next, up to twice as many. */
const muchRead = 100;

/**
 * Whether a document is wanted and stands in none that was asked about before: two searches may
 * index it at once.
 */
export type IsFirst = (segment: StoredSegment, document: number) => boolean;

/**
 * The segments that are worth their place. Those with little of what is wanted are not, and of many
 * small ones the smallest: their documents are indexed anew, together, and each only now and then.
 * `read` is how many documents were already read for this search.
 */
export function worthKeeping(
  segments: readonly StoredSegment[],
  { isFirst, read }: { readonly isFirst: IsFirst; readonly read: number },
): readonly StoredSegment[] {
  const alive = segments.filter((segment) => isAlive(segment, isFirst));
  const small = alive
    .filter(({ bytes }) => bytes < smallSegment)
    .toSorted((a, b) => b.bytes - a.bytes);
  const most = read < muchRead ? mostSmall : 2 * mostSmall;
  const merged = small.length > most ? small.slice(mostSmall / 2) : [];
  return alive.filter((segment) => !merged.includes(segment));
}

function isAlive(segment: StoredSegment, isFirst: IsFirst): boolean {
  let alive = 0;
  for (let at = 0; at < segment.documentCount; at++) if (isFirst(segment, at)) alive++;
  return alive >= segment.documentCount * leastAlive;
}
