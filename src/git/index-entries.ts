import { isUtf8 } from 'node:buffer';

/** What git calls its index: the list of the tracked files. */
export interface IndexFile {
  readonly bytes: Buffer;
  /** The length of an id. */
  readonly idBytes: number;
}

/** One tracked path. */
export interface IndexEntry {
  /** Where its times and numbers start in the index. */
  readonly at: number;
  readonly kind: 'file' | 'link' | 'submodule' | 'other';
  /** False for each side of a merge that is not decided. */
  readonly isMerged: boolean;
  /** Where its id starts. */
  readonly id: number;
  /** Null where it is not UTF-8. Only until the next entry. */
  readonly name: () => string | null;
}

/**
 * Goes over the entries, until one is not taken. Returns the id of the tree that they make, or an
 * empty one where git does not know it; null where an entry was not taken, or the index is damaged
 * or has more than names, ids and times, e.g. a part in another file.
 */
export function eachEntry(
  { bytes, idBytes }: IndexFile,
  take: (entry: IndexEntry) => boolean,
): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - idBytes;
  const version = end < headBytes ? 0 : view.getUint32(4);
  if (version < 2 || version > 4 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const names = version === 4 ? sharedNames(bytes) : wholeNames(bytes);
  const entries = view.getUint32(8);
  let at = headBytes;
  for (let left = entries; left > 0; left--) {
    const id = at + statBytes;
    if (id + idBytes + 4 > end) return null;
    const flags = view.getUint16(id + idBytes);
    if (isExtended(flags) && version === 2) return null;
    const name = id + idBytes + (isExtended(flags) ? 4 : 2);
    const nameEnd = names.step(name, flags & longName);
    if (nameEnd === null || nameEnd >= end) return null;
    const isTaken = take({
      at,
      kind: kinds.get(view.getUint32(at + 24) >>> 12) ?? 'other',
      isMerged: (flags & stage) === 0,
      id,
      name: names.last,
    });
    if (!isTaken) return null;
    // But for version 4, an entry is filled up with zeros, at least one.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return at <= end ? treeIn(bytes.subarray(at, end), { entries, idBytes }) : null;
}

const headBytes = 12;
/** Times, place, mode, owner and size of a file. */
const statBytes = 40;
/** By the upper bits of the mode. */
const kinds: ReadonlyMap<number, IndexEntry['kind']> = new Map([
  [0o10, 'file'],
  [0o12, 'link'],
  [0o16, 'submodule'],
]);
const stage = 0x3000;
/** The length of a name where it is this or more. */
const longName = 0xfff;

function isExtended(flags: number): boolean {
  return (flags & 0x4000) !== 0;
}

/** The names of the entries in their order. */
interface Names {
  /** Goes over the next one; gives the place of its end, or null where it has none. */
  readonly step: (at: number, length: number) => number | null;
  readonly last: () => string | null;
}

function wholeNames(bytes: Buffer): Names {
  let [from, to] = [0, 0];
  // To cut names out of one text is quicker than to make a text of each.
  let text: string | null = null;
  return {
    step(at, length) {
      from = at;
      to = length === longName ? bytes.indexOf(0, at + length) : at + length;
      return bytes[to] === 0 ? to : null;
    },
    last() {
      text ??= bytes.toString('latin1');
      const name = text.slice(from, to);
      return beyondAscii.test(name) ? textIn(bytes, from, to) : name;
    },
  };
}

/** In version 4 a name is what it does not share with the one before, after how much of that goes. */
function sharedNames(bytes: Buffer): Names {
  // Longer than any path that a system takes.
  const name = Buffer.alloc(8192);
  let size = 0;
  return {
    step(at) {
      let from = at;
      let byte = bytes[from++] ?? 0;
      let cut = byte & 0x7f;
      while (byte >= 0x80) {
        byte = bytes[from++] ?? 0;
        cut = (cut + 1) * 0x80 + (byte & 0x7f);
      }
      size -= cut;
      // Byte by byte: what is not shared is short.
      for (; bytes[from] !== 0; size++) {
        if (size < 0 || size === name.length || from === bytes.length) return null;
        name[size] = bytes[from++] ?? 0;
      }
      return size < 0 ? null : from;
    },
    last: () => textIn(name, 0, size),
  };
}

const beyondAscii = /[\x80-\xff]/;

/** Null where it is not UTF-8. */
function textIn(bytes: Buffer, from: number, to: number): string | null {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? null : text;
}

/** What may follow: trees that are known, conflicts that were resolved, and where entries are. */
const plainParts = ['TREE', 'REUC', 'EOIE', 'IEOT'];

interface Expected {
  readonly entries: number;
  readonly idBytes: number;
}

/** The id of the tree of all entries; null where other parts than plain ones follow the entries. */
function treeIn(rest: Buffer, expected: Expected): string | null {
  let at = 0;
  let id = '';
  while (at + 8 <= rest.length) {
    const name = rest.toString('latin1', at, at + 4);
    if (!plainParts.includes(name)) return null;
    const next = at + 8 + rest.readUInt32BE(at + 4);
    if (name === 'TREE') id = rootIn(rest.subarray(at + 8, next), expected);
    at = next;
  }
  return at === rest.length ? id : null;
}

/** The first tree has no name: how many entries and trees it has, and its id unless it has changed. */
function rootIn(trees: Buffer, { entries, idBytes }: Expected): string {
  const start = trees.indexOf('\n') + 1;
  const isKnown = trees.toString('latin1', 0, start).startsWith(`\0${entries} `);
  return isKnown ? trees.toString('hex', start, start + idBytes) : '';
}
