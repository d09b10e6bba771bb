import { lstatSync } from 'node:fs';

/** What the system said of a file. */
export interface SeenFile {
  /** When anything of it was changed, and its content. */
  readonly changedMs: number;
  readonly modifiedMs: number;
  /** Their lowest 32 bits. */
  readonly inode: number;
  readonly size: number;
}

/** Whether a file is still the one that was seen. No program can set back when it was changed. */
export function isAsSeen(absolute: string, seen: SeenFile): boolean {
  const now = lstatSync(absolute, { throwIfNoEntry: false });
  return (
    now !== undefined &&
    now.isFile() &&
    now.ctimeMs === seen.changedMs &&
    now.mtimeMs === seen.modifiedMs &&
    now.ino % 2 ** 32 === seen.inode &&
    now.size % 2 ** 32 === seen.size
  );
}
