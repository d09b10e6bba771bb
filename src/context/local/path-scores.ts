import { folderOf, isFolderEntry, nameOfPath, stemOf } from '../paths.ts';
import { rareness } from './file-scores.ts';
import type { TaskTerm } from './task-terms.ts';
import { wantedTerms } from './wanted-terms.ts';

/** How well each path fits the task. */
export function pathScores(
  paths: readonly string[],
  terms: readonly TaskTerm[],
): ReadonlyMap<string, number> {
  const wantedIn = wantedTerms(terms.map(({ term }) => term));
  const known = new Map<string, readonly number[]>();
  const wantedInFolder = (piece: string): readonly number[] => {
    const found = known.get(piece) ?? wantedIn(piece);
    known.set(piece, found);
    return found;
  };
  const hits = new Map<string, ReadonlyMap<number, number>>();
  const counts = new Uint32Array(terms.length);
  for (const path of paths) {
    const here = new Map<number, number>();
    const pieces = folderOf(path).split('/');
    for (const [at, piece] of pieces.entries()) {
      const wanted = wantedInFolder(piece);
      if (wanted.length === 0) continue;
      const share = at === pieces.length - 1 && isFolderEntry(path) ? 1 : 0.5;
      for (const term of wanted) here.set(term, share);
    }
    for (const term of wantedIn(stemOf(nameOfPath(path)))) here.set(term, 1);
    if (here.size === 0) continue;
    hits.set(path, here);
    for (const term of here.keys()) counts[term] = (counts[term] ?? 0) + 1;
  }
  const values = terms.map(({ weight }, term) => ({
    rare: rareness(counts[term] ?? 0, paths.length),
    weight,
  }));
  const scores = new Map<string, number>();
  for (const [path, found] of hits) {
    let score = 0;
    for (const [term, share] of found) {
      score += share * (values[term]?.rare ?? 0) * (values[term]?.weight ?? 0);
    }
    scores.set(path, score);
  }
  return scores;
}
