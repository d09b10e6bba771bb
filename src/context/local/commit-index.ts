import type { GitPlace } from '../../git/git.ts';
import { readCommits, type ReadCommit, type WantedCommits } from './commit-log.ts';
import type { SearchedPart } from './found-terms.ts';
import { keyTable, placesByKey, type PlacesIn } from './key-table.ts';
import { numbersIn } from './little-endian.ts';
import { keyBytes } from './segment-format.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';
import { segmentWriter, type SegmentWriter } from './segment-writer.ts';
import { worthKeeping } from './worth.ts';

/** The past commits in the index. */
export interface CommitIndex {
  /** The newest first. */
  readonly ids: readonly string[];
  /** Where they stand; a commit is known by its place among the ids. */
  readonly parts: readonly SearchedPart[];
  /** Commits that were read now, because the index did not have them. */
  readonly read: number;
  /** There was no time to read them all. */
  readonly isCut: boolean;
}

export const noCommits: CommitIndex = { ids: [], parts: [], read: 0, isCut: false };

interface Indexing {
  readonly store: SegmentStore;
  /** Then no more is read: what was, is what can be searched. */
  readonly enough: AbortSignal;
}

/** Brings the index up to date with these past commits, the newest first. */
export async function indexCommits(
  place: GitPlace,
  { ids, store, enough }: Indexing & { readonly ids: readonly string[] },
): Promise<CommitIndex> {
  const { segments } = store;
  const placesIn = placesOf(ids);
  const { missing: unknown } = located(ids, { segments, placesIn });
  const kept = worthKeeping(segments, {
    wanted: { count: ids.length, placesIn },
    read: 0,
    missing: unknown.length,
    enough,
  });
  const known = located(ids, { segments: kept, placesIn });
  // Those first that nobody knows.
  const missing = [...new Set([...unknown, ...known.missing])];
  const added =
    missing.length === 0 ? nothing : await addCommits(place, { ids: missing, enough }, store);
  const { isCut } = added;
  const read = added.ids.length;
  // What is not worth its place has been read anew, unless there was no time.
  if (!isCut) {
    for (const segment of segments) if (!kept.includes(segment)) store.remove(segment);
  }
  if (missing.length === 0) return { ids, parts: known.parts, read, isCut };
  const now = located(ids, { segments: store.segments, placesIn });
  if (now.missing.length === 0) return { ids, parts: now.parts, read, isCut };
  const unread = new Set(now.missing);
  const found = ids.filter((id) => !unread.has(id));
  const all = { segments: store.segments, placesIn: placesOf(found) };
  return { ids: found, parts: located(found, all).parts, read, isCut };
}

/** The same for an index that has none: all up to this commit, which git need not list before. */
export async function indexAllCommits(
  place: GitPlace,
  { head, store, enough }: Indexing & { readonly head: string },
): Promise<CommitIndex> {
  const { ids, isCut } = await addCommits(place, { head, enough }, store);
  const { segments } = store;
  const { parts } = located(ids, { segments, placesIn: placesOf(ids) });
  return { ids, parts, read: ids.length, isCut };
}

/** The place among the ids of each commit of a segment. */
function placesOf(ids: readonly string[]): PlacesIn {
  const keys = ids.map((id) => id.slice(0, 2 * keyBytes)).join('');
  const table = keyTable(numbersIn(Buffer.from(keys, 'hex')), ids.length);
  for (let place = 0; place < ids.length; place++) table.add(place);
  return placesByKey(table);
}

/** Where commits stand, each at one place, and those that stand nowhere. */
function located(
  ids: readonly string[],
  {
    segments,
    placesIn,
  }: { readonly segments: readonly StoredSegment[]; readonly placesIn: PlacesIn },
): { readonly parts: readonly SearchedPart[]; readonly missing: readonly string[] } {
  const isFound = new Uint8Array(ids.length);
  const parts = segments.map((segment) => {
    const numbers = placesIn(segment).slice();
    for (let document = 0; document < numbers.length; document++) {
      const place = numbers[document] ?? -1;
      if (place === -1) continue;
      if (isFound[place] === 1) numbers[document] = -1;
      isFound[place] = 1;
    }
    return { segment, numbers };
  });
  return { parts, missing: ids.filter((_, place) => isFound[place] === 0) };
}

/** The ids of commits that were added, and whether more were wanted than there was time for. */
type Added = Pick<CommitIndex, 'ids' | 'isCut'>;

const nothing: Added = { ids: [], isCut: false };

/** Adds none where git fails. */
async function addCommits(
  place: GitPlace,
  wanted: WantedCommits & Pick<Indexing, 'enough'>,
  store: SegmentStore,
): Promise<Added> {
  const begun: { writer?: SegmentWriter } = {};
  const ids: string[] = [];
  const end = await readCommits(place, wanted, (commits) => {
    begun.writer ??= segmentWriter();
    addMessages(begun.writer, commits);
    for (const { id } of commits) ids.push(id);
  });
  const isCut = end === 'cut';
  if (end === 'failed' || begun.writer === undefined) return { ids: [], isCut };
  store.add(begun.writer.finish());
  return { ids, isCut };
}

/** The payload is what the kernel reads of each commit. */
function addMessages(writer: SegmentWriter, commits: readonly ReadCommit[]): void {
  const texts = commits.map(({ subject, body }) => `${subject}\n${withoutTrailers(body)}`);
  let end = 0;
  const ends = texts.map((text) => (end += Buffer.byteLength(text)));
  writer.takeBlocks(Buffer.from(texts.join('')), ends);
  writer.addDocuments(
    commits.map(({ id, subject, files }) => ({
      key: Buffer.from(id.slice(0, 2 * keyBytes), 'hex').toString('latin1'),
      lines: 0,
      kind: files.length,
      payload: [subject, ...files].join('\0'),
    })),
  );
}

/** Who signed it and what a bot wrote below is not about the code. */
function withoutTrailers(body: string): string {
  return body
    .slice(0, 4000)
    .replace(/^(?:[A-Z][\w-]+-by|Co-authored-by|Change-Id|PiperOrigin-RevId):.*$/gim, ' ')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
}

/** The first line of the message of a commit. */
export function subjectOf({ parts }: CommitIndex, commit: number): string {
  for (const { segment, numbers } of parts) {
    const document = numbers.indexOf(commit);
    if (document !== -1) return segment.payload(document).split('\0', 1)[0] ?? '';
  }
  return '';
}
