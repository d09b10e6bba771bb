// Joins several ranked answers into one, by reciprocal rank.
import type { RelevantFile } from '../model/context.ts';

/** Softens the difference between the first places; 60 is the usual constant of the method. */
const softness = 60;

/** Fuses ranked lists into paths with a joint score, best first; 1 means first in every list. */
export function fusePaths(
  lists: readonly (readonly string[])[],
): readonly { readonly path: string; readonly score: number }[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [index, path] of list.entries()) {
      const share = (softness + 1) / (softness + index + 1) / lists.length;
      scores.set(path, (scores.get(path) ?? 0) + share);
    }
  }
  return [...scores]
    .map(([path, score]) => ({ path, score }))
    .toSorted((one, other) => other.score - one.score);
}

/**
 * Fuses two answers by reciprocal rank. Of two equally good files, that of `first` comes first; a
 * file in both keeps the part and the symbols that `first` gives, with the reasons of both. The
 * best file of `first` is kept unless `most` is smaller than the length of both answers.
 */
export function fuse(
  first: readonly RelevantFile[],
  second: readonly RelevantFile[],
  most: number,
): readonly RelevantFile[] {
  const files = new Map(second.map((file) => [file.path, file]));
  for (const file of first) {
    const also = files.get(file.path)?.reasons ?? [];
    files.set(file.path, { ...file, reasons: [...file.reasons, ...also] });
  }
  const lists = [first, second].map((list) => list.map(({ path }) => path));
  return fusePaths(lists)
    .slice(0, most)
    .flatMap(({ path, score }) => {
      const file = files.get(path);
      return file === undefined ? [] : [{ ...file, score }];
    });
}
