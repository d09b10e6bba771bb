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
 * The segments that are worth their place. Those with little of what is wanted are not, and of many
 * small ones the smallest: their documents are indexed anew, together, and each only now and then.
 * `read` is how many documents were already read for this search.
 */
export function worthKeeping(
  segments: readonly StoredSegment[],
  { isWanted, read }: { readonly isWanted: (key: string) => boolean; readonly read: number },
): readonly StoredSegment[] {
  const seen = new Set<string>();
  const alive = segments.filter((segment) => isAlive(segment, { isWanted, seen }));
  const small = alive
    .filter(({ bytes }) => bytes < smallSegment)
    .toSorted((a, b) => b.bytes - a.bytes);
  const most = read < muchRead ? mostSmall : 2 * mostSmall;
  const merged = small.length > most ? small.slice(mostSmall / 2) : [];
  return alive.filter((segment) => !merged.includes(segment));
}

/** What stands in a segment before, e.g. because two searches indexed it at once, does not count. */
function isAlive(
  segment: StoredSegment,
  wanted: { readonly isWanted: (key: string) => boolean; readonly seen: Set<string> },
): boolean {
  let alive = 0;
  for (let at = 0; at < segment.documentCount; at++) {
    const key = segment.keyOf(at);
    if (!wanted.isWanted(key) || wanted.seen.has(key)) continue;
    wanted.seen.add(key);
    alive++;
  }
  return alive >= segment.documentCount * leastAlive;
}
