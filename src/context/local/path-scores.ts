import { folderOf, isFolderEntry, nameOfPath, stemOf } from '../paths.ts';
import { rareness, type WeighedTerm } from './file-scores.ts';
import { termsOf } from './terms.ts';

/** How well each path fits the task. */
export function pathScores(
  paths: readonly string[],
  terms: readonly WeighedTerm[],
): ReadonlyMap<string, number> {
  const wanted = new Map(terms.map((term) => [term.term, term]));
  const known = new Map<string, readonly string[]>();
  const termsOfPiece = (piece: string): readonly string[] => {
    const found =
      known.get(piece) ?? piece.split(/[^\p{L}\p{N}_$-]+/u).flatMap((part) => termsOf(part));
    known.set(piece, found);
    return found;
  };
  const hits = new Map<string, { term: string; share: number }[]>();
  const counts = new Map<string, number>();
  for (const path of paths) {
    const here = new Map<string, number>();
    const pieces = folderOf(path).split('/');
    for (const [at, piece] of pieces.entries()) {
      const share = isFolderEntry(path) && at === pieces.length - 1 ? 1 : 0.5;
      for (const term of termsOfPiece(piece)) if (wanted.has(term)) here.set(term, share);
    }
    for (const term of termsOfPiece(stemOf(nameOfPath(path))))
      if (wanted.has(term)) here.set(term, 1);
    if (here.size === 0) continue;
    hits.set(
      path,
      [...here].map(([term, share]) => ({ term, share })),
    );
    for (const term of here.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const scores = new Map<string, number>();
  for (const [path, found] of hits) {
    let score = 0;
    for (const { term, share } of found) {
      const rare = rareness(counts.get(term) ?? 0, paths.length);
      score += share * rare * (wanted.get(term)?.weight ?? 0);
    }
    scores.set(path, score);
  }
  return scores;
}
