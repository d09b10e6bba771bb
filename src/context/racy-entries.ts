import { isUtf8 } from 'node:buffer';
import type { SeenFile } from './seen-file.ts';

/** A tracked file or link whose times do not tell git that it is as it was added. */
export interface RacyEntry {
  /** Relative to the top of the work tree. */
  readonly path: string;
  readonly mark: `blob ${string}`;
  readonly link: boolean;
  /** When it was changed, in s. */
  readonly changed: number;
  /** What git saw when it was as added; null where a change soon after may look the same. */
  readonly seen: SeenFile | null;
}

/** What git calls its index: the list of the tracked files. */
interface IndexFile {
  readonly bytes: Buffer;
  /** When the file was changed, in s and parts of it. */
  readonly written: number;
  /** The length of an id. */
  readonly idBytes: number;
}

/**
 * The entries that were changed in the second in which the index was written, or later: those git
 * compares by their contents each time. Null where that cannot be told for sure, as the index is
 * damaged or has more than names, ids and times, e.g. a part in another file.
 */
export function racyEntries({ bytes, written, idBytes }: IndexFile): readonly RacyEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - idBytes;
  const version = end < headBytes ? 0 : view.getUint32(4);
  if (version < 2 || version > 4 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const names = version === 4 ? sharedNames(bytes) : wholeNames(bytes);
  const racy: RacyEntry[] = [];
  const second = Math.floor(written);
  let at = headBytes;
  for (let left = view.getUint32(8); left > 0; left--) {
    const id = at + statBytes;
    if (id + idBytes + 4 > end) return null;
    const flags = view.getUint16(id + idBytes);
    if (isExtended(flags) && version === 2) return null;
    const name = id + idBytes + (isExtended(flags) ? 4 : 2);
    const nameEnd = names.step(name, flags & longName);
    if (nameEnd === null || nameEnd >= end) return null;
    const changed = view.getUint32(at + 8);
    if (changed >= second) {
      const kind = view.getUint32(at + 24) >>> 12;
      const path = names.last();
      if (!knownKinds.includes(kind) || !isUtf8(path)) return null;
      if (kind !== submodule && (flags & stage) === 0) {
        const mark: RacyEntry['mark'] = `blob ${bytes.toString('hex', id, id + idBytes)}`;
        const seen = seenIn(view, { at, written });
        racy.push({ path: path.toString('utf8'), mark, link: kind === link, changed, seen });
      }
    }
    // But for version 4, an entry is filled up with zeros, at least one.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return at <= end && hasPlainRest(bytes.subarray(at, end)) ? racy : null;
}

/** No system counts in longer steps: a change within one looks like the one before. In ms. */
const longestStep = 20;

/**
 * Where the index was written later than a step after the last change that it knows of, any other
 * change shows. A system that counts in seconds has no parts of them.
 */
function seenIn(
  view: DataView,
  { at, written }: { readonly at: number; readonly written: number },
): SeenFile | null {
  const parts = view.getUint32(at + 4);
  const changedMs = msOf(view.getUint32(at), parts);
  if (parts === 0 || changedMs >= written * 1000 - longestStep) return null;
  const modifiedMs = msOf(view.getUint32(at + 8), view.getUint32(at + 12));
  return { changedMs, modifiedMs, inode: view.getUint32(at + 20), size: view.getUint32(at + 36) };
}

/** As Node counts it. */
function msOf(seconds: number, nanoseconds: number): number {
  return seconds * 1000 + nanoseconds / 1_000_000;
}

const headBytes = 12;
/** Times, place, mode, owner and size of a file. */
const statBytes = 40;
/** The kind of a file as the upper bits of its mode. */
const [file, link, submodule] = [0o10, 0o12, 0o16];
const knownKinds = [file, link, submodule];
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
  readonly last: () => Buffer;
}

function wholeNames(bytes: Buffer): Names {
  let [from, to] = [0, 0];
  return {
    step(at, length) {
      from = at;
      to = length === longName ? bytes.indexOf(0, at + length) : at + length;
      return bytes[to] === 0 ? to : null;
    },
    last: () => bytes.subarray(from, to),
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
    last: () => name.subarray(0, size),
  };
}

/** What may follow: trees that are known, conflicts that were resolved, and where entries are. */
const plainParts = ['TREE', 'REUC', 'EOIE', 'IEOT'];

function hasPlainRest(rest: Buffer): boolean {
  let at = 0;
  while (at + 8 <= rest.length) {
    if (!plainParts.includes(rest.toString('latin1', at, at + 4))) return false;
    at += 8 + rest.readUInt32BE(at + 4);
  }
  return at === rest.length;
}
