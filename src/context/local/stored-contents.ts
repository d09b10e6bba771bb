import { git, gitInParts } from '../../git/git.ts';
import { largestFile } from './file-text.ts';

/** `huge` where it is too large to be searched, null where it cannot be had as it is marked. */
export type Content = Buffer | 'huge' | null;

/** The repository whose store it is. */
interface StorePlace {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Contents by id; null for those that git has left at a remote, others that it lacks are left out. */
export type StoredContents = (ids: readonly string[]) => Promise<ReadonlyMap<string, Content>>;

/** The contents that git has in its own store, some of `all` at a time. */
export function storedContents(place: StorePlace, all: () => readonly string[]): StoredContents {
  let left: ReadonlySet<string> = new Set();
  return async (ids) => {
    let sizes = await sizesOf(place, without(left, ids));
    if (!sizes.ok && isLeftAtRemote(sizes.reason)) {
      left = await leftAtRemote(place, all());
      sizes = await sizesOf(place, without(left, ids));
    }
    const contents = sizes.ok ? await contentsOf(place, sizes.stdout) : new Map<string, Content>();
    for (const id of ids) if (left.has(id)) contents.set(id, null);
    return contents;
  };
}

function without(left: ReadonlySet<string>, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !left.has(id));
}

function sizesOf(place: StorePlace, ids: readonly string[]): ReturnType<typeof git> {
  return git({ ...place, input: lines(ids) }, ['cat-file', '--batch-check']);
}

/** In a partial clone git ends at the first content that it lacks, and is slow to find out. */
function isLeftAtRemote(reason: string): boolean {
  return reason.endsWith(' from promisor remote');
}

/** Those that the store has not, by a list of everything that it has: that is quickly made. */
async function leftAtRemote(
  place: StorePlace,
  all: readonly string[],
): Promise<ReadonlySet<string>> {
  const left = new Set(all);
  let rest = '';
  const end = await gitInParts(place, ['cat-file', '--batch-all-objects', ...onlyIds], (part) => {
    const ids = `${rest}${part.toString('latin1')}`.split('\n');
    rest = ids.pop() ?? '';
    for (const id of ids) left.delete(id);
    return true;
  });
  return end.ok ? left : new Set();
}

const onlyIds = ['--unordered', '--batch-check=%(objectname)'];

async function contentsOf(place: StorePlace, sizes: Buffer): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>();
  const small: string[] = [];
  for (const line of sizes.toString('latin1').split('\n')) {
    const [id = '', kind, size] = line.split(' ');
    if (kind !== 'blob') continue;
    if (Number(size) > largestFile) contents.set(id, 'huge');
    else small.push(id);
  }
  if (small.length === 0) return contents;
  const answer = await git({ ...place, input: lines(small) }, ['cat-file', '--batch']);
  if (answer.ok) for (const [id, content] of batchIn(answer.stdout)) contents.set(id, content);
  return contents;
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

/** Reads `id blob size`, a line feed, so many bytes and a line feed, again and again. */
function* batchIn(bytes: Buffer): Generator<readonly [string, Buffer]> {
  let at = 0;
  for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
    const [id = '', kind, size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    yield [id, bytes.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}
