import type { SearchedPart } from './found-terms.ts';
import type { Segment } from './segment.ts';

/** The documents of the index that are in the tree, under one numbering over all segments. */
export interface LiveDocuments {
  readonly parts: readonly SearchedPart[];
  readonly count: number;
  placeOf(document: number): DocumentPlace;
}

/** Where a document stands: its segment, which part that is, and its place there. */
interface DocumentPlace {
  readonly segment: Segment;
  readonly part: number;
  readonly index: number;
}

/** Numbers those of each segment that are `live`. */
export function liveDocuments<S extends Segment>(
  segments: readonly S[],
  isLive: (segment: S, index: number) => boolean,
): LiveDocuments {
  /** By part: the number of its first document, if it has one. */
  const firsts: number[] = [];
  let count = 0;
  const parts = segments.map((segment) => {
    firsts.push(count);
    const numbers = new Int32Array(segment.documentCount);
    for (let index = 0; index < numbers.length; index++) {
      numbers[index] = isLive(segment, index) ? count++ : -1;
    }
    return { segment, numbers };
  });
  return {
    parts,
    count,
    placeOf(document) {
      const part = firsts.findLastIndex((first) => first <= document);
      const owner = parts[part];
      const index = owner?.numbers.indexOf(document) ?? -1;
      if (owner === undefined || index === -1) {
        throw new RangeError(`There is no document ${document}.`);
      }
      return { segment: owner.segment, part, index };
    },
  };
}
