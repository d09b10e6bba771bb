import { setTimeout as sleep } from 'node:timers/promises';
import type { MarkedFile } from '../../git/content-mark.ts';
import { folderOf } from '../../git/paths.ts';
import { isAsSeen, type SeenFile } from '../../git/seen-file.ts';
import { diskReader, insideLook } from './contents.ts';
import { turnsUntil } from './turns.ts';

/** Where more than so many differ, and than half of all, git has them in another form. */
const mostInVain = 64;
/** When so much is read for the first time, git is the quicker one. In ms. */
const longestWait = 5_000;
/** In bytes. Only what is read of it takes memory. */
const largestRead = 16 * 1024 * 1024;

interface Doubted extends MarkedFile {
  /** What was seen when it was as it is marked; null where that tells nothing. */
  readonly seen: SeenFile | null;
}

/**
 * Those of the files that the disk does not have as they are marked, or that are too large to look
 * at; null where that is most of them, or what is `found` takes too long. Files that were found so,
 * or are as they were seen, are not read again. Rejects with the signal’s reason when that is
 * aborted.
 */
export async function differingFiles<T extends Doubted>(
  files: readonly T[],
  work: {
    /** Absolute. */
    readonly root: string;
    readonly found: Promise<readonly MarkedFile[]>;
    readonly signal: AbortSignal;
    readonly waitMs?: number;
  },
): Promise<readonly T[] | null> {
  const { root, signal, waitMs = longestWait } = work;
  const read = await Promise.race([work.found, sleep(waitMs, null, { ref: false })]);
  if (read === null) return null;
  const found = new Map(read.map(({ path, mark }) => [path, mark]));
  const disk = diskReader(root, largestRead);
  const isInside = insideLook(root);
  const differing: T[] = [];
  const turns = turnsUntil(signal);
  for (const [before, file] of files.entries()) {
    const { path, mark, seen } = file;
    if (found.get(path) === mark) continue;
    const isSame = seen !== null && isInside(folderOf(path)) && isAsSeen(`${root}/${path}`, seen);
    if (isSame) continue;
    if (disk(file)?.same !== true) differing.push(file);
    if (differing.length > Math.max(mostInVain, before / 2)) return null;
    if (turns.isDue()) await turns.take();
  }
  return differing;
}
