import type { CommitTree } from '../../git/commit-tree.ts';
import type { MarkedFile } from '../../git/content-mark.ts';
import type { FileTraits } from '../file-kinds.ts';
import type { Repository } from '../../git/repository.ts';
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
  /** Files whose content there was no time to read. */
  readonly unread: number;
}

/** How long contents may be read, and who is told how far it is. */
export interface Reading {
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Then no more is read: what was, is what can be searched. */
  readonly enough: AbortSignal;
  /** Told now and then how many files of how many were taken. */
  readonly onTaken?: ((taken: number, of: number) => void) | undefined;
}

/** In ms. */
const telling = 200;

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
  work: Reading & { readonly tree: CommitTree; readonly store: SegmentStore },
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
  const { read, found } = await addFromDisk(root, { ...work, wanted, workers });
  const segments = store.segments.filter((segment) => !before.includes(segment));
  return { segments, read, found, contents };
}

/**
 * Brings the index up to date with the tree: only contents that it does not have are read. What
 * was added early is part of it.
 */
export async function indexFiles(
  repository: Pick<Repository, 'root' | 'read' | 'marks'>,
  work: Reading & { readonly store: SegmentStore; readonly early: EarlyFiles },
): Promise<FileIndex> {
  const { store, early } = work;
  const contents = treeContents(await repository.marks(), early.contents);
  const { segments } = store;
  const older = segments.filter((segment) => !early.segments.includes(segment));
  const missing = unknownOf(contents, [...early.segments, ...older]);
  const worth = worthKeeping(older, {
    wanted: { count: contents.files.length, placesIn: contents.filesIn },
    read: early.read,
    missing: missing.length,
    enough: work.enough,
  });
  const kept = [...early.segments, ...worth];
  // Those first that no segment has.
  const wanted = [...new Set([...missing, ...unknownOf(contents, kept)])];
  const { read, isCut } = await addContents(repository, { ...work, contents, kept, wanted });
  // What is not worth its place has been read anew, unless there was no time.
  if (!isCut) {
    for (const segment of segments) if (!kept.includes(segment)) store.remove(segment);
  }
  const paths = contents.files.map(({ path }) => path);
  const found = documentsOf(contents, store);
  return {
    paths,
    traits: contents.traits,
    ...found,
    read: early.read + read,
    unread: isCut ? missingIn(contents, found.numbers) : 0,
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

/** How many files have a content that is searched but stands nowhere. */
function missingIn({ firsts }: TreeContents, numbers: Int32Array): number {
  return numbers.filter((number, file) => number === -1 && firsts[file] !== -1).length;
}

interface Adding extends Reading {
  readonly store: SegmentStore;
  readonly wanted: readonly MarkedFile[];
}

/** So many are read even where there is no time left: each search gets on. */
const leastRead = 64;

/** Adds the wanted contents to the store; tells how many were read, and whether some were not. */
async function addContents(
  repository: Pick<Repository, 'root' | 'read'>,
  work: Adding & { readonly contents: TreeContents; readonly kept: readonly StoredSegment[] },
): Promise<{ readonly read: number; readonly isCut: boolean }> {
  const { store, contents, kept, wanted, signal, enough } = work;
  if (wanted.length === 0) return { read: 0, isCut: false };
  const before = new Set(store.segments);
  const share = enough.aborted
    ? { wanted: wanted.slice(0, leastRead), enough: new AbortController().signal }
    : { wanted, enough };
  const workers = indexWorkers(store, { files: share.wanted.length });
  const { read } = await addFromDisk(repository.root, { ...work, ...share, workers });
  const added = store.segments.filter((segment) => !before.has(segment));
  const missed = unknownOf(contents, [...kept, ...added]);
  if (missed.length === 0 || enough.aborted) return { read, isCut: missed.length > 0 };
  const writer = segmentWriter();
  let isCut = false;
  const all = { wanted: missed.map(wantedFile), signal };
  for await (const some of baseContents(repository, all)) {
    for (const [file, content] of some) if (content !== null) addFile(writer, file, content);
    isCut = enough.aborted;
    if (isCut) break;
  }
  if (writer.documents > 0) store.add(writer.finish());
  return { read: read + writer.documents, isCut };
}

/** With those threads, which end. */
async function addFromDisk(
  root: string,
  { store, wanted, workers, signal, enough, onTaken }: Adding & { readonly workers: IndexWorkers },
): Promise<Pick<EarlyFiles, 'read' | 'found'>> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const found = new Uint8Array(new SharedArrayBuffer(wanted.length));
  const takeAll = (): void => void Atomics.store(taken, 0, wanted.length);
  enough.addEventListener('abort', takeAll, { once: true });
  if (enough.aborted) takeAll();
  const tell = (): void =>
    onTaken?.(Math.min(Atomics.load(taken, 0), wanted.length), wanted.length);
  const teller = setInterval(tell, telling);
  try {
    workers.begin({ root, wanted, taken, found });
    const own = await indexShare(
      { root, wanted: wantedFiles(wanted), taken, found },
      { add: (parts) => store.add(parts), signal },
    );
    const read = own + (await workers.done());
    return { read, found: wanted.filter((_, file) => found[file] === 1) };
  } finally {
    clearInterval(teller);
    enough.removeEventListener('abort', takeAll);
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
