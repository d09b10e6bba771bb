// The tools that look at what was said and planned before, and count tokens.

import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import type { SessionState } from '../model/session.ts';
import { counted } from '../model/wording.ts';
import { workplaceOf } from './call-folder.ts';
import { askPerson } from './consent.ts';
import { ProjectFolder, reads, toolInput } from './job-inputs.ts';
import { answering, toolResult } from './results.ts';
import { loadParts, type ToolHost } from './tool-host.ts';

/** Registers the tools that start no agent. */
export function registerHistoryTools(host: ToolHost): void {
  registerSessions(host);
  registerSearch(host);
  registerTokens(host);
}

const Kind = z
  .enum(['plan', 'conversation', 'all'])
  .default('all')
  .describe('Planning sessions, conversations, or both.');

function registerSessions(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'list_sessions',
    {
      title: 'List sessions',
      description: 'List the planning sessions and conversations of a project, the latest first.',
      inputSchema: toolInput({
        folder: ProjectFolder,
        kind: Kind,
        limit: z.int().min(1).max(50).default(20).describe('The most that are listed.'),
        cursor: z.int().min(0).default(0).describe('From an earlier result, to go on.'),
      }),
      annotations: reads,
    },
    answering(async ({ folder, kind, limit, cursor }, ctx) => {
      const { root } = await workplaceOf(folder, host, ctx);
      const { listSessions } = await loadParts();
      const plans = kind === 'conversation' ? [] : await listSessions({ root, environment });
      const talks = kind === 'plan' ? [] : await conversationsIn(root, environment);
      const discussions = await discussionsOf(environment);
      const all = [
        ...plans.map(({ id, state }) => ({
          session: id,
          about: (state?.task_description ?? '').slice(0, 120),
          ...standingOf(state, discussions.has(id)),
          last_activity: state?.updated_at ?? '',
        })),
        ...talks.map((one) => ({
          session: one.session_id,
          kind: 'conversation',
          about: one.title.slice(0, 120),
          state: counted(one.turns, 'turn'),
          last_activity: one.updated_at,
        })),
      ].toSorted((a, b) => (a.last_activity < b.last_activity ? 1 : -1));
      const shown = all.slice(cursor, cursor + limit);
      const next = cursor + shown.length < all.length ? cursor + shown.length : null;
      return toolResult({ sessions: shown, total: all.length, next });
    }),
  );
  server.registerTool(
    'describe_session',
    {
      title: 'Describe a session',
      description:
        'Say what a planning session or a conversation is about, its state, and what it made.',
      inputSchema: toolInput({
        session: z.string().describe('The id of a planning session or a conversation.'),
        folder: ProjectFolder,
      }),
      annotations: reads,
    },
    answering(async ({ session, folder }, ctx) => {
      const { root } = await workplaceOf(folder, host, ctx);
      const project = await realpath(root);
      const { describeSession, withHistory } = await loadParts();
      const turns = await withHistory(environment, (history) =>
        history.turns({ project, session }),
      );
      if (turns.length > 0) {
        return toolResult({
          session,
          kind: 'conversation',
          about: (turns[0]?.question ?? '').slice(0, 300),
          turns: turns.length,
          agents: [...new Set(turns.map(({ agent }) => agent))],
          last_activity: turns.at(-1)?.started_at ?? null,
        });
      }
      const { state, rounds, isApproved, result } = await describeSession(root, session);
      const { task_description: request, phase, updated_at: last, artifacts } = state;
      const about = request.slice(0, 300);
      const isDiscussion = (await discussionsOf(environment)).has(session);
      const standing = standingOf(state, isDiscussion);
      const facts = { session, ...standing, about, phase, rounds: rounds.length };
      return toolResult({
        ...facts,
        approved: isApproved,
        branch: result?.branch ?? null,
        tasks: result?.tasks.map(({ task, title, status, why }) => ({ task, title, status, why })),
        files: artifacts,
        last_activity: last,
      });
    }),
  );
}

/** The state of a session for a host: a job that asks a person has ended, and a discussion with it. */
function standingOf(state: SessionState | null, isDiscussion: boolean) {
  if (state === null) return { kind: 'plan', state: 'unreadable' };
  const { status, waits_for: question } = state;
  if (status !== 'interrupted' || question === null) return { kind: 'plan', state: status };
  if (isDiscussion) return { kind: 'discussion', state: 'done' };
  return { kind: 'plan', state: 'waiting', waits_for: question };
}

/** The sessions whose discussion has ended. */
async function discussionsOf(environment: NodeJS.ProcessEnv): Promise<ReadonlySet<string>> {
  const { listJobs } = await loadParts();
  const ended = (await listJobs(environment)).filter(
    ({ request, state }) => request.kind === 'discuss' && state.state === 'done',
  );
  return new Set(ended.flatMap(({ state: { session } }) => session ?? []));
}

async function conversationsIn(root: string, environment: NodeJS.ProcessEnv) {
  const project = await realpath(root);
  const { withHistory } = await loadParts();
  return await withHistory(environment, (history) => history.conversations(project));
}

/** Of both kinds, among which one is looked for. */
const mostHits = 200;

function registerSearch(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'search_project_history',
    {
      title: 'Search what was said before',
      description:
        'Search the conversations and plans of a project for words; each hit names its session and, in a conversation, the turn.',
      inputSchema: toolInput({
        query: z.string().min(1).describe('Words that must all occur, spelled like this.'),
        folder: ProjectFolder,
        kind: Kind,
        limit: z.int().min(1).max(20).default(10).describe('The most hits.'),
      }),
      annotations: reads,
    },
    answering(async ({ query, folder, kind, limit }, ctx) => {
      const { root } = await workplaceOf(folder, host, ctx);
      const words = query.split(/\s+/).filter((word) => word !== '');
      const most = kind === 'all' ? limit : mostHits;
      const { searchSessions } = await loadParts();
      const all = await searchSessions({ root, environment }, words, most);
      const hits = all.filter((hit) => kind === 'all' || hit.kind === kind).slice(0, limit);
      return toolResult({ hits, found: hits.length });
    }),
  );
}

function registerTokens(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'count_project_tokens',
    {
      title: 'Count tokens',
      description:
        'Estimate the tokens of files and folders, in total and for each. Of a folder the texts count that git does not ignore.',
      inputSchema: toolInput({
        paths: z.array(z.string()).min(1).max(200).describe('Files and folders of the project.'),
        folder: ProjectFolder,
      }),
      annotations: reads,
    },
    answering(async ({ paths, folder }, ctx) => {
      await workplaceOf(folder, host, ctx);
      const agreement = { folder, context: paths };
      const consent = { asks: 'May tokens be counted', agreement, name: 'paths' };
      const { open } = await askPerson(consent, host, ctx);
      if (open !== null) return open;
      const { countTokens } = await loadParts();
      const naming = { cwd: folder, environment, name: 'paths', signal: ctx.mcpReq.signal };
      const files: Awaited<ReturnType<typeof countTokens>>[] = [];
      for (const path of paths) files.push(await countTokens(path, naming));
      const total = files.reduce((sum, { tokens }) => sum + tokens, 0);
      return toolResult({ total, files });
    }),
  );
}
