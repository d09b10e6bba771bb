import { folderOf, isFolderEntry, stemOf } from '../../git/paths.ts';
import { rareness } from './file-scores.ts';
import { writeHashes } from './found-terms.ts';
import type { SearchedTree } from './searched-tree.ts';
import type { TaskTerm } from './task-terms.ts';
import { joint, termsOf } from './terms.ts';

/** How well each path of the tree fits the task; by its place there. */
export function pathScores(
  terms: readonly TaskTerm[],
  { kernel, tree, paths }: SearchedTree,
): Float64Array {
  const { wasm } = kernel;
  const wanted = wasm.newPathTerms(terms.length);
  writeHashes(
    kernel.words(wasm.pathHashesOf(wanted)),
    terms.map(({ term }) => term),
  );
  kernel.words(wasm.pathStartsOf(wanted)).set(terms.map(({ term }) => startOf(term)));
  wasm.findInPaths(wanted, tree);
  const hits = kernel.words(wasm.hitPathsOf(wanted));
  const areNames = kernel.words(wasm.areNamesOf(wanted));
  for (const hit of kernel.words(wasm.ownFoldersOf(wanted))) {
    if (isFolderEntry(paths[hits[hit] ?? 0] ?? '')) areNames[hit] = 1;
  }
  const places = new Map(terms.map(({ term }, place) => [term, place]));
  for (const path of kernel.words(wasm.otherPathsOf(wanted)).slice()) {
    for (const { term, isName } of hitsIn(paths[path] ?? '', places)) {
      wasm.addPathTerm(wanted, path, term, Number(isName));
    }
  }
  const counts = kernel.words(wasm.pathCountsOf(wanted));
  const values = kernel.floats(wasm.pathValuesOf(wanted));
  for (const [at, { weight }] of terms.entries()) {
    values[at] = rareness(counts[at] ?? 0, paths.length) * weight;
  }
  return kernel.floats(wasm.scorePaths(wanted, tree)).slice();
}

/** The two letters or digits that a name with this term has at the start of a part. */
function startOf(term: string): number {
  const text = Buffer.from(term.startsWith(joint) ? term.slice(joint.length) : term);
  return (text[0] ?? 0) | ((text[1] ?? 0) << 8);
}

/** What the kernel finds in a path of ASCII. */
function* hitsIn(
  path: string,
  places: ReadonlyMap<string, number>,
): Generator<{ readonly term: number; readonly isName: boolean }> {
  const folders = folderOf(path).split('/');
  const names = folders.map((text, at) => ({
    text,
    isName: at === folders.length - 1 && isFolderEntry(path),
  }));
  for (const { text, isName } of [...names, { text: stemOf(path), isName: true }]) {
    for (const name of text.split(/[^\p{L}\p{N}_$-]+/u).flatMap(termsOf)) {
      const term = places.get(name);
      if (term !== undefined) yield { term, isName };
    }
  }
}
