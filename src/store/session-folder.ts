// Claims, opens, lists and removes session folders; makes session ids and their slugs.
import { randomInt } from 'node:crypto';
import { lstatSync, type Dirent, type Stats } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { sessionIdPattern } from '../model/id-patterns.ts';
import { replaceFile } from './atomic.ts';
import { type FolderFiles, type FolderRoot, filesIn, removeEntry } from './folder-files.ts';
import { inFolder, type PinnedFolder } from './pinned-folder.ts';
import { describeValue } from '../model/describe-value.ts';
import { hasCode, isAbsent, guardRead, guardWrite, nullIfAbsent } from './system-error.ts';

/** The folder of all sessions of a repository, below its root. */
export const sessionsFolder = ['.workflow', '.multi-cli-plan'] as const;

/** The folder of one session and its files. Folders are 0700, files 0600. */
export interface SessionFolder extends FolderFiles {
  readonly id: string;
  /** The absolute path. */
  readonly path: string;
  /** The path relative to the repository root: `.workflow/.multi-cli-plan/ID`. */
  readonly relative: string;
}

/**
 * Makes the folder of a new session. Its creation is the claim: no two calls get the same one.
 * Throws `cannot-begin` if it cannot be made.
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
  const cannotBegin = { reason: 'cannot-begin' } as const;
  await guardWrite(
    join(place.root, workflow),
    () => inFolder({ ...place, made: [workflow] }, keepApart),
    cannotBegin,
  );
  const id = await guardWrite(
    join(place.root, ...sessionsFolder),
    () =>
      inFolder({ ...place, made: sessionsFolder }, (sessions) =>
        claimIn(sessions, () => newSessionId({ slug: slugOf(task), now })),
      ),
    cannotBegin,
  );
  return sessionFolder(root, id);
}

/**
 * Opens the folder of a session. Throws `usage` for an impossible id, `session-unknown`, or
 * `link-refused`.
 */
export async function openSessionFolder(root: string, id: string): Promise<SessionFolder> {
  checkSessionId(id);
  const folder = sessionFolder(root, id);
  await guardRead({ session: id, path: folder.path }, async () => {
    try {
      await inFolder(folderRoot(folder), () => Promise.resolve());
    } catch (error) {
      throw isAbsent(error) ? new Stopped({ reason: 'session-unknown', session: id }) : error;
    }
  });
  return folder;
}

/** What is known of a session folder without opening its files. */
export interface SessionLook {
  readonly id: string;
  /** A stamp that changes when a file in the folder itself changes; null if there is no journal. */
  readonly stamp: string | null;
}

/** The ids of all sessions of a repository, newest first by the last change of their journal. */
export async function listSessionIds(root: string): Promise<readonly string[]> {
  return (await lookAtSessions(root)).map(({ id }) => id);
}

/** All sessions of a repository in the same order, without reading their files. */
export async function lookAtSessions(root: string): Promise<readonly SessionLook[]> {
  const place = { root: resolve(root), existing: sessionsFolder };
  const path = join(place.root, ...sessionsFolder);
  return await guardRead({ session: 'list', path }, async () => {
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
  await guardWrite(folder.path, () => inFolder(sessions, (pinned) => removeEntry(pinned, id)));
}

/** The path of a session folder, for `inFolder`. */
export function folderRoot(folder: Pick<SessionFolder, 'id' | 'path'>): FolderRoot {
  return placeOf(resolve(folder.path, '../../..'), folder.id);
}

function placeOf(root: string, id: string): FolderRoot {
  return { root: resolve(root), existing: [...sessionsFolder, id] };
}

function sessionFolder(root: string, id: string): SessionFolder {
  const place = placeOf(root, id);
  const path = join(place.root, ...place.existing);
  return { ...filesIn(place, id), id, path, relative: place.existing.join('/') };
}

/**
 * Writes ignore files: git sees only a project’s roles, and the rest is the user’s. Searches skip
 * the whole folder, with and without git, because it holds what agents said. Existing files of
 * others are kept.
 */
async function keepApart(workflow: PinnedFolder): Promise<void> {
  const contents = { '.gitignore': '*\n!/roles/\n!/roles/**\n', '.ignore': '*\n' };
  for (const [name, data] of Object.entries(contents)) {
    const found = await nullIfAbsent(lstat(workflow.at(name)));
    if (found === null) await replaceFile(workflow, { name, data });
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
      if (!hasCode(error, ['EEXIST']) || tries === 1000) throw error;
    }
  }
}

async function newestFirst(sessions: PinnedFolder): Promise<readonly SessionLook[]> {
  const entries = await readdir(sessions.at('.'), { withFileTypes: true });
  return (
    entries
      // A link is listed too, so that it can be named as refused.
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .filter((entry) => sessionIdPattern.test(entry.name))
      .flatMap((entry) => lookAt(sessions, entry))
      .toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
  );
}

// Looks at a folder synchronously on purpose: for thousands of small looks this is several times faster.
function lookAt(sessions: PinnedFolder, entry: Dirent): (SessionLook & { time: number })[] {
  const { name: id } = entry;
  const options = { throwIfNoEntry: false } as const;
  const folder = lstatSync(sessions.at(id), options);
  const journal = entry.isDirectory() && lstatSync(sessions.at(`${id}/journal.jsonl`), options);
  // The folder changes with each file that is made, replaced or removed in it; the journal grows.
  if (folder && journal)
    return [{ id, time: journal.mtimeMs, stamp: `${stampOf(folder)} ${stampOf(journal)}` }];
  // Another process claimed it a moment ago, or its start was cut short.
  if (folder === undefined || !id.startsWith('MCP-')) return [];
  return [{ id, time: folder.mtimeMs, stamp: null }];
}

function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}`;
}

/** Makes an id: `MCP-{slug}-{date}-{four random characters}`, with the date in UTC. */
function newSessionId({ slug, now }: { slug: string; now: Date }): string {
  const random = Array.from({ length: 4 }, () => randomInt(36).toString(36)).join('');
  return `MCP-${slug}-${now.toISOString().slice(0, 10)}-${random}`;
}

/** Makes a slug of at most 40 characters of lower-case ASCII; `task` if nothing of the text can be kept. */
function slugOf(task: string): string {
  const words = task
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return trimDashes(trimDashes(words).slice(0, 40)) || 'task';
}

/** The slug inside an id that `newSessionId` made, or the slug of any other id. */
export function slugInId(id: string): string {
  return slugOf(/^MCP-(.+)-\d{4}-\d{2}-\d{2}-[a-z0-9]{4}$/.exec(id)?.[1] ?? id);
}

/** Throws `usage` for anything that cannot be the name of a session folder. */
function checkSessionId(id: string): void {
  if (sessionIdPattern.test(id)) return;
  const rule = 'it takes 1 to 128 letters, digits, "-" and "_" and starts with a letter or digit';
  throw new Stopped({
    reason: 'usage',
    message: `The session id ${describeValue(id)} is not valid: ${rule}.`,
  });
}

function trimDashes(text: string): string {
  return text.replace(/^-+/, '').replace(/-+$/, '');
}
