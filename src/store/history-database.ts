// Opens the history database, creates its tables if they are missing, and lists its conversations; needs no zod.
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Stopped } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import { guardWrite } from './system-error.ts';
import { makeFolder } from './make-folder.ts';

/** Kept in `user_version`; raise it whenever the tables change. A file with another version is refused. */
const version = 6;

const tables = `
   CREATE TABLE sessions (
     project TEXT NOT NULL, session_id TEXT NOT NULL,
     created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     PRIMARY KEY (project, session_id)
   ) STRICT;
   CREATE TABLE conversation_turns (
     id INTEGER PRIMARY KEY,
     project TEXT NOT NULL, session_id TEXT NOT NULL, turn INTEGER NOT NULL,
     tool TEXT NOT NULL, agent TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
     state TEXT NOT NULL, metadata TEXT NOT NULL, created_at TEXT NOT NULL,
     UNIQUE (project, session_id, turn, role),
     FOREIGN KEY (project, session_id) REFERENCES sessions ON DELETE CASCADE
   ) STRICT;
   CREATE TABLE turn_context (
     project TEXT NOT NULL, session_id TEXT NOT NULL, turn INTEGER NOT NULL,
     injected TEXT NOT NULL, role TEXT NOT NULL,
     PRIMARY KEY (project, session_id, turn),
     FOREIGN KEY (project, session_id) REFERENCES sessions ON DELETE CASCADE
   ) STRICT;
   CREATE TABLE cli_session_mapping (
     project TEXT NOT NULL, session_id TEXT NOT NULL, cli_name TEXT NOT NULL,
     cli_session_id TEXT NOT NULL, cwd TEXT NOT NULL, model TEXT, cli_version TEXT,
     last_turn INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
     cached_tokens INTEGER NOT NULL, updated_at TEXT NOT NULL, answered_by TEXT,
     PRIMARY KEY (project, session_id, cli_name),
     FOREIGN KEY (project, session_id) REFERENCES sessions ON DELETE CASCADE
   ) STRICT;
   CREATE VIRTUAL TABLE turn_search USING fts5(
     content, content='conversation_turns', content_rowid='id', tokenize='unicode61'
   );
   CREATE TRIGGER turn_added AFTER INSERT ON conversation_turns BEGIN
     INSERT INTO turn_search(rowid, content) VALUES (new.id, new.content);
   END;
   CREATE TRIGGER turn_removed AFTER DELETE ON conversation_turns BEGIN
     INSERT INTO turn_search(turn_search, rowid, content) VALUES ('delete', old.id, old.content);
   END;
   CREATE TABLE saved_sessions (
     root TEXT NOT NULL, id TEXT NOT NULL, stamp TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY (root, id)
   ) STRICT;
   CREATE VIRTUAL TABLE session_search USING fts5(
     root UNINDEXED, id UNINDEXED, at UNINDEXED, content, tokenize='unicode61'
   );
   PRAGMA user_version = ${version}`;

/** Opens the database and makes it if needed. Throws `cannot-write` or `history-…`. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  const { DatabaseSync } = await import('node:sqlite');
  for (const end = performance.now() + patience; ; await setTimeout(20)) {
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(file, { timeout: patience });
      makeTables(database, file);
      return database;
    } catch (error) {
      database?.close();
      // SQLite does not wait while another process changes a new file to its journal mode.
      const isBusy = sqliteCode(error) === sqliteBusy;
      if (!isBusy || performance.now() > end) throw historyFault(file, error);
    }
  }
}

/** How long a database may be in use by another program, in milliseconds. */
const patience = 3000;

/** Turns an error of SQLite into a failure; returns any other error unchanged. */
export function historyFault(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null || !(error instanceof Error)) return error;
  if (code === sqliteBusy) return new Stopped({ reason: 'history-busy', path });
  const unwritable = unwritableBy[code];
  return new Stopped(
    unwritable === undefined
      ? { reason: 'history-unreadable', path, why: error.message }
      : { reason: 'cannot-write', path, code: unwritable },
  );
}

/** Codes of SQLite for a file that cannot be written, and for a full disk. */
const unwritableBy: Readonly<Record<number, string>> = { 8: 'EROFS', 13: 'ENOSPC' };

/** Quotes each word, so that operators of the search count as words; all of them must occur. */
export function literalWords(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
}

/** Runs the action as one transaction. */
export function atomically<T>(database: DatabaseSync, action: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = action();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Makes the tables. If two processes come at once, the second finds them made. Throws `history-other`. */
function makeTables(database: DatabaseSync, path: string): void {
  const found = versionOf(database);
  // A file of another version is left unchanged.
  if (found !== 0 && found !== version) throw new Stopped({ reason: 'history-other', path });
  database.exec(modes);
  if (found === version) return;
  atomically(database, () => {
    if (versionOf(database) === 0) database.exec(tables);
  });
}

const modes = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON';

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.['user_version'] ?? 0);
}

/** The result code of SQLite that says another connection has the lock; https://sqlite.org/rescode.html lists them all. */
export const sqliteBusy = 5;

/** True for a file that is damaged, or not a database at all. */
export function isDamage(code: number | null): boolean {
  return code === 11 || code === 26;
}

/** The primary result code of an error of SQLite; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const code = isObject(error) ? error['errcode'] : undefined;
  return typeof code === 'number' ? code & 0xff : null;
}

/** A conversation as it is listed. */
export interface ConversationEntry {
  readonly session_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly turns: number;
  /** The first question. */
  readonly title: string;
}

/** The conversations of a project, the latest first. */
export function conversationsIn(
  database: DatabaseSync,
  project: string,
): readonly ConversationEntry[] {
  const rows = database
    .prepare(
      `SELECT s.session_id, s.created_at, s.updated_at, count(t.turn) AS turns,
         coalesce(min(CASE WHEN t.turn = 1 THEN t.content END), '') AS title
       FROM sessions s LEFT JOIN conversation_turns t
         ON t.project = s.project AND t.session_id = s.session_id AND t.role = 'user'
       WHERE s.project = ? GROUP BY s.session_id ORDER BY s.updated_at DESC`,
    )
    .all(project);
  return rows.map((row) => ({
    session_id: String(row['session_id']),
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    turns: Number(row['turns']),
    title: String(row['title']),
  }));
}
