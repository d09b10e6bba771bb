import { lstatSync, type Dirent } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { SessionId } from '../model/ids.ts';
import { replaceFile } from './atomic.ts';
import { listIn, pathParts, readIn, removeIn, writeIn, type SessionPlace } from './folder-files.ts';
import { inFolder, type PinnedFolder } from './pinned-folder.ts';
import { checkSessionId, newSessionId, sessionsFolder, slugOf } from './session-names.ts';
import { beginning, isAbsent, isSystemError, reading, writing } from './system-error.ts';

/**
 * The folder of one session. Paths are relative to it, with forward slashes, and stay inside
 * (`usage`); a link on the way is refused (`link-refused`). Folders are 0700, files 0600.
 */
export interface SessionFolder {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  /** Relative to the repository root: `.workflow/.multi-cli-plan/ID`. */
  readonly relative: string;
  absolute(relative: string): string;
  /** Atomic; makes the folders above. Throws `cannot-write`. */
  write(relative: string, text: string): Promise<void>;
  /** As JSON with an indent of two and a line end. */
  writeJson(relative: string, value: unknown): Promise<void>;
  /** Null where there is no such file. */
  read(relative: string): Promise<string | null>;
  /** Sorted names; empty where there is no such folder. */
  list(relative: string): Promise<readonly string[]>;
  /** A file, or a folder with all that is in it; nothing happens where there is none. */
  remove(relative: string): Promise<void>;
}

/**
 * Makes the folder of a new session. Its creation is the claim: no two calls get the same. Throws
 * `cannot-begin` where it cannot be made.
 */
export async function claimSession({
  root,
  task,
  now,
}: {
  root: string;
  task: string;
  now: Date;
}): Promise<SessionFolder> {
  const place = { root: resolve(root), existing: [] };
  const [workflow] = sessionsFolder;
  await beginning(join(place.root, workflow), () =>
    inFolder({ ...place, made: [workflow] }, keepOutOfGit),
  );
  const id = await beginning(join(place.root, ...sessionsFolder), () =>
    inFolder({ ...place, made: sessionsFolder }, (sessions) =>
      claimIn(sessions, () => newSessionId({ slug: slugOf(task), now })),
    ),
  );
  return sessionFolder(baseOf(root, id), id);
}

/** Throws `usage` for an impossible id, `session-unknown`, or `link-refused`. */
export async function openSessionFolder(root: string, id: string): Promise<SessionFolder> {
  checkSessionId(id);
  const base = baseOf(root, id);
  const path = join(base.root, ...base.existing);
  const there = await reading({ session: id, path }, () => exists(base));
  if (!there) throw new Stopped({ reason: 'session-unknown', session: id });
  return sessionFolder(base, id);
}

/** The ids of all sessions of a repository, newest first by the last change of their journal. */
export async function listSessionIds(root: string): Promise<readonly string[]> {
  const place = { root: resolve(root), existing: sessionsFolder };
  const path = join(place.root, ...sessionsFolder);
  return await reading({ session: 'list', path }, async () => {
    try {
      return await inFolder(place, newestFirst);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  });
}

/** Removes a session and all its files. Throws like `openSessionFolder`, or `cannot-write`. */
export async function removeSession(root: string, id: string): Promise<void> {
  const folder = await openSessionFolder(root, id);
  const sessions = { root: resolve(root), existing: sessionsFolder };
  await writing(folder.path, () => removeIn(sessions, id));
}

/** Where a session folder is, for `inFolder`. */
export function folderPlace(folder: SessionFolder): SessionPlace {
  return baseOf(resolve(folder.path, '../../..'), folder.id);
}

function baseOf(root: string, id: string): SessionPlace {
  return { root: resolve(root), existing: [...sessionsFolder, id] };
}

function sessionFolder(base: SessionPlace, id: string): SessionFolder {
  const path = join(base.root, ...base.existing);
  return { ...filesIn(base, id), id, path, relative: base.existing.join('/') };
}

/** The files of a session, wherever they lie. */
export function filesIn(
  base: SessionPlace,
  id: string,
): Omit<SessionFolder, 'id' | 'path' | 'relative'> {
  const path = join(base.root, ...base.existing);
  const absolute = (relative: string): string => join(path, ...pathParts(relative));
  const read = <T>(relative: string, action: () => Promise<T>): Promise<T> =>
    reading({ session: id, path: absolute(relative) }, action);
  const write = async (relative: string, text: string): Promise<void> =>
    writing(absolute(relative), () => writeIn(base, relative, text));
  return {
    absolute,
    write,
    writeJson: async (relative, value) => write(relative, jsonText(value)),
    read: async (relative) =>
      (await read(relative, () => readIn(base, relative)))?.toString('utf8') ?? null,
    list: async (relative) => read(relative, () => listIn(base, relative)),
    remove: async (relative) => writing(absolute(relative), () => removeIn(base, relative)),
  };
}

function jsonText(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, null, 2);
  if (json === undefined) throw new TypeError('there is no JSON for this value');
  return `${json}\n`;
}

async function keepOutOfGit(workflow: PinnedFolder): Promise<void> {
  try {
    await lstat(workflow.at('.gitignore'));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await replaceFile(workflow, { name: '.gitignore', data: '*\n' });
  }
}

async function claimIn(sessions: PinnedFolder, nextId: () => string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const id = nextId();
    try {
      await mkdir(sessions.at(id), { mode: 0o700 });
      await sessions.flush();
      return id;
    } catch (error) {
      const taken = isSystemError(error) && error.code === 'EEXIST';
      if (!taken || tries === 1000) throw error;
    }
  }
}

async function exists(base: SessionPlace): Promise<boolean> {
  try {
    await inFolder(base, () => Promise.resolve());
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

async function newestFirst(sessions: PinnedFolder): Promise<readonly string[]> {
  const entries = await readdir(sessions.at('.'), { withFileTypes: true });
  return (
    entries
      // A link is listed too, so that it can be named as what is refused.
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .filter((entry) => SessionId.safeParse(entry.name).success)
      .flatMap((entry) => changed(sessions, entry))
      .toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
      .map((session) => session.id)
  );
}

// Synchronous on purpose: for thousands of small looks this is several times faster.
function changed(sessions: PinnedFolder, entry: Dirent): { id: string; time: number }[] {
  const { name } = entry;
  const options = { throwIfNoEntry: false } as const;
  const journal = entry.isDirectory() && lstatSync(sessions.at(`${name}/journal.jsonl`), options);
  if (journal) return [{ id: name, time: journal.mtimeMs }];
  // Claimed a moment ago by another process, or its start was cut short.
  if (!name.startsWith('MCP-')) return [];
  const folder = lstatSync(sessions.at(name), options);
  return folder === undefined ? [] : [{ id: name, time: folder.mtimeMs }];
}
