import type { MarkedFile } from '../content-mark.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';
import { keyWords, writeKey } from './document-key.ts';
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
    else if (isSearched) writeKey(file, { traits: found, to: keys, at: at * keyWords });
    if (isKnown) before++;
    firsts[at] = isSearched ? table.add(at) : -1;
    return found;
  });
  const asked = new Map<Segment, Int32Array>();
  const filesIn = (segment: Segment): Int32Array => {
    const found = asked.get(segment) ?? filesOf(segment, table);
    asked.set(segment, found);
    return found;
  };
  return { files, traits, keys, firsts, filesIn };
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

function filesOf({ keys, documentCount }: Segment, table: KeyTable): Int32Array {
  const files = new Int32Array(documentCount);
  for (let at = 0; at < documentCount; at++) files[at] = table.find(keys, at * keyWords);
  return files;
}

/** Finds files by their keys. */
interface KeyTable {
  /** Adds a file, unless there is one with its key; returns the one that is there. */
  readonly add: (file: number) => number;
  /** The file with the key that starts there, or -1. */
  readonly find: (others: Uint32Array, at: number) => number;
}

/** At most half of its slots are taken. */
function keyTable(keys: Uint32Array, count: number): KeyTable {
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
  /** By slot: a file + 1, or 0 where it is free. */
  const slots = new Int32Array(mask + 1);
  const slotOf = (others: Uint32Array, at: number): number => {
    // The second number of a key is part of a hash.
    let slot = (others[at + 1] ?? 0) & mask;
    for (let file = slots[slot] ?? 0; file !== 0; file = slots[slot] ?? 0) {
      const own = (file - 1) * keyWords;
      let word = 0;
      while (word < keyWords && keys[own + word] === others[at + word]) word++;
      if (word === keyWords) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  return {
    add(file) {
      const slot = slotOf(keys, file * keyWords);
      const first = slots[slot] ?? 0;
      if (first !== 0) return first - 1;
      slots[slot] = file + 1;
      return file;
    },
    find: (others, at) => (slots[slotOf(others, at)] ?? 0) - 1,
  };
}
