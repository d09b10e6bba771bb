// Keeps conversations in `history.db`, one SQLite file per user.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { FilledText, Ordinal, Text, TextOrNull, Whole } from '../model/plain-shapes.ts';
import { jsonIn } from '../model/json.ts';
import {
  atomically,
  literalWords,
  openDatabase,
  type ConversationEntry,
  conversationsIn,
} from './history-database.ts';

/** A question and what became of it. */
export const HistoryTurn = z.object({
  number: Ordinal,
  tool: z.enum(['work', 'consult']),
  agent: Text,
  state: z.enum(['started', 'answered', 'failed', 'broken-off']),
  question: Text,
  /** The answer, or the partial text of a failed turn; may be empty. */
  answer: Text,
  /** The facts of the run, as JSON. */
  facts: Text,
  started_at: Text,
});
export type HistoryTurn = z.infer<typeof HistoryTurn>;

/** An agent’s own session, with the last turn that it knows. */
export const AgentMemory = z.object({
  agent: Text,
  agent_session: Text,
  cwd: Text,
  model: TextOrNull,
  cli_version: TextOrNull,
  last_turn: Whole,
  input_tokens: Whole,
  output_tokens: Whole,
  cached_tokens: Whole,
  /** The model that answered last; null if it was not reported. */
  answered_by: TextOrNull,
});
export type AgentMemory = z.infer<typeof AgentMemory>;

/** The key of one conversation in a project. */
export interface ConversationKey {
  /** The real path of the project’s folder. */
  readonly project: string;
  readonly session: string;
}

/** The open database. Times are ISO 8601. */
export interface History {
  turns(key: ConversationKey): readonly HistoryTurn[];
  memories(key: ConversationKey): readonly AgentMemory[];
  /** Writes a turn before it runs, with what is sent besides the question. Returns its number. */
  begin(
    key: ConversationKey,
    turn: Pick<HistoryTurn, 'tool' | 'agent' | 'question'> & {
      readonly at: string;
      /** The prefix of the marks of the processes that the turn starts. */
      readonly mark: string;
    },
  ): number;
  end(
    key: ConversationKey,
    turn: Pick<HistoryTurn, 'number' | 'state' | 'answer' | 'facts'> & {
      readonly at: string;
      /** The turns that were sent with the question; empty if none were. */
      readonly injected: string;
      readonly role: string;
      /** The memory to store; null if the agent’s own session cannot be resumed. */
      readonly memory: AgentMemory | null;
    },
  ): void;
  /** Marks turns that a dead process left open; returns the marks of its processes. */
  breakOff(key: ConversationKey): readonly string[];
  conversations(project: string): readonly ConversationEntry[];
  /** The projects that have a conversation of that name. */
  projectsOf(session: string): readonly string[];
  search(project: string, words: readonly string[], most: number): readonly HistoryHit[];
  remove(key: ConversationKey): boolean;
  close(): void;
}

const HistoryHit = z.object({
  session_id: Text,
  turn: Whole,
  role: z.enum(['user', 'assistant']),
  excerpt: Text,
  at: Text,
});
type HistoryHit = z.infer<typeof HistoryHit>;

const Project = z.object({ project: Text });
const Next = z.object({ number: Ordinal });
const OpenTurn = z.object({ metadata: Text });
const Marked = z.object({ mark: FilledText });

/** Opens the history, making or updating it if needed. Throws `cannot-write` or `history-…`. */
export async function openHistory(file: string): Promise<History> {
  return historyIn(await openDatabase(file));
}

type Values = Readonly<Record<string, string | number | null>>;

const ofKey = 'project = :project AND session_id = :session';
const asked = `${ofKey} AND turn = :number AND role = 'user'`;
const insertTurn = `INSERT INTO conversation_turns
  (project, session_id, turn, tool, agent, role, content, state, metadata, created_at)`;

