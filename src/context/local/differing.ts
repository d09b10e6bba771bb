import { setTimeout as sleep } from 'node:timers/promises';
import type { MarkedFile } from '../content-mark.ts';
import { diskReader } from './contents.ts';
import { turnsUntil } from './turns.ts';

/** Where more than so many differ, and than half of all, git has them in another form. */
const mostInVain = 64;
/** When so much is read for the first time, git is the quicker one. In ms. */
const longestWait = 5_000;
/** In bytes. Only what is read of it takes memory. */
const largestRead = 16 * 1024 * 1024;

/**
 * Those of the files that the disk does not have as they are marked, or that are too large to look
 * at; null where that is most of them, or what is `found` takes too long. Files that were found so
 * are not read again. Rejects with the signal’s reason when that is aborted.
 */
export async function differingFiles(
  files: readonly MarkedFile[],
  work: {
    /** Absolute. */
    readonly root: string;
    readonly found: Promise<readonly MarkedFile[]>;
    readonly signal: AbortSignal;
    readonly waitMs?: number;
  },
): Promise<readonly MarkedFile[] | null> {
  const { root, signal, waitMs = longestWait } = work;
  const read = await Promise.race([work.found, sleep(waitMs, null, { ref: false })]);
  if (read === null) return null;
  const found = new Map(read.map(({ path, mark }) => [path, mark]));
  const disk = diskReader(root, largestRead);
  const differing: MarkedFile[] = [];
  const turns = turnsUntil(signal);
  for (const [before, file] of files.entries()) {
    if (found.get(file.path) === file.mark) continue;
    if (disk(file)?.same !== true) differing.push(file);
    if (differing.length > Math.max(mostInVain, before / 2)) return null;
    if (turns.isDue()) await turns.take();
  }
  return differing;
}
