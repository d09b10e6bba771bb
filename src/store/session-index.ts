// Keeps states and texts of saved sessions in the history database, so that a list opens no folder.
import type { DatabaseSync } from 'node:sqlite';
import { formatVersion } from '../model/id-patterns.ts';
import { isObject, jsonIn } from '../model/json.ts';
import type { SessionState } from '../model/session.ts';
import { Stopped } from '../model/failure.ts';
import { atomically, literalWords, openDatabase, sqliteCode } from './history-database.ts';

/** A state with the stamp that its session had before it was read. */
interface IndexEntry {
  readonly id: string;
  readonly stamp: string;
  readonly state: SessionState;
}

/** An entry with its searchable text: task, decision and plan. */
export interface ReadEntry extends IndexEntry {
  readonly text: string;
}

/** A session whose text has all the words of a search. */
export interface SessionHit {
  readonly session_id: string;
  readonly excerpt: string;
  readonly at: string;
}

export interface SessionIndex {
  /** The states of all sessions of a repository, by id. */
  read(root: string): ReadonlyMap<string, IndexEntry>;
  /** Stores the entries that were read again, and forgets every session that is not among `ids`. */
  update(root: string, to: IndexUpdate): void;
  /** Finds the sessions whose text has all words, the best first. */
  search(root: string, words: readonly string[], most: number): readonly SessionHit[];
}

interface IndexUpdate {
  readonly ids: readonly string[];
  readonly changed: readonly ReadEntry[];
}

/**
 * Opens the index for an action. Null if it cannot be used (no place for it, damaged, of a later
 * version, locked for too long): it only saves time, because each state can be read from its
 * folder.
 */
export async function withSessionIndex<T>(
  file: string,
  action: (index: SessionIndex) => Promise<T>,
): Promise<T | null> {
  let history: DatabaseSync | null = null;
  try {
    history = await openDatabase(file);
    return await action(sessionIndex(history));
  } catch (error) {
    if (!(error instanceof Stopped) && sqliteCode(error) === null) throw error;
    return null;
  } finally {
    history?.close();
  }
}

function sessionIndex(history: DatabaseSync): SessionIndex {
  return {
    read: (root) => new Map(rowsOf(history, root).map((entry) => [entry.id, entry])),
    update: (root, to) => atomically(history, () => write(history, root, to)),
    search: (root, words, most) =>
      words.length === 0
        ? []
        : history
            .prepare(
              `SELECT id AS session_id, at, snippet(session_search, 3, '', '', '…', 24) AS excerpt
               FROM session_search WHERE session_search MATCH ? AND root = ? ORDER BY rank LIMIT ?`,
            )
            .all(`content : (${literalWords(words)})`, root, most)
            .map((row) => ({
              session_id: String(row['session_id']),
              excerpt: String(row['excerpt']),
              at: String(row['at']),
            })),
  };
}

/** Reads the entries. One of another shape is skipped, so its session is read again. */
function rowsOf(history: DatabaseSync, root: string): readonly IndexEntry[] {
  const query = history.prepare('SELECT id, stamp, state FROM saved_sessions WHERE root = ?');
  return query.all(root).flatMap(({ id, stamp, state: text }) => {
    const state: unknown = jsonIn(String(text));
    return isState(state) ? [{ id: String(id), stamp: String(stamp), state }] : [];
  });
}

const textFields = 'session_id task_description status phase created_at updated_at'.split(' ');

/**
 * True for a state of this version. The index holds only states that were checked as a whole before they were
 * written into it, and to check each of thousands again would take longer than all else.
 */
function isState(value: unknown): value is SessionState {
  if (!isObject(value) || value['version'] !== formatVersion) return false;
  const { artifacts, spent } = value;
  return (
    textFields.every((name) => typeof value[name] === 'string') &&
    Array.isArray(artifacts) &&
    isObject(spent) &&
    typeof spent['cost_usd'] === 'number'
  );
}

function write(history: DatabaseSync, root: string, { ids, changed }: IndexUpdate): void {
  const put = history.prepare(
    'INSERT OR REPLACE INTO saved_sessions (root, id, stamp, state) VALUES (?, ?, ?, ?)',
  );
  const forget = history.prepare('DELETE FROM session_search WHERE root = ? AND id = ?');
  const putText = history.prepare('INSERT INTO session_search VALUES (?, ?, ?, ?)');
  for (const { id, stamp, state, text } of changed) {
    put.run(root, id, stamp, JSON.stringify(state));
    forget.run(root, id);
    putText.run(root, id, state.updated_at, text);
  }
  for (const table of ['saved_sessions', 'session_search']) {
    history
      .prepare(`DELETE FROM ${table} WHERE root = ? AND id NOT IN (SELECT value FROM json_each(?))`)
      .run(root, JSON.stringify(ids));
  }
}
