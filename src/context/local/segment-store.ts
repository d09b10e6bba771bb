import { randomBytes } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAbsent } from '../../store/system-error.ts';
import { DamagedSegment, openSegment, type Segment } from './segment.ts';

/** A segment with the name of its file. */
export interface StoredSegment extends Segment {
  readonly name: string;
}

/** A folder of segments. Each is written under another name and renamed, and never changed. */
export interface SegmentStore {
  readonly folder: string;
  /** Open, the largest first. */
  readonly segments: readonly StoredSegment[];
  add(parts: readonly Buffer[]): void;
  /** Opens one that another thread has written, unless it is gone again. */
  adopt(name: string): void;
  /** Closes and deletes; a process that has it open goes on reading it. */
  remove(segment: StoredSegment): void;
  close(): void;
}

const ending = '.seg';
/** A temporary file of this age was left by a process that is gone. In ms. */
const oldTemporary = 10 * 60 * 1000;

/** Is told, in a sentence, of each file that cannot be used; it is deleted. */
type Note = (sentence: string) => void;

export function openStore(folder: string, note: Note): SegmentStore {
  makeFolder(folder, note);
  const open = new Map<string, StoredSegment>();
  const adopt = (name: string): void => {
    const segment = openOne(folder, { name, note });
    if (segment !== null) open.set(name, segment);
  };
  sweep(folder);
  for (const name of readdirSync(folder)) if (name.endsWith(ending)) adopt(name);
  return {
    folder,
    adopt,
    get segments() {
      return [...open.values()].toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
    },
    add: (parts) => adopt(writeSegment(folder, parts)),
    remove(segment) {
      segment.close();
      open.delete(segment.name);
      rmSync(join(folder, segment.name), { force: true });
    },
    close() {
      for (const segment of open.values()) segment.close();
      open.clear();
    },
  };
}

/** Makes a folder of the index. A file in its place is deleted. */
export function makeFolder(folder: string, note: Note): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) {
    // Another process may just have made the folder.
    rmSync(folder, { force: true });
    note(discarded('it is no folder'));
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function openOne(
  folder: string,
  { name, note }: { readonly name: string; readonly note: Note },
): StoredSegment | null {
  const path = join(folder, name);
  try {
    return { ...openSegment(path), name };
  } catch (error) {
    // Another process has just replaced it.
    if (isAbsent(error)) return null;
    if (!(error instanceof DamagedSegment)) throw error;
    rmSync(path, { recursive: true, force: true });
    note(discarded(error.message));
    return null;
  }
}

function discarded(why: string): string {
  return `A part of the search index was discarded and is built again: ${why}.`;
}

/**
 * Writes a segment; returns its name in the folder. It is not flushed to the disk: what a power
 * loss leaves is found by its checksums.
 */
export function writeSegment(folder: string, parts: readonly Buffer[]): string {
  const name = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}${ending}`;
  writeWhole(join(folder, name), parts);
  return name;
}

function writeWhole(path: string, parts: readonly Buffer[]): void {
  const temporary = `${path}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of parts) writeAll(file, part);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeAll(file: number, part: Buffer): void {
  for (let done = 0; done < part.length;) done += writevSync(file, [part.subarray(done)]);
}

/** Deletes the temporary files in a folder that nobody is going to rename or delete any more. */
export function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > oldTemporary)
      rmSync(path, { recursive: true, force: true });
  }
}
