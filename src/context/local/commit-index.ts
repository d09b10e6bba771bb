import { git, type GitPlace } from '../git.ts';
import { plainPath } from '../paths.ts';
import { keyBytes } from './segment-format.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';
import { segmentWriter, type SegmentWriter } from './segment-writer.ts';
import { worthKeeping, type IsFirst } from './worth.ts';

/** The past commits in the index, the newest first. */
export interface CommitIndex {
  readonly commits: readonly IndexedCommit[];
  /** Commits that were read now, because the index did not have them. */
  readonly read: number;
}

/** Where a commit stands in the index. */
export interface IndexedCommit {
  readonly id: string;
  readonly segment: StoredSegment;
  readonly document: number;
}

/** A commit that touches more files moves or reformats. */
const mostFiles = 40;

/** Brings the index up to date with these past commits, the newest first. */
export async function indexCommits(
  place: GitPlace,
  { ids, store }: { readonly ids: readonly string[]; readonly store: SegmentStore },
): Promise<CommitIndex> {
  const keys = ids.map(keyOf);
  const left = new Set(keys);
  const { segments } = store;
  const isFirst: IsFirst = (segment, at) => left.delete(segment.keyOf(at));
  const kept = worthKeeping(segments, { isFirst, read: 0 });
  const known = placesIn(kept);
  const missing = ids.filter((_, at) => !known.has(keys[at] ?? ''));
  const read = missing.length === 0 ? 0 : await addCommits(place, { store, missing });
  for (const segment of segments) if (!kept.includes(segment)) store.remove(segment);
  const places = missing.length === 0 ? known : placesIn(store.segments);
  const commits = ids.flatMap((id, at) => {
    const found = places.get(keys[at] ?? '');
    return found === undefined ? [] : [{ id, ...found }];
  });
  return { commits, read };
}

function keyOf(id: string): string {
  return Buffer.from(id, 'hex').toString('latin1').slice(0, keyBytes);
}

function placesIn(
  segments: readonly StoredSegment[],
): ReadonlyMap<string, { readonly segment: StoredSegment; readonly document: number }> {
  const places = new Map<string, { segment: StoredSegment; document: number }>();
  for (const segment of segments) {
    for (let document = 0; document < segment.documentCount; document++) {
      places.set(segment.keyOf(document), { segment, document });
    }
  }
  return places;
}

/** A first commit, as that of a shallow clone is, has every file there was: it says nothing of each. */
const withoutFirst = ['-c', 'log.showRoot=false'];
const shape = ['--no-walk=unsorted', '--stdin', '--name-only', '--relative', '--no-renames', '-z'];

async function addCommits(
  place: GitPlace,
  { store, missing }: { readonly store: SegmentStore; readonly missing: readonly string[] },
): Promise<number> {
  const format = `--format=${['%x01', '%H', '%s', '%b', ''].join('%x00')}`;
  const input = missing.map((id) => `${id}\n`).join('');
  const args = [...withoutFirst, 'log', ...shape, '--encoding=UTF-8', format];
  const answer = await git({ ...place, input }, args);
  if (!answer.ok) return 0;
  const commits = [...commitsIn(answer.stdout.toString('utf8'))];
  if (commits.length === 0) return 0;
  const writer = segmentWriter();
  addMessages(writer, commits);
  store.add(writer.finish());
  return commits.length;
}

interface ReadCommit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  /** Files that it touched; none where it touched so many that it says nothing of each. */
  readonly files: readonly string[];
}

/** A message cannot hold a NUL, so the order of the fields is sure; paths follow up to the next. */
function* commitsIn(log: string): Generator<ReadCommit> {
  const plainPaths = new Map<string, string | null>();
  const plain = (path: string): string | null => {
    const known = plainPaths.get(path);
    if (known !== undefined) return known;
    const found = plainPath(path);
    plainPaths.set(path, found);
    return found;
  };
  for (const record of log.split('\x01\0').slice(1)) {
    // After an empty field the names follow; what comes after one too many is not looked at.
    const [id = '', subject = '', body = '', ...rest] = record.split('\0', 3 + mostFiles + 2);
    const files = rest
      .map((path) => plain(path.startsWith('\n') ? path.slice(1) : path))
      .filter((path) => path !== null);
    yield { id, subject, body, files: files.length > mostFiles ? [] : files };
  }
}

/** The payload is what the kernel reads of each commit. */
function addMessages(writer: SegmentWriter, commits: readonly ReadCommit[]): void {
  const texts = commits.map(({ subject, body }) => `${subject}\n${withoutTrailers(body)}`);
  let end = 0;
  const ends = texts.map((text) => (end += Buffer.byteLength(text)));
  writer.takeBlocks(Buffer.from(texts.join('')), ends);
  writer.addDocuments(
    commits.map(({ id, subject, files }) => ({
      key: Buffer.from(keyOf(id), 'latin1'),
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

/** The first line of its message. */
export function subjectOf({ segment, document }: IndexedCommit): string {
  return segment.payload(document).split('\0', 1)[0] ?? '';
}
