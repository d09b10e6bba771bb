import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { absentCodes, hasCode } from '../../store/system-error.ts';
import { isMarked, type ContentMark, type MarkedFile } from '../../git/content-mark.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';
import { folderOf, standsIn } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import { documentKey } from './document-key.ts';
import { largestFile } from './file-text.ts';
import { storedContents, type Content, type StoredContents } from './stored-contents.ts';

/** A file whose content is wanted. */
export interface Wanted extends MarkedFile {
  readonly traits: FileTraits;
  /** Of the content in the index, see `documentKey`. */
  readonly key: string;
}

export function wantedFile({ path, mark }: MarkedFile): Wanted {
  const traits = traitsOf(path);
  return { path, mark, traits, key: documentKey({ mark, traits }) };
}

const atOnce = 64;

/**
 * Contents that the disk does not have as they are marked, some at a time: from git’s own store, or
 * the copies that the session keeps of uncommitted files.
 */
export async function* baseContents(
  repository: Pick<Repository, 'root' | 'read'>,
  { wanted, signal }: { readonly wanted: readonly Wanted[]; readonly signal: AbortSignal },
): AsyncGenerator<ReadonlyMap<Wanted, Content>, undefined> {
  const stored = storedContents({ root: repository.root, signal }, () =>
    wanted.filter(isBlob).map(idOf),
  );
  for (let at = 0; at < wanted.length; at += atOnce) {
    yield await fromBase(repository, { missed: wanted.slice(at, at + atOnce), stored });
  }
}

/** A marked content as the disk has it. */
interface DiskContent {
  /** As it is marked. Gone with the next one. */
  readonly content: Exclude<Content, null>;
  /** False where the lines of the file end in CRLF, and for git in LF. */
  readonly same: boolean;
}

/** Up to here it is quicker to read a file than to have git say how large its content is. In bytes. */
const largestProof = 4 * 1024 * 1024;

/**
 * Reads the marked contents of plain files inside the root; null where the disk does not have them.
 * Those of more than `largest` bytes are `huge`, or null where that would take longer to tell than
 * git does. Synchronous on purpose: for many small files this is several times faster.
 */
export function diskReader(
  root: string,
  largest = largestFile,
): (file: MarkedFile) => DiskContent | null {
  const isInside = insideLook(root);
  const room = Buffer.allocUnsafeSlow(roomBefore + largest + 1);
  /** That of the file before, where it is inside. With its slash. */
  let last = '';
  return ({ path, mark }) => {
    if (last === '' || !standsIn(path, last)) {
      const folder = folderOf(path);
      if (!isInside(folder)) return null;
      last = `${folder}/`;
    }
    const absolute = `${root}/${path}`;
    const size = readPlain(absolute, { room, isProved: !mark.startsWith('stat ') });
    if (size === null) return null;
    if (size > largest) {
      const isHuge = mark.startsWith('stat ') || isLargeCommitted(absolute, { mark, room });
      return isHuge ? { content: 'huge', same: true } : null;
    }
    const content = room.subarray(roomBefore, roomBefore + size);
    if (!mark.startsWith('blob ')) {
      return isMarked(mark, { absolute, content }) ? { content, same: true } : null;
    }
    const id = mark.slice(5);
    if (isCommitted(id, { room, size })) return { content, same: true };
    const shorter = withoutReturns(content);
    if (shorter === size || !isCommitted(id, { room, size: shorter })) return null;
    return { content: content.subarray(0, shorter), same: false };
  };
}

/** Makes each CRLF an LF where it stands, as git does for its own store; returns the new length. */
function withoutReturns(content: Buffer): number {
  let end = 0;
  let from = 0;
  for (let at = content.indexOf('\r\n'); at !== -1; at = content.indexOf('\r\n', from)) {
    content.copyWithin(end, from, at);
    end += at - from;
    from = at + 1;
  }
  content.copyWithin(end, from);
  return end + content.length - from;
}

/** Whether a folder of the root is one all the way, and no link. */
export function insideLook(root: string): (folder: string) => boolean {
  const known = new Map([['', true]]);
  const isInside = (folder: string): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const inside = isInside(folderOf(folder)) && isFolder(join(root, folder));
    known.set(folder, inside);
    return inside;
  };
  return isInside;
}

function isFolder(absolute: string): boolean {
  try {
    return lstatSync(absolute).isDirectory();
  } catch (error) {
    if (hasCode(error, absentCodes)) return false;
    throw error;
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What git hashes stands before a content. */
const roomBefore = 32;

/**
 * Reads a file into its place in the room; returns its size, or what is too much. Where a hash
 * proves that it is whole, nobody asks whether more comes after less than there was room for.
 */
function readPlain(
  absolute: string,
  { room, isProved }: { readonly room: Buffer; readonly isProved: boolean },
): number | null {
  const file = opened(absolute);
  if (file === null) return null;
  try {
    let end = roomBefore;
    while (end < room.length) {
      const count = readSync(file, room, end, room.length - end, end - roomBefore);
      end += count;
      if (count === 0 || isProved) break;
    }
    return end - roomBefore;
  } catch (error) {
    if (hasCode(error, noFileCodes)) return null;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Null where there is none any more. */
function opened(absolute: string): number | null {
  try {
    return openSync(absolute, flags);
  } catch (error) {
    if (hasCode(error, absentCodes)) return null;
    throw error;
  }
}

/** A folder; a pipe or a device, which has no place to read from. */
const noFileCodes = ['EISDIR', 'ESPIPE'] as const;

/** As `isContentOf`, without a copy: there is room for what git hashes before a content. */
function isCommitted(
  id: string,
  { room, size }: { readonly room: Buffer; readonly size: number },
): boolean {
  const header = `blob ${size}\0`;
  const start = roomBefore - header.length;
  room.write(header, start, 'latin1');
  return hash(id.length === 64 ? 'sha256' : 'sha1', room.subarray(start, roomBefore + size)) === id;
}

/** Whether a file is as marked by git, piece by piece. */
function isLargeCommitted(
  absolute: string,
  { mark, room }: { readonly mark: ContentMark; readonly room: Buffer },
): boolean {
  if (!mark.startsWith('blob ')) return false;
  const id = mark.slice(5);
  const file = opened(absolute);
  if (file === null) return false;
  try {
    const { size } = fstatSync(file);
    if (size > largestProof) return false;
    const proof = createHash(id.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
    for (let count = -1; count !== 0;) {
      count = readSync(file, room);
      proof.update(room.subarray(0, count));
    }
    return proof.digest('hex') === id;
  } finally {
    closeSync(file);
  }
}

async function fromBase(
  repository: Pick<Repository, 'root' | 'read'>,
  { missed, stored }: { readonly missed: readonly Wanted[]; readonly stored: StoredContents },
): Promise<ReadonlyMap<Wanted, Content>> {
  const found = new Map<Wanted, Content>();
  const ids = missed.filter(isBlob).map(idOf);
  const blobs = ids.length === 0 ? null : await stored(ids);
  for (const file of missed) {
    const blob = isBlob(file) ? blobs?.get(idOf(file)) : undefined;
    // A submodule keeps its blobs in a store of its own.
    const text = blob === undefined ? await repository.read(file.path) : null;
    found.set(file, blob ?? (text === null ? null : Buffer.from(text)));
  }
  return found;
}

function isBlob({ mark }: Wanted): boolean {
  return mark.startsWith('blob ');
}

function idOf({ mark }: Wanted): string {
  return mark.slice(mark.indexOf(' ') + 1);
}
