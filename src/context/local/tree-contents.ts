import type { MarkedFile } from '../../git/content-mark.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';
import { keyWords, writeKey } from './document-key.ts';
import { keyTable, placesByKey } from './key-table.ts';
import type { Segment } from './segment.ts';

/** The files of a tree, and which of them have the same content. */
export interface TreeContents {
  readonly files: readonly MarkedFile[];
  /** By file. */
  readonly traits: readonly FileTraits[];
  /** By file: the key of its content. */
  readonly keys: Uint32Array;
  /** By file: the first one that has its content, or -1 where that is not searched. */
  readonly firsts: Int32Array;
  /** By document of a segment: the first file that has its content, or -1. */
  readonly filesIn: (segment: Segment) => Int32Array;
}

/** What is `known` of the same files, in the same order, is not found out again. */
export function treeContents(
  files: readonly MarkedFile[],
  known: TreeContents = nothingKnown,
): TreeContents {
  const isSame =
    files.length === known.files.length && files.every((file, at) => file === known.files[at]);
  if (isSame) return known;
  const keys = new Uint32Array(files.length * keyWords);
  const firsts = new Int32Array(files.length);
  const table = keyTable(keys, files.length);
  let before = 0;
  const traits = files.map((file, at) => {
    // To compare paths takes longer than to see that it is the same file.
    while (known.files[before] !== file && (known.files[before]?.path ?? file.path) < file.path) {
      before++;
    }
    const isKnown = known.files[before] === file;
    const found = (isKnown ? known.traits[before] : undefined) ?? traitsOf(file.path);
    const isSearched = !found.isGenerated && !found.isBinary;
    if (isKnown && isSearched) copyKey(known.keys, { from: before, to: keys, at });
    else if (isSearched)
      writeKey({ mark: file.mark, traits: found }, { to: keys, at: at * keyWords });
    if (isKnown) before++;
    firsts[at] = isSearched ? table.add(at) : -1;
    return found;
  });
  return { files, traits, keys, firsts, filesIn: placesByKey(table) };
}

const nothingKnown: TreeContents = {
  files: [],
  traits: [],
  keys: new Uint32Array(),
  firsts: new Int32Array(),
  filesIn: ({ documentCount }) => new Int32Array(documentCount).fill(-1),
};

function copyKey(
  keys: Uint32Array,
  { from, to, at }: { readonly from: number; readonly to: Uint32Array; readonly at: number },
): void {
  for (let word = 0; word < keyWords; word++) {
    to[at * keyWords + word] = keys[from * keyWords + word] ?? 0;
  }
}
