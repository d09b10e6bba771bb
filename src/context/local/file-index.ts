import type { CommitTree } from '../commit-tree.ts';
import type { MarkedFile } from '../content-mark.ts';
import type { FileTraits } from '../file-kinds.ts';
import type { Repository } from '../repository.ts';
import { baseContents, wantedFile } from './contents.ts';
import { liveDocuments, type LiveDocuments } from './documents.ts';
import { addFile, indexShare } from './index-share.ts';
import { indexWorkers, type IndexWorkers } from './index-workers.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';
import { segmentWriter } from './segment-writer.ts';
import { treeContents, type TreeContents } from './tree-contents.ts';
import { wantedFiles } from './wanted-list.ts';
import { worthKeeping } from './worth.ts';

/** Where the content of each file of the tree stands in the index. */
export interface FileIndex {
  /** Every path of the tree. */
  readonly paths: readonly string[];
  /** By path. */
  readonly traits: readonly FileTraits[];
  readonly documents: LiveDocuments;
  /** By path: the document that has its content, or -1. */
  readonly numbers: Int32Array;
  /** Contents that were read now, because the index did not have them. */
  readonly read: number;
}

/** What was added before it was known which files are changed. */
export interface EarlyFiles {
  readonly segments: readonly StoredSegment[];
  readonly read: number;
  /** Those that the disk had as the commit has them, of those that were read. */
  readonly found: readonly MarkedFile[];
  /** Those of the commit. */
  readonly contents: TreeContents;
}

export const nothingEarly: EarlyFiles = {
  segments: [],
  read: 0,
  found: [],
  contents: treeContents([]),
};

/**
 * Adds the contents of a commit that the index does not have and the disk does. A file that is
 * changed is no such one.
 */
export async function addCommitted(
  root: string,
  work: {
    readonly tree: CommitTree;
    readonly store: SegmentStore;
    readonly signal: AbortSignal;
  },
): Promise<EarlyFiles> {
  const { tree, store, signal } = work;
  signal.throwIfAborted();
  const before = store.segments;
  const files = tree.files.filter(({ link }) => !link);
  // Threads take their time to start.
  const early = before.length === 0 ? indexWorkers(store, { files: files.length }) : null;
  const contents = treeContents(files);
  const wanted = unknownOf(contents, before);
  const workers = early ?? indexWorkers(store, { files: wanted.length });
  const { read, found } = await addFromDisk(root, { store, wanted, workers, signal });
  const segments = store.segments.filter((segment) => !before.includes(segment));
  return { segments, read, found, contents };
}

/**
 * Brings the index up to date with the tree: only contents that it does not have are read. What
 * was added early is part of it.
 */
export async function indexFiles(
  repository: Pick<Repository, 'root' | 'read' | 'marks'>,
  work: {
    readonly store: SegmentStore;
    readonly early: EarlyFiles;
    readonly signal: AbortSignal;
  },
): Promise<FileIndex> {
  const { store, early, signal } = work;
  const contents = treeContents(await repository.marks(), early.contents);
  const { segments } = store;
  const older = segments.filter((segment) => !early.segments.includes(segment));
  const wantedHere = { count: contents.files.length, placesIn: contents.filesIn };
  const worth = worthKeeping(older, { wanted: wantedHere, read: early.read });
  const kept = [...early.segments, ...worth];
  const wanted = unknownOf(contents, kept);
  const read = await addContents(repository, { store, contents, kept, wanted, signal });
  for (const segment of segments) if (!kept.includes(segment)) store.remove(segment);
  const paths = contents.files.map(({ path }) => path);
  return {
    paths,
    traits: contents.traits,
    ...documentsOf(contents, store),
    read: early.read + read,
  };
}

/** A file for each content that no segment has. */
function unknownOf(
  { files, firsts, filesIn }: TreeContents,
  segments: readonly StoredSegment[],
): readonly MarkedFile[] {
  const known = new Uint8Array(files.length);
  for (const segment of segments) {
    for (const file of filesIn(segment)) if (file !== -1) known[file] = 1;
  }
  return files.filter((_, file) => firsts[file] === file && known[file] === 0);
}

interface Adding {
  readonly store: SegmentStore;
  readonly wanted: readonly MarkedFile[];
  readonly signal: AbortSignal;
}

/** Adds the wanted contents to the store; returns how many were read. */
async function addContents(
  repository: Pick<Repository, 'root' | 'read'>,
  work: Adding & { readonly contents: TreeContents; readonly kept: readonly StoredSegment[] },
): Promise<number> {
  const { store, contents, kept, wanted, signal } = work;
  if (wanted.length === 0) return 0;
  const before = new Set(store.segments);
  const workers = indexWorkers(store, { files: wanted.length });
  const { read } = await addFromDisk(repository.root, { ...work, workers });
  const added = store.segments.filter((segment) => !before.has(segment));
  const missed = unknownOf(contents, [...kept, ...added]);
  if (missed.length === 0) return read;
  const writer = segmentWriter();
  const all = { wanted: missed.map(wantedFile), signal };
  for await (const some of baseContents(repository, all)) {
    for (const [file, content] of some) if (content !== null) addFile(writer, file, content);
  }
  if (writer.documents > 0) store.add(writer.finish());
  return read + writer.documents;
}

/** With those threads, which end. */
async function addFromDisk(
  root: string,
  { store, wanted, workers, signal }: Adding & { readonly workers: IndexWorkers },
): Promise<Pick<EarlyFiles, 'read' | 'found'>> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const found = new Uint8Array(new SharedArrayBuffer(wanted.length));
  try {
    workers.begin({ root, wanted, taken, found });
    const own = await indexShare(
      { root, wanted: wantedFiles(wanted), taken, found },
      { add: (parts) => store.add(parts), signal },
    );
    const read = own + (await workers.done());
    return { read, found: wanted.filter((_, file) => found[file] === 1) };
  } finally {
    await workers.end();
  }
}

function documentsOf(
  { files, firsts, filesIn }: TreeContents,
  { segments }: SegmentStore,
): Pick<FileIndex, 'documents' | 'numbers'> {
  /** By the first file of a content: its document, or -1. */
  const byFirst = new Int32Array(files.length).fill(-1);
  let count = 0;
  const documents = liveDocuments(segments, (segment, index) => {
    const file = filesIn(segment)[index] ?? -1;
    if (file === -1 || byFirst[file] !== -1) return false;
    byFirst[file] = count++;
    return true;
  });
  return {
    documents,
    numbers: firsts.map((first) => (first === -1 ? -1 : (byFirst[first] ?? -1))),
  };
}
