// Brings the history database up to this version, one transaction for each migration.
import type { DatabaseSync } from 'node:sqlite';
import { Stopped } from '../model/failure.ts';

/**
 * The migrations, in order; a database counts those it has in `user_version`. A published one is
 * never changed: what it lacks comes as the next one.
 */
const migrations: readonly string[] = [
  `CREATE TABLE sessions (
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
     cached_tokens INTEGER NOT NULL, updated_at TEXT NOT NULL,
     PRIMARY KEY (project, session_id, cli_name),
     FOREIGN KEY (project, session_id) REFERENCES sessions ON DELETE CASCADE
   ) STRICT;`,
  `CREATE VIRTUAL TABLE turn_search USING fts5(
     content, content='conversation_turns', content_rowid='id', tokenize='unicode61'
   );
   INSERT INTO turn_search(turn_search) VALUES ('rebuild');
   CREATE TRIGGER turn_added AFTER INSERT ON conversation_turns BEGIN
     INSERT INTO turn_search(rowid, content) VALUES (new.id, new.content);
   END;
   CREATE TRIGGER turn_removed AFTER DELETE ON conversation_turns BEGIN
     INSERT INTO turn_search(turn_search, rowid, content) VALUES ('delete', old.id, old.content);
   END;`,
];

/** Two processes may migrate at once: the second finds nothing left to do. Throws `history-newer`. */
export function migrate(database: DatabaseSync, file: string): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  for (;;) {
    const known = versionOf(database);
    if (known > migrations.length) throw new Stopped({ reason: 'history-newer', path: file });
    if (known === migrations.length) return;
    database.exec('BEGIN IMMEDIATE');
    try {
      // Another process may have come first.
      const next = versionOf(database);
      if (next === known) {
        database.exec(`${migrations[known] ?? ''}; PRAGMA user_version = ${known + 1}`);
      }
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }
}

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.['user_version'] ?? 0);
}
