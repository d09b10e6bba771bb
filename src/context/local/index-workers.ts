import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { MarkedFile } from '../../git/content-mark.ts';
import type { SharedFiles } from './index-share.ts';
import type { WorkerPlace, WorkerTask, WorkerWord } from './index-worker.ts';
import type { SegmentStore } from './segment-store.ts';
import { wantedList } from './wanted-list.ts';

/** For fewer files a thread of its own brings nothing, and takes some 40 MB. */
const worthOne = 1_000;
const worthAnother = 4_000;
/** For so many it does even where it takes the processor that git and V8’s own threads use. */
const worthLast = 4_000;
const most = 3;
/** Nearly all that a thread makes is soon gone. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** Threads that index beside this one. */
export interface IndexWorkers {
  /** Gives them the files, once. */
  begin(files: SharedWanted): void;
  /** How many files they read, once none is left. */
  done(): Promise<number>;
  /** Ends them at once. */
  end(): Promise<void>;
}

interface SharedWanted extends Omit<SharedFiles, 'wanted'> {
  readonly wanted: readonly MarkedFile[];
}

/**
 * Starts as many threads as so many files are worth and the machine has. One that fails has taken
 * files that it did not add: whoever asked has to look for them.
 */
export function indexWorkers(
  store: SegmentStore,
  { files, count = countFor(files) }: { readonly files: number; readonly count?: number },
): IndexWorkers {
  const workers = Array.from({ length: count }, () => startOne(store));
  return {
    begin({ root, wanted, taken, found }) {
      if (count === 0) return;
      const task: WorkerTask = { root, list: wantedList(wanted), taken, found };
      for (const { worker } of workers) worker.postMessage(task, []);
    },
    async done() {
      const read = await Promise.all(workers.map((worker) => worker.done));
      return read.reduce((a, b) => a + b, 0);
    },
    async end() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}

function countFor(files: number): number {
  if (files < worthOne) return 0;
  const worth = 1 + Math.floor((files - worthOne) / worthAnother);
  const taken = files < worthLast ? 2 : 1;
  return Math.max(0, Math.min(most, availableParallelism() - taken, worth));
}

function startOne(store: SegmentStore): {
  readonly worker: Worker;
  readonly done: Promise<number>;
} {
  const { promise, resolve } = Promise.withResolvers<number>();
  // Beside this file: as source, and as the build names it.
  const file = new URL(`./index-worker${import.meta.url.slice(-3)}`, import.meta.url);
  // Not imported, as few searches need it: it would have to be loaded for all.
  const threads = process.getBuiltinModule('node:worker_threads');
  const workerData: WorkerPlace = { folder: store.folder };
  const worker = new threads.Worker(file, { workerData, resourceLimits });
  let read = 0;
  worker.on('message', (word: WorkerWord) => {
    if ('read' in word) read = word.read;
    else store.adopt(word.segment);
  });
  // What it did not do is done without it.
  worker.on('error', () => resolve(read));
  worker.on('exit', () => resolve(read));
  return { worker, done: promise };
}
