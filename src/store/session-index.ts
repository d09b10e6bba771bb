// Keeps the states of saved sessions in the history database, so that a list need not open each folder.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { jsonIn } from '../model/json.ts';
import { SessionState } from '../model/session.ts';
import { Stopped } from '../model/failure.ts';
import { atomically, openDatabase } from './migrate.ts';
import { sqliteCode } from './sqlite-code.ts';

/** A state with the stamp that its session had before it was read. */
export interface IndexEntry {
  readonly id: string;
  readonly stamp: string;
  readonly state: SessionState;
}

export interface SessionIndex {
  /** The states of all sessions of a repository, by id. */
  read(root: string): ReadonlyMap<string, IndexEntry>;
  /** Takes in what was read anew, and forgets every session that is not among `ids`. */
  update(root: string, to: IndexUpdate): void;
}

interface IndexUpdate {
  readonly ids: readonly string[];
  readonly changed: readonly IndexEntry[];
}

/**
 * Opens the index for an action. Null where it cannot be used (no place for it, damaged, of a later
 * version, locked for too long): it only saves time, as each state can be read from its folder.
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
  };
}

const Row = z.object({ id: z.string(), stamp: z.string(), state: z.string() });

/** An entry of a later or an earlier shape counts as none, so its session is read again. */
function rowsOf(history: DatabaseSync, root: string): readonly IndexEntry[] {
  const query = history.prepare('SELECT id, stamp, state FROM saved_sessions WHERE root = ?');
  return query.all(root).flatMap((found) => {
    const { state, ...row } = Row.parse(found);
    const parsed = SessionState.safeParse(jsonIn(state));
    return parsed.success ? [{ ...row, state: parsed.data }] : [];
  });
}

function write(history: DatabaseSync, root: string, { ids, changed }: IndexUpdate): void {
  const put = history.prepare(
    'INSERT OR REPLACE INTO saved_sessions (root, id, stamp, state) VALUES (?, ?, ?, ?)',
  );
  for (const { id, stamp, state } of changed) put.run(root, id, stamp, JSON.stringify(state));
  history
    .prepare(
      'DELETE FROM saved_sessions WHERE root = ? AND id NOT IN (SELECT value FROM json_each(?))',
    )
    .run(root, JSON.stringify(ids));
}
