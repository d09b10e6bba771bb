import type { FileIndex } from './file-index.ts';
import type { SearchedPart } from './found-terms.ts';
import type { Segment } from './segment.ts';

/** The documents of the index that are in the tree, under one numbering over all segments. */
export interface LiveDocuments {
  readonly parts: readonly SearchedPart[];
  readonly paths: readonly (readonly string[])[];
  placeOf(document: number): DocumentPlace;
}

/** Where a document stands: its segment, which part that is, and its place there. */
interface DocumentPlace {
  readonly segment: Segment;
  readonly part: number;
  readonly index: number;
}

export function liveDocuments({ places }: FileIndex): LiveDocuments {
  const parts: SearchedPart[] = [];
  /** By part: the number of its first document, if it has one. */
  const firsts: number[] = [];
  const paths: (readonly string[])[] = [];
  for (const [segment, files] of places) {
    firsts.push(paths.length);
    const numbers = new Int32Array(segment.documentCount).fill(-1);
    for (let index = 0; index < files.length; index++) {
      const names = files[index];
      if (names !== undefined) numbers[index] = paths.push(names) - 1;
    }
    parts.push({ segment, numbers });
  }
  return {
    parts,
    paths,
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
