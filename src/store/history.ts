// Opens the history database, one SQLite file of the user that is derived and can be made again.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { isDamage, sqliteCode } from './sqlite-code.ts';
import { isSystemError, nullIfAbsent } from './system-error.ts';

/** The changes of its tables, each in one transaction; one that was published is never edited. */
const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     root TEXT NOT NULL, id TEXT NOT NULL, stamp TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (root, id)
   ) STRICT`,
];

/** A command waits so long for another one that writes, in ms. */
const longestWait = 2_000;

/**
 * Opens the database for an action. A damaged one is put aside, and made anew the next time. Null
 * where it cannot be used: no place for it, damaged, or locked for too long.
 */
export async function withHistory<T>(
  file: string,
  action: (history: DatabaseSync) => Promise<T>,
): Promise<T | null> {
  try {
    using history = await openHistory(file);
    return await action(history);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === null && !isSystemError(error)) throw error;
    if (isDamage(code)) await putAside(file);
    return null;
  }
}

async function putAside(file: string): Promise<void> {
  // Another process may have been faster, or the folder may not be ours to change.
  if ((await nullIfAbsent(rename(file, `${file}.damaged`))) === null) return;
  await Promise.all(['-wal', '-shm'].map((end) => rm(`${file}${end}`, { force: true })));
}

async function openHistory(file: string): Promise<DatabaseSync> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite itself would let others read it.
  await (await open(file, 'a', 0o600)).close();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: longestWait });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: DatabaseSync): void {
  for (let version = versionOf(database); version < migrations.length; version += 1) {
    inTransaction(database, () => {
      // Another process may have made the change while this one waited.
      if (versionOf(database) !== version) return;
      database.exec(`${migrations[version] ?? ''}; PRAGMA user_version = ${version + 1}`);
    });
  }
}

const Version = z.object({ user_version: z.int() });

function versionOf(database: DatabaseSync): number {
  return Version.parse(database.prepare('PRAGMA user_version').get()).user_version;
}

/** Does all of it or nothing; throws what `action` throws. */
export function inTransaction(database: DatabaseSync, action: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    action();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
