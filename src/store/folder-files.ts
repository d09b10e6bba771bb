// Reads, writes, lists and removes files in a folder and below, and refuses links.
import { type Dirent, constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isTemporary, putFile } from './atomic.ts';
import {
  inFolder,
  isLink,
  refuseLarge,
  type FolderPath,
  type PinnedFolder,
} from './pinned-folder.ts';
import { describeValue } from '../model/describe-value.ts';
import { isAbsent, guardRead, guardWrite } from './system-error.ts';

interface NewFile {
  readonly relative: string;
  readonly data: string | Uint8Array;
}

/**
 * Access to the files in a folder and below. Paths are relative to it, with forward slashes, and
 * stay inside.
 */
export interface FolderFiles {
  absolute(relative: string): string;
  /** Writes a file atomically and makes the folders above it. Throws `cannot-write`. */
  write(relative: string, content: string | Uint8Array): Promise<void>;
  /** Adds to the end of a file, which is made with the folders above it. Throws `cannot-write`. */
  append(relative: string, text: string): Promise<void>;
  /** Writes several files and flushes each folder once. */
  writeAll(files: readonly NewFile[]): Promise<void>;
  /** Writes a value as JSON, indented by two spaces and ending with a newline. */
  writeJson(relative: string, value: unknown): Promise<void>;
  /** Reads a file; null if it does not exist. */
  read(relative: string): Promise<string | null>;
  readBytes(relative: string): Promise<Buffer | null>;
  /** Lists the sorted names in a folder; empty if it does not exist. */
  list(relative: string): Promise<readonly string[]>;
  /** Lists the paths of all files in a folder and below, none of which may be a link. */
  listFiles(relative: string): Promise<readonly string[]>;
  /** Removes a file, or a folder with everything in it; does nothing if it does not exist. */
  remove(relative: string): Promise<void>;
}

/** A folder, given by its root and the folder names below it. */
export type FolderRoot = Omit<FolderPath, 'made'>;

/**
 * Opens the files of a folder. A path that could leave it throws `usage`, and a link on the way
 * `link-refused`.
 */
export function filesIn(place: FolderRoot, session: string): FolderFiles {
  const absolute = (relative: string): string =>
    join(place.root, ...place.existing, ...pathParts(relative));
  const reads = <T>(relative: string, action: () => Promise<T>): Promise<T> =>
    guardRead({ session, path: absolute(relative) }, action);
  const append = async (relative: string, text: string): Promise<void> =>
    guardWrite(absolute(relative), async () => {
      const { folders, name } = splitPath(relative);
      await inFolder({ ...place, made: folders }, async (folder) => {
        const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
        const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
        await using file = await open(folder.at(name), flags, 0o600);
        await file.appendFile(text);
      });
    });
  // The files of a folder are written one after the other: it must stay open until the last one is done.
  const writeFolder = ([first, ...others]: readonly NewFile[]): Promise<void> => {
    if (first === undefined) return Promise.resolve();
    const { folders } = splitPath(first.relative);
    return guardWrite(absolute(first.relative), () =>
      inFolder({ ...place, made: folders }, async (folder) => {
        for (const { relative, data } of [first, ...others]) {
          const { name } = splitPath(relative);
          await guardWrite(absolute(relative), () => putFile(folder, { name, data }));
        }
        await folder.flush();
      }),
    );
  };
  const write = async (relative: string, data: string | Uint8Array): Promise<void> =>
    writeFolder([{ relative, data }]);
  const writeAll = async (files: readonly NewFile[]): Promise<void> => {
    const byFolder = Map.groupBy(files, ({ relative }) => splitPath(relative).folders.join('/'));
    await Promise.all([...byFolder.values()].map(writeFolder));
  };
  const readBytes = async (relative: string): Promise<Buffer | null> =>
    reads(relative, async () => {
      const { folders, name } = splitPath(relative);
      return await ifThere(null, () =>
        inFolder(below(place, folders), (folder) =>
          bytesOf(folder, name, { session, path: absolute(relative) }),
        ),
      );
    });
  return {
    absolute,
    write,
    append,
    writeAll,
    writeJson: async (relative, value) => write(relative, jsonText(value)),
    read: async (relative) => (await readBytes(relative))?.toString('utf8') ?? null,
    readBytes,
    list: async (relative) => {
      const entries = await reads(relative, () => entriesOf(place, pathParts(relative)));
      return entries.flatMap(({ name }) => (isTemporary(name) ? [] : name)).toSorted();
    },
    listFiles: async (relative) => reads(relative, () => filesBelow(place, pathParts(relative))),
    remove: async (relative) =>
      guardWrite(absolute(relative), async () => {
        const { folders, name } = splitPath(relative);
        await ifThere(undefined, () =>
          inFolder(below(place, folders), (folder) => removeEntry(folder, name)),
        );
      }),
  };
}

function below({ root, existing }: FolderRoot, folders: readonly string[]): FolderPath {
  return { root, existing: [...existing, ...folders] };
}

function entriesOf(place: FolderRoot, folders: readonly string[]): Promise<readonly Dirent[]> {
  return ifThere([], () =>
    inFolder(below(place, folders), (folder) => readdir(folder.at('.'), { withFileTypes: true })),
  );
}

async function filesBelow(
  place: FolderRoot,
  folders: readonly string[],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of await entriesOf(place, folders)) {
    const path = [...folders, entry.name];
    if (entry.isSymbolicLink()) throw linkRefused(join(place.root, ...place.existing, ...path));
    if (entry.isDirectory()) paths.push(...(await filesBelow(place, path)));
    else if (entry.isFile() && !isTemporary(entry.name)) paths.push(path.join('/'));
  }
  return paths;
}

/** Removes a file, or a folder with everything in it; links inside are removed, not followed. */
export async function removeEntry(folder: PinnedFolder, name: string): Promise<void> {
  if (await isLink(folder.at(name))) throw linkRefused(join(folder.path, name));
  await rm(folder.at(name), { recursive: true, force: true });
  await folder.flush();
}

async function bytesOf(
  folder: PinnedFolder,
  name: string,
  named: Parameters<typeof refuseLarge>[1],
): Promise<Buffer> {
  // Without O_NONBLOCK a pipe that was put there would hold us for ever.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    refuseLarge(await file.stat(), named);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function pathParts(relative: string): readonly string[] {
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  const leaves = relative.startsWith('/') || parts.includes('..');
  if (leaves || relative.includes('\0') || relative.includes('\\'))
    throw new Stopped({
      reason: 'usage',
      message: `The path ${describeValue(relative)} is refused: it must stay inside the session folder.`,
    });
  return parts;
}

function splitPath(relative: string): { folders: readonly string[]; name: string } {
  const parts = pathParts(relative);
  const name = parts.at(-1);
  if (name === undefined)
    throw new Stopped({ reason: 'usage', message: 'A path inside the session folder is empty.' });
  return { folders: parts.slice(0, -1), name };
}

export function jsonText(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, null, 2);
  if (json === undefined) throw new TypeError('there is no JSON for this value');
  return `${json}\n`;
}

function linkRefused(path: string): Stopped {
  return new Stopped({ reason: 'link-refused', path });
}

async function ifThere<T>(otherwise: T, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isAbsent(error)) return otherwise;
    throw error;
  }
}
