import { isBinary, isGenerated } from '../file-kinds.ts';
import type { CommitTree } from '../commit-tree.ts';
import type { ContentMark } from '../content-mark.ts';
import type { Repository } from '../repository.ts';
import { baseContents, wantedFile, type Wanted } from './contents.ts';
import { addFile, indexShare } from './index-share.ts';
import { indexWorkers } from './index-workers.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';
import { segmentWriter } from './segment-writer.ts';
import { worthKeeping } from './worth.ts';

/** Where the content of each file of the tree stands in the index. */
export interface FileIndex {
  /** Every path of the tree. */
  readonly paths: readonly string[];
  /** By segment: the paths that have the content of a document, if any. */
  readonly places: ReadonlyMap<StoredSegment, readonly (readonly string[] | undefined)[]>;
  /** Contents that were read now, because the index did not have them. */
  readonly read: number;
}

/** What was added before it was known which files are changed. */
export interface EarlyFiles {
  readonly segments: readonly StoredSegment[];
  readonly read: number;
  /** By its path, each file of the commit that is searched, and the contents that they have. */
  readonly files: ReadonlyMap<string, Wanted>;
  readonly contents: ReadonlyMap<string, TreeContent>;
}

export const nothingEarly: EarlyFiles = {
  segments: [],
  read: 0,
  files: new Map(),
  contents: new Map(),
};

/** One content of the tree, and every path that has it. */
interface TreeContent {
  readonly file: Wanted;
  readonly paths: string[];
}

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
  const files = new Map<string, Wanted>();
  for (const [path, { id, link }] of tree) {
    if (!link && isSearched(path)) files.set(path, wantedFile(path, `blob ${id}`));
  }
  const before = store.segments;
  const contents = contentsOf(files.values());
  const wanted = unknownOf(contents, before);
  const read = wanted.length === 0 ? 0 : await addFromDisk(root, { store, wanted, signal });
  const segments = store.segments.filter((segment) => !before.includes(segment));
  return { segments, read, files, contents };
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
  const marks = await repository.marks();
  const contents = isCommitted(marks, early.files)
    ? early.contents
    : contentsOf(markedFiles(marks, early.files));
  const { segments } = store;
  const older = segments.filter((segment) => !early.segments.includes(segment));
  const isWanted = (key: string): boolean => contents.has(key);
  const kept = [...early.segments, ...worthKeeping(older, { isWanted, read: early.read })];
  const wanted = unknownOf(contents, kept);
  const read = await addContents(repository, { store, wanted, signal });
  for (const segment of segments) if (!kept.includes(segment)) store.remove(segment);
  const places = placesIn(store.segments, contents);
  return { paths: [...marks.keys()], places, read: early.read + read };
}

/** The contents that no segment has. */
function unknownOf(
  contents: ReadonlyMap<string, TreeContent>,
  segments: readonly StoredSegment[],
): readonly Wanted[] {
  const known = keysOf(segments);
  return [...contents.values()].map(({ file }) => file).filter(({ key }) => !known.has(key));
}

function contentsOf(files: Iterable<Wanted>): ReadonlyMap<string, TreeContent> {
  const contents = new Map<string, TreeContent>();
  for (const file of files) {
    const known = contents.get(file.key);
    if (known === undefined) contents.set(file.key, { file, paths: [file.path] });
    else known.paths.push(file.path);
  }
  return contents;
}

/** Whether the tree is the commit that was looked at, as it mostly is. */
function isCommitted(marks: ReadonlyMap<string, ContentMark>, known: EarlyFiles['files']): boolean {
  let count = 0;
  for (const [path, mark] of marks) {
    const file = known.get(path);
    if (file?.mark === mark) count++;
    else if (file !== undefined || isSearched(path)) return false;
  }
  return count === known.size;
}

function* markedFiles(
  marks: ReadonlyMap<string, ContentMark>,
  known: EarlyFiles['files'],
): Generator<Wanted> {
  for (const [path, mark] of marks) {
    const file = known.get(path);
    if (file?.mark === mark) yield file;
    else if (isSearched(path)) yield wantedFile(path, mark);
  }
}

function isSearched(path: string): boolean {
  return !isGenerated(path) && !isBinary(path);
}

interface Adding {
  readonly store: SegmentStore;
  readonly wanted: readonly Wanted[];
  readonly signal: AbortSignal;
}

/** Adds the wanted contents to the store; returns how many were read. */
async function addContents(
  repository: Pick<Repository, 'root' | 'read'>,
  work: Adding,
): Promise<number> {
  const { store, wanted, signal } = work;
  if (wanted.length === 0) return 0;
  const before = new Set(store.segments);
  const read = await addFromDisk(repository.root, work);
  const added = keysOf(store.segments.filter((segment) => !before.has(segment)));
  const missed = wanted.filter((file) => !added.has(file.key));
  if (missed.length === 0) return read;
  const writer = segmentWriter();
  for await (const contents of baseContents(repository, { wanted: missed, signal })) {
    for (const [file, content] of contents) if (content !== null) addFile(writer, file, content);
  }
  if (writer.documents > 0) store.add(writer.finish());
  return read + writer.documents;
}

/** On several threads where there are many. */
async function addFromDisk(root: string, { store, wanted, signal }: Adding): Promise<number> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const files = { root, wanted, taken };
  const workers = indexWorkers(files, { store });
  try {
    const own = await indexShare(files, { add: (parts) => store.add(parts), signal });
    return own + (await workers.done());
  } finally {
    await workers.end();
  }
}

function keysOf(segments: readonly StoredSegment[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const segment of segments) {
    for (let at = 0; at < segment.documentCount; at++) keys.add(segment.keyOf(at));
  }
  return keys;
}

function placesIn(
  segments: readonly StoredSegment[],
  contents: ReadonlyMap<string, TreeContent>,
): FileIndex['places'] {
  const placed = new Set<string>();
  return new Map(
    segments.map((segment) => [
      segment,
      Array.from({ length: segment.documentCount }, (_, at) => {
        const key = segment.keyOf(at);
        const paths = placed.has(key) ? undefined : contents.get(key)?.paths;
        placed.add(key);
        return paths;
      }),
    ]),
  );
}