function historyIn(database: DatabaseSync): History {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  };
  const rows = <T>(shape: z.ZodType<T>, sql: string, values: Values) =>
    prepare(sql)
      .all(values)
      .map((row) => shape.parse(row));
  const change = (sql: string, values: Values) => prepare(sql).run(values).changes;
  return {
    turns: (key) =>
      rows(
        HistoryTurn,
        `SELECT u.turn AS number, u.tool, u.agent, u.state, u.content AS question,
           coalesce(a.content, '') AS answer, u.metadata AS facts, u.created_at AS started_at
         FROM conversation_turns u LEFT JOIN conversation_turns a
           ON a.project = u.project AND a.session_id = u.session_id AND a.turn = u.turn
             AND a.role = 'assistant'
         WHERE u.project = :project AND u.session_id = :session AND u.role = 'user'
         ORDER BY u.turn`,
        { ...key },
      ),
    memories: (key) =>
      rows(
        AgentMemory,
        `SELECT cli_name AS agent, cli_session_id AS agent_session, cwd, model, cli_version,
           last_turn, input_tokens, output_tokens, cached_tokens, answered_by
         FROM cli_session_mapping WHERE ${ofKey}`,
        { ...key },
      ),
    begin: (key, turn) =>
      atomically(database, () => {
        const metadata = JSON.stringify({ mark: turn.mark });
        const values = { ...key, ...turn, metadata };
        change(
          `INSERT INTO sessions VALUES (:project, :session, :at, :at)
           ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at`,
          values,
        );
        const last = `SELECT coalesce(max(turn), 0) FROM conversation_turns WHERE ${ofKey}`;
        const { number } = Next.parse(prepare(`SELECT (${last}) + 1 AS number`).get(values));
        change(
          `${insertTurn} VALUES
             (:project, :session, :number, :tool, :agent, 'user', :question, 'started', :metadata, :at)`,
          { ...values, number },
        );
        return number;
      }),
    end: (key, { memory, ...turn }) =>
      atomically(database, () => {
        const values = { ...key, ...turn };
        const answered = change(
          `${insertTurn} SELECT project, session_id, turn, tool, agent, 'assistant', :answer, :state, '{}', :at
           FROM conversation_turns WHERE ${asked}`,
          values,
        );
        // The conversation was removed in the meantime.
        if (answered === 0) return;
        change(
          `UPDATE conversation_turns SET state = :state, metadata = :facts WHERE ${asked}`,
          values,
        );
        change(
          `INSERT OR REPLACE INTO turn_context VALUES (:project, :session, :number, :injected, :role)`,
          values,
        );
        change(`UPDATE sessions SET updated_at = :at WHERE ${ofKey}`, values);
        change(
          `DELETE FROM cli_session_mapping WHERE ${ofKey}
             AND cli_name = (SELECT agent FROM conversation_turns WHERE ${asked})`,
          values,
        );
        if (memory === null) return;
        change(
          `INSERT INTO cli_session_mapping VALUES
             (:project, :session, :agent, :agent_session, :cwd, :model, :cli_version, :last_turn,
              :input_tokens, :output_tokens, :cached_tokens, :at, :answered_by)`,
          { ...values, ...memory },
        );
      }),
    breakOff: (key) =>
      rows(
        OpenTurn,
        `UPDATE conversation_turns SET state = 'broken-off'
         WHERE ${ofKey} AND state = 'started' RETURNING metadata`,
        { ...key },
      ).flatMap(({ metadata }) => Marked.safeParse(jsonIn(metadata)).data?.mark ?? []),
    conversations: (project) => conversationsIn(database, project),
    projectsOf: (session) =>
      rows(Project, 'SELECT project FROM sessions WHERE session_id = :session', { session }).map(
        ({ project }) => project,
      ),
    search: (project, words, most) =>
      words.length === 0
        ? []
        : rows(
            HistoryHit,
            `SELECT t.session_id, t.turn, t.role, t.created_at AS at,
               snippet(turn_search, 0, '', '', '…', 24) AS excerpt
             FROM turn_search JOIN conversation_turns t ON t.id = turn_search.rowid
             WHERE turn_search MATCH :words AND t.project = :project ORDER BY rank LIMIT :most`,
            { words: literalWords(words), project, most },
          ),
    remove: (key) =>
      atomically(database, () => {
        change(`DELETE FROM conversation_turns WHERE ${ofKey}`, { ...key });
        return change(`DELETE FROM sessions WHERE ${ofKey}`, { ...key }) > 0;
      }),
    close: () => database.close(),
  };
}
