// Lists the conversations in the history; the tables are strict, so it needs no zod.
import type { DatabaseSync } from 'node:sqlite';

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
