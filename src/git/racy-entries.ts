import { eachEntry, type IndexFile } from './index-entries.ts';
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

/** The index, and when that file was changed, in s and parts of it. */
interface WrittenIndex extends IndexFile {
  readonly written: number;
}

/**
 * The entries that were changed in the second in which the index was written, or later: those git
 * compares by their contents each time. Null where that cannot be told for sure.
 */
export function racyEntries({
  bytes,
  written,
  idBytes,
}: WrittenIndex): readonly RacyEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const racy: RacyEntry[] = [];
  const second = Math.floor(written);
  const tree = eachEntry({ bytes, idBytes }, ({ at, kind, isMerged, id, name }) => {
    const changed = view.getUint32(at + 8);
    if (changed < second) return true;
    const path = name();
    if (kind === 'other' || path === null) return false;
    if (kind !== 'submodule' && isMerged) {
      racy.push({
        path,
        mark: `blob ${bytes.toString('hex', id, id + idBytes)}`,
        link: kind === 'link',
        changed,
        seen: seenIn(view, { at, written }),
      });
    }
    return true;
  });
  return tree === null ? null : racy;
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
