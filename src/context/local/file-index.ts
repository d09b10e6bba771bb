import { hash } from 'node:crypto';
import { isGenerated } from '../file-kinds.ts';
import { endingOf } from '../paths.ts';
import type { Repository } from '../repository.ts';
import { contentsOf, type Content, type Wanted } from './contents.ts';
import { fileTextOf, skipKinds, skipped } from './file-text.ts';
import { keyBytes } from './segment-format.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';
import { segmentWriter, type SegmentWriter } from './segment-writer.ts';

/** Where the content of each file of the tree stands in the index. */
export interface FileIndex {
  /** Every path of the tree. */
  readonly paths: readonly string[];
  /** By segment: the paths that have the content of a document, if any. */
  readonly places: ReadonlyMap<StoredSegment, readonly (readonly string[] | undefined)[]>;
  /** Contents that were read now, because the index did not have them. */
  readonly read: number;
}

/** Postings that are collected in memory before they are written. */
const mostPostings = 1_000_000;
/** A segment with fewer of its documents in the tree is not worth its place. */
const leastAlive = 1 / 3;
const smallSegment = 1024 * 1024;
const mostSmall = 6;

/** Brings the index up to date with the tree: only contents that it does not have are read. */
export async function indexFiles(
  repository: Pick<Repository, 'root' | 'read' | 'marks'>,
  { store, signal }: { readonly store: SegmentStore; readonly signal: AbortSignal },
): Promise<FileIndex> {
  const marks = await repository.marks();
  const keys = new Map<string, { readonly files: Wanted[] }>();
  for (const [path, mark] of marks) {
    if (isGenerated(path)) continue;
    const key = keyOf({ path, mark });
    const known = keys.get(key);
    if (known === undefined) keys.set(key, { files: [{ path, mark }] });
    else known.files.push({ path, mark });
  }
  const { kept, retired } = sorted(store.segments, keys);
  const known = new Set<string>();
  for (const segment of kept) {
    for (let at = 0; at < segment.documentCount; at++) known.add(segment.keyOf(at));
  }
  const wanted = [...keys].flatMap(([key, { files }]) => (known.has(key) ? [] : files.slice(0, 1)));
  const read = await addContents(repository, { store, wanted, signal });
  for (const segment of retired) store.remove(segment);
  return { paths: [...marks.keys()], places: placesIn(store.segments, keys), read };
}

/** The same content is indexed anew for another language. */
function keyOf({ path, mark }: Wanted): string {
  return hash('sha256', `${endingOf(path)} ${mark}`, 'binary').slice(0, keyBytes);
}

/** Segments with little of this tree, and small ones where there are many, are written anew. */
function sorted(
  segments: readonly StoredSegment[],
  keys: ReadonlyMap<string, unknown>,
): { readonly kept: readonly StoredSegment[]; readonly retired: readonly StoredSegment[] } {
  const seen = new Set<string>();
  const alive = segments.filter((segment) => isAlive(segment, { keys, seen }));
  const small = alive.filter(({ bytes }) => bytes < smallSegment);
  const kept = small.length > mostSmall ? alive.filter((one) => !small.includes(one)) : alive;
  return { kept, retired: segments.filter((segment) => !kept.includes(segment)) };
}

/** What stands in a segment before, e.g. because two searches indexed it at once, does not count. */
function isAlive(
  segment: StoredSegment,
  { keys, seen }: { readonly keys: ReadonlyMap<string, unknown>; readonly seen: Set<string> },
): boolean {
  let alive = 0;
  for (let at = 0; at < segment.documentCount; at++) {
    const key = segment.keyOf(at);
    if (!keys.has(key) || seen.has(key)) continue;
    seen.add(key);
    alive++;
  }
  return alive >= segment.documentCount * leastAlive;
}

async function addContents(
  repository: Pick<Repository, 'root' | 'read'>,
  work: {
    readonly store: SegmentStore;
    readonly wanted: readonly Wanted[];
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { store, wanted, signal } = work;
  let writer = segmentWriter();
  let read = 0;
  for await (const batch of contentsOf(repository, { wanted, signal })) {
    for (const [file, content] of batch) {
      if (content === null) continue;
      addFile(writer, { file, content });
      read++;
    }
    if (writer.size < mostPostings) continue;
    store.add(writer.finish());
    writer = segmentWriter();
  }
  if (writer.documents > 0) store.add(writer.finish());
  return read;
}

function addFile(
  writer: SegmentWriter,
  { file, content }: { readonly file: Wanted; readonly content: Exclude<Content, null> },
): void {
  const text = content === 'huge' ? skipped('huge') : fileTextOf(file.path, content);
  for (const { block, defined } of text.blocks) writer.addBlock(block, defined);
  writer.endDocument(Buffer.from(keyOf(file), 'latin1'), {
    lines: text.lines,
    kind: skipKinds.indexOf(text.kind),
    payload: text.definitions.map(({ name, line }) => `${line} ${name}`).join('\n'),
  });
}

function placesIn(
  segments: readonly StoredSegment[],
  keys: ReadonlyMap<string, { readonly files: readonly Wanted[] }>,
): FileIndex['places'] {
  const placed = new Set<string>();
  return new Map(
    segments.map((segment) => [
      segment,
      Array.from({ length: segment.documentCount }, (_, at) => {
        const key = segment.keyOf(at);
        const files = placed.has(key) ? undefined : keys.get(key)?.files;
        placed.add(key);
        return files?.map(({ path }) => path);
      }),
    ]),
  );
}
