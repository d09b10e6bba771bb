import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { absentCodes, hasCode } from '../absent.ts';
import { isMarked, type ContentMark } from '../content-mark.ts';
import { git } from '../git.ts';
import { folderOf } from '../paths.ts';
import type { Repository } from '../repository.ts';
import { largestFile } from './file-text.ts';

/** A file whose content is wanted. */
export interface Wanted {
  readonly path: string;
  readonly mark: ContentMark;
}

/** `huge` where it is too large to be searched, null where it cannot be had as it is marked. */
export type Content = Buffer | 'huge' | null;

const atOnce = 64;

/**
 * The marked contents in the order of `wanted`, some at a time. The disk is believed only where
 * it still has the marked content; else git is asked. Links are not followed. Ends with the
 * signal’s reason when that is aborted.
 */
export async function* contentsOf(
  repository: Pick<Repository, 'root' | 'read'>,
  { wanted, signal }: { readonly wanted: readonly Wanted[]; readonly signal: AbortSignal },
): AsyncGenerator<readonly (readonly [Wanted, Content])[], undefined> {
  const disk = diskReader(repository.root);
  for (let at = 0; at < wanted.length; at += atOnce) {
    const batch = wanted.slice(at, at + atOnce);
    const found = new Map(batch.map((file) => [file, disk(file)]));
    const missed = batch.filter((file) => found.get(file) === undefined);
    const rest = missed.length === 0 ? null : await fromBase(repository, { missed, signal });
    yield batch.map((file) => [file, found.get(file) ?? rest?.get(file) ?? null] as const);
    // So that timers and Ctrl-C are heard.
    await turn();
    signal.throwIfAborted();
  }
}

/**
 * Undefined where the disk does not have the marked content. Synchronous on purpose: for many
 * small files this is several times faster.
 */
function diskReader(root: string): (file: Wanted) => Content | undefined {
  const folders = new Map<string, boolean>();
  return ({ path, mark }) => {
    const folder = folderOf(path);
    const inside = folders.get(folder) ?? leadsInside(root, folder);
    folders.set(folder, inside);
    if (!inside) return undefined;
    const absolute = join(root, path);
    const content = readPlain(absolute);
    if (content === 'huge') return mark.startsWith('stat ') ? 'huge' : undefined;
    return content !== null && isMarked(mark, { absolute, content }) ? content : undefined;
  };
}

function leadsInside(root: string, folder: string): boolean {
  try {
    const real = realpathSync.native(join(root, folder));
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  } catch (error) {
    if (hasCode(error, absentCodes)) return false;
    throw error;
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readPlain(absolute: string): Content {
  let file: number;
  try {
    file = openSync(absolute, flags);
  } catch (error) {
    if (hasCode(error, absentCodes)) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return null;
    return stats.size > largestFile ? 'huge' : readAll(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/** Null where the file is being cut or grows meanwhile. */
function readAll(file: number, size: number): Buffer | null {
  const content = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const count = readSync(file, content, done, size - done, done);
    if (count === 0) return null;
    done += count;
  }
  return content;
}

/** From git’s own store, or the copies that the session keeps of uncommitted files. */
async function fromBase(
  repository: Pick<Repository, 'root' | 'read'>,
  { missed, signal }: { readonly missed: readonly Wanted[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<Wanted, Content>> {
  const found = new Map<Wanted, Content>();
  const isBlob = ({ mark }: Wanted): boolean => mark.startsWith('blob ');
  const ids = missed.filter(isBlob).map(idOf);
  const blobs =
    ids.length === 0 ? null : await committedContents({ root: repository.root, signal }, ids);
  for (const file of missed) {
    const blob = isBlob(file) ? blobs?.get(idOf(file)) : undefined;
    // A submodule keeps its blobs in a store of its own.
    const text = blob === undefined ? await repository.read(file.path) : null;
    found.set(file, blob ?? (text === null ? null : Buffer.from(text)));
  }
  return found;
}

function idOf({ mark }: Wanted): string {
  return mark.slice(mark.indexOf(' ') + 1);
}

/** Contents by id; those that git does not have are left out. */
async function committedContents(
  place: { readonly root: string; readonly signal: AbortSignal },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const sizes = await git({ ...place, input: lines(ids) }, ['cat-file', '--batch-check']);
  const contents = new Map<string, Content>();
  if (!sizes.ok) return contents;
  const small: string[] = [];
  for (const line of sizes.stdout.toString('latin1').split('\n')) {
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
