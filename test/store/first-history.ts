import { DatabaseSync } from 'node:sqlite';
import { openHistory } from '../../src/store/history.ts';

const at = '2026-11-25T08:00:00.000Z';

/** A history as the first version left it, before turns could be searched; "wordN" stands in turn N. */
export async function ofFirstVersion(
  file: string,
  { project, turns }: { readonly project: string; readonly turns: number },
): Promise<void> {
  (await openHistory(file)).close();
  const database = new DatabaseSync(file);
  database.exec(`DROP TRIGGER turn_added; DROP TRIGGER turn_removed; DROP TABLE turn_search;
    DROP TABLE saved_sessions; DROP TABLE session_search;
    ALTER TABLE cli_session_mapping DROP COLUMN answered_by; PRAGMA user_version = 1; BEGIN`);
  database.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)').run(project, 'mine', at, at);
  const put = database.prepare(`INSERT INTO conversation_turns
    (project, session_id, turn, tool, agent, role, content, state, metadata, created_at)
    VALUES (?, 'mine', ?, 'work', 'claude', 'user', ?, 'answered', '{}', '${at}')`);
  for (let number = 1; number <= turns; number += 1)
    put.run(project, number, `${'some words of a turn '.repeat(60)} word${number}`);
  database.exec('COMMIT');
  database.close();
}
