// Copies files and folders as they are, sharing their blocks on the disk where the file system can.
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eachLimited } from './each-limited.ts';
import { hasCode, isSystemError } from './system-error.ts';

/** The source and target folders, both absolute. */
interface CopyPlace {
  readonly from: string;
  readonly to: string;
}

/** Paths in bytes, because not every name is text. */
interface Copied {
  readonly from: Buffer;
  readonly to: Buffer;
}

/**
 * Copies some paths from one folder into another, with their modes and times, and links as links.
 * Sockets and pipes are not copied, because nothing would answer at the copy. Nothing is written
 * through a link in the target folder. Returns why it failed, or null.
 */
export async function copyPaths(
  { from, to }: CopyPlace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const path of paths) {
    const parts = path.split('/').filter((part) => part !== '');
    try {
      for (const at of parts.keys()) makeFolder(Buffer.from(join(to, ...parts.slice(0, at))));
      const copied = {
        from: Buffer.from(join(from, ...parts)),
        to: Buffer.from(join(to, ...parts)),
      };
      await copyEntry(copied, signal);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return `${parts.join('/')} cannot be copied: ${error.message}`;
    }
  }
  return null;
}

/** Copies synchronously; only large files are awaited, because an await costs more than a small copy. */
async function copyEntry(copied: Copied, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stats = lstatSync(copied.from);
  if (stats.isDirectory()) {
    makeFolder(copied.to);
    await copyContent(copied, signal);
  } else if (stats.isSymbolicLink()) {
    const target = readlinkSync(copied.from, { encoding: 'buffer' });
    await makeOrReplace(copied.to, () => symlinkSync(target, copied.to));
    return;
  } else if (stats.isFile()) {
    await makeOrReplace(copied.to, () => copyFile(copied.from, copied.to, asNew));
  } else return;
  chmodSync(copied.to, stats.mode & 0o7777);
  utimesSync(copied.to, stats.atime, stats.mtime);
}

/** Copies one folder after the other to keep few in memory, and a few entries of each at a time. */
async function copyContent({ from, to }: Copied, signal: AbortSignal): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true, encoding: 'buffer' });
  const [folders, others] = [true, false].map((isFolder) =>
    entries.filter((entry) => entry.isDirectory() === isFolder),
  );
  const copy = async ({ name }: { readonly name: Buffer }) => {
    await copyEntry({ from: below(from, name), to: below(to, name) }, signal);
  };
  await eachLimited(others ?? [], copy);
  for (const folder of folders ?? []) await copy(folder);
}

const asNew = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** Removes a file or link that is already there first: a link would lead the copy elsewhere. */
async function makeOrReplace(path: Buffer, make: () => Promise<void> | void): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error;
    unlinkSync(path);
    await make();
  }
}

/** Rejects if something other than a folder is there, even a link to a folder. */
function makeFolder(path: Buffer): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!hasCode(error, ['EEXIST']) || !lstatSync(path).isDirectory()) throw error;
  }
}

const slash = Buffer.from('/');

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, slash, name]);
}
