import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { listSessions } from '../../src/app/list-sessions.ts';
import { latestFor } from '../../src/app/load-session.ts';
import { SessionState } from '../../src/model/session.ts';
import { lockSession } from '../../src/store/lock.ts';
import { claimSession, removeSession, type SessionFolder } from '../../src/store/session-folder.ts';
import { stateFile } from '../../src/store/state-file.ts';
import { newRoot, someTime, write } from '../store/room.ts';

interface Room {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly database: string;
}

async function newRoom(): Promise<Room> {
  const [root, home] = await Promise.all([newRoot(), newRoot()]);
  const environment = { HOME: home, XDG_DATA_HOME: join(home, 'data') };
  return { root, environment, database: join(home, 'data/conclave/history.db') };
}

async function saveSession(
  { root }: Room,
  task: string,
  kind: 'done' | 'interrupted' = 'done',
): Promise<SessionFolder> {
  const folder = await claimSession({ root, task, now: someTime });
  await write(folder, []);
  await folder.write('journal.jsonl', '');
  const state = { session_id: folder.id, task_description: task, status: kind, end: kind };
  await stateFile(folder).write(SessionState.parse(state));
  return folder;
}

async function tasksIn(room: Room): Promise<readonly string[]> {
  const tasks = (await listSessions(room)).map(({ state }) => state?.task_description ?? '');
  return tasks.toSorted((a, b) => a.localeCompare(b));
}

function rowsIn({ database }: Room): readonly unknown[] {
  return new DatabaseSync(database).prepare('SELECT id FROM saved_sessions').all();
}

/** Changes the file itself, so that nothing in the folder tells of it. */
function rename(folder: SessionFolder, from: string, to: string): void {
  const file = join(folder.path, 'session-state.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

test('a session that has not changed is listed without a look at its files', async () => {
  const room = await newRoom();
  const folder = await saveSession(room, 'Add a cache');
  await saveSession(room, 'Add a flag');
  expect(await tasksIn(room)).toEqual(['Add a cache', 'Add a flag']);
  rename(folder, 'a cache', 'a CACHE');
  expect(await tasksIn(room)).toEqual(['Add a cache', 'Add a flag']);
});

test('a session is read again once its journal or its state was written', async () => {
  const room = await newRoom();
  const folder = await saveSession(room, 'Add a cache');
  expect(await tasksIn(room)).toEqual(['Add a cache']);
  await stateFile(folder).write(
    SessionState.parse({ session_id: folder.id, task_description: 'Add a pool' }),
  );
  expect(await tasksIn(room)).toEqual(['Add a pool']);
  appendFileSync(join(folder.path, 'journal.jsonl'), '{"torn');
  rename(folder, 'a pool', 'a POOL');
  expect(await tasksIn(room)).toEqual(['Add a POOL']);
});

test('to go on with the latest unfinished session, no file that has not changed is read', async () => {
  const room = await newRoom();
  const folder = await saveSession(room, 'Add a cache', 'interrupted');
  await saveSession(room, 'Add a flag');
  await listSessions(room);
  rename(folder, '"interrupted"', '"done"');
  expect(await latestFor(room, 'resume')).toBe(folder.id);
  await removeSession(room.root, folder.id);
  await expect(latestFor(room, 'resume')).rejects.toThrow('No session here is unfinished');
});

test('a session that is removed is forgotten, and one of another repository is not', async () => {
  const room = await newRoom();
  const other = { ...room, root: await newRoot() };
  const folder = await saveSession(room, 'Add a cache');
  await saveSession(other, 'Add a flag');
  await Promise.all([listSessions(room), listSessions(other)]);
  await removeSession(room.root, folder.id);
  await saveSession(room, 'Add a pool');
  expect([await tasksIn(room), await tasksIn(other)]).toEqual([['Add a pool'], ['Add a flag']]);
  expect(rowsIn(room)).toHaveLength(2);
});

test('a session that a process has open is always read', async () => {
  const room = await newRoom();
  const folder = await saveSession(room, 'Add a cache');
  const lock = await lockSession(folder);
  await listSessions(room);
  rename(folder, 'a cache', 'a CACHE');
  expect(await tasksIn(room)).toEqual(['Add a CACHE']);
  await lock.release();
});

test.each([
  { kind: 'is empty', content: '', isIndex: true },
  { kind: 'is no database', content: 'no database at all', isIndex: false },
  { kind: 'is damaged', content: `SQLite format 3\0${'x'.repeat(5000)}`, isIndex: false },
])('sessions are listed where the index $kind', async ({ content, isIndex }) => {
  const room = await newRoom();
  await saveSession(room, 'Add a cache');
  await mkdir(join(room.database, '..'), { recursive: true });
  writeFileSync(room.database, content);
  expect(await tasksIn(room)).toEqual(['Add a cache']);
  // Conversations are in the same file: what cannot be read is left for whoever can.
  const left = isIndex ? rowsIn(room).length : readFileSync(room.database, 'utf8');
  expect(left).toBe(isIndex ? 1 : content);
});

test('sessions are listed where no index can be kept', async () => {
  const room = await newRoom();
  await saveSession(room, 'Add a cache');
  writeFileSync(room.environment['XDG_DATA_HOME'] ?? '', 'a file');
  expect(await tasksIn(room)).toEqual(['Add a cache']);
});

test('an index that a later version changed is left as it is', async () => {
  const room = await newRoom();
  await saveSession(room, 'Add a cache');
  await listSessions(room);
  new DatabaseSync(room.database).exec(
    'ALTER TABLE saved_sessions ADD COLUMN more TEXT; PRAGMA user_version = 99',
  );
  expect(await tasksIn(room)).toEqual(['Add a cache']);
  expect(new DatabaseSync(room.database).prepare('PRAGMA user_version').get()).toEqual({
    user_version: 99,
  });
});

test('an index that two processes make at once is made once', async () => {
  const room = await newRoom();
  await saveSession(room, 'Add a cache');
  const lists = await Promise.all(Array.from({ length: 6 }, () => tasksIn(room)));
  expect(new Set(lists.flat())).toEqual(new Set(['Add a cache']));
  expect(new DatabaseSync(room.database).prepare('PRAGMA journal_mode').get()).toEqual({
    journal_mode: 'wal',
  });
});
