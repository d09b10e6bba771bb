import { parentPort, workerData } from 'node:worker_threads';
import { indexShare } from './index-share.ts';
import { writeSegment } from './segment-store.ts';
import { wantedIn, type WantedList } from './wanted-list.ts';

/** What this thread is started with. */
export interface WorkerPlace {
  /** The folder of the segments. */
  readonly folder: string;
}

/** What it is told once it is known. */
export interface WorkerTask {
  /** Absolute. */
  readonly root: string;
  readonly list: WantedList;
  readonly taken: Int32Array;
  readonly found: Uint8Array;
}

/** What it says: the name of each segment that it wrote, and at the end how many files it read. */
export type WorkerWord = { readonly segment: string } | { readonly read: number };

const { folder }: WorkerPlace = workerData;
const say = (word: WorkerWord): void => parentPort?.postMessage(word, []);
parentPort?.once('message', async ({ root, list, taken, found }: WorkerTask) => {
  const files = { root, wanted: wantedIn(list), taken, found };
  const read = await indexShare(files, {
    add: (parts) => say({ segment: writeSegment(folder, parts) }),
    // The thread is ended from outside.
    signal: new AbortController().signal,
  });
  say({ read });
});
