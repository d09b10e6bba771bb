import { parentPort, workerData } from 'node:worker_threads';
import { indexShare, type SharedFiles } from './index-share.ts';
import { writeSegment } from './segment-store.ts';

/** What this thread is started with. */
export interface WorkerTask {
  readonly files: SharedFiles;
  /** The folder of the segments. */
  readonly folder: string;
}

/** What it says: the name of each segment that it wrote, and at the end how many files it read. */
export type WorkerWord = { readonly segment: string } | { readonly read: number };

const { files, folder }: WorkerTask = workerData;
const say = (word: WorkerWord): void => parentPort?.postMessage(word, []);
const read = await indexShare(files, {
  add: (parts) => say({ segment: writeSegment(folder, parts) }),
  // The thread is ended from outside.
  signal: new AbortController().signal,
});
say({ read });
