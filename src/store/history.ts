// Keeps conversations in `history.db`, one SQLite file per user.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { FilledText, Ordinal, Text, TextOrNull, Whole } from '../model/plain-shapes.ts';
import { jsonIn } from '../model/json.ts';
import { atomically, literalWords, openDatabase } from './history-database.ts';
import { type ConversationEntry, conversationsIn } from './history-list.ts';

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
const OpenTurn = z.object({ metadata: Text });
const Marked = z.object({ mark: FilledText });

/** Opens the history, making or updating it if needed. Throws `cannot-write` or `history-…`. */
export async function openHistory(file: string): Promise<History> {
  return historyIn(await openDatabase(file));
}

function historyIn(database: DatabaseSync): History {
  const rows = <T>(shape: z.ZodType<T>, sql: string, ...values: readonly (string | number)[]) =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => shape.parse(row));
  const change = (sql: string, ...values: readonly (string | number | null)[]) =>
    database.prepare(sql).run(...values).changes;
  return {
    turns: ({ project, session }) =>
      rows(
        HistoryTurn,
        `SELECT u.turn AS number, u.tool, u.agent, u.state, u.content AS question,
           coalesce(a.content, '') AS answer, u.metadata AS facts, u.created_at AS started_at
         FROM conversation_turns u LEFT JOIN conversation_turns a
           ON a.project = u.project AND a.session_id = u.session_id AND a.turn = u.turn
             AND a.role = 'assistant'
         WHERE u.project = ? AND u.session_id = ? AND u.role = 'user' ORDER BY u.turn`,
        project,
        session,
      ),
    memories: ({ project, session }) =>
      rows(
        AgentMemory,
        `SELECT cli_name AS agent, cli_session_id AS agent_session, cwd, model, cli_version,
           last_turn, input_tokens, output_tokens, cached_tokens, answered_by
         FROM cli_session_mapping WHERE project = ? AND session_id = ?`,
        project,
        session,
      ),
    begin: ({ project, session }, { tool, agent, question, at, mark }) =>
      atomically(database, () => {
        change(
          `INSERT INTO sessions VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at`,
          project,
          session,
          at,
          at,
        );
        const last = database
          .prepare(
            'SELECT max(turn) AS last FROM conversation_turns WHERE project = ? AND session_id = ?',
          )
          .get(project, session);
        const number = Number(last?.['last'] ?? 0) + 1;
        const row = [project, session, number, tool, agent, 'user', question, 'started'] as const;
        change(insertTurn, ...row, JSON.stringify({ mark }), at);
        return number;
      }),
    end: ({ project, session }, { number, state, answer, facts, injected, role, memory, at }) =>
      atomically(database, () => {
        const which = [project, session, number] as const;
        const turn = database
          .prepare(
            'SELECT tool, agent FROM conversation_turns WHERE project = ? AND session_id = ? AND turn = ?',
          )
          .get(...which);
        // The conversation was removed in the meantime.
        if (turn === undefined) return;
        const { tool, agent } = z.object({ tool: Text, agent: Text }).parse(turn);
        change(
          `UPDATE conversation_turns SET state = ?, metadata = ?
           WHERE project = ? AND session_id = ? AND turn = ? AND role = 'user'`,
          state,
          facts,
          ...which,
        );
        change(insertTurn, ...which, tool, agent, 'assistant', answer, state, '{}', at);
        change(
          'INSERT OR REPLACE INTO turn_context VALUES (?, ?, ?, ?, ?)',
          ...which,
          injected,
          role,
        );
        change(
          'UPDATE sessions SET updated_at = ? WHERE project = ? AND session_id = ?',
          at,
          project,
          session,
        );
        change(
          'DELETE FROM cli_session_mapping WHERE project = ? AND session_id = ? AND cli_name = ?',
          project,
          session,
          agent,
        );
        if (memory === null) return;
        change(
          'INSERT INTO cli_session_mapping VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          project,
          session,
          agent,
          memory.agent_session,
          memory.cwd,
          memory.model,
          memory.cli_version,
          memory.last_turn,
          memory.input_tokens,
          memory.output_tokens,
          memory.cached_tokens,
          at,
          memory.answered_by,
        );
      }),
    breakOff: ({ project, session }) =>
      rows(
        OpenTurn,
        `UPDATE conversation_turns SET state = 'broken-off'
         WHERE project = ? AND session_id = ? AND state = 'started' RETURNING metadata`,
        project,
        session,
      ).flatMap(({ metadata }) => Marked.safeParse(jsonIn(metadata)).data?.mark ?? []),
    conversations: (project) => conversationsIn(database, project),
    projectsOf: (session) =>
      rows(Project, 'SELECT project FROM sessions WHERE session_id = ?', session).map(
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
             WHERE turn_search MATCH ? AND t.project = ? ORDER BY rank LIMIT ?`,
            literalWords(words),
            project,
            most,
          ),
    remove: ({ project, session }) =>
      atomically(database, () => {
        change(
          'DELETE FROM conversation_turns WHERE project = ? AND session_id = ?',
          project,
          session,
        );
        return (
          change('DELETE FROM sessions WHERE project = ? AND session_id = ?', project, session) > 0
        );
      }),
    close: () => database.close(),
  };
}

const insertTurn = `INSERT INTO conversation_turns
  (project, session_id, turn, tool, agent, role, content, state, metadata, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
