// Lists the tools that ask agents and models, look up earlier conversations, and count tokens.
import { checkHostFlags } from '../app/conversation-agent.ts';
import { countTokens } from '../app/conversation-context.ts';
import { searchSessions } from '../app/conversation-history.ts';
import { withHistory } from '../app/conversation-place.ts';
import { listSessions } from '../app/list-sessions.ts';
import { readOutputFormat } from '../app/output-format.ts';
import { describeSession } from '../app/saved-session.ts';
import { runAsJob } from './job-tools.ts';
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { FilledText, Ordinal, Text, Texts, Whole } from '../model/plain-shapes.ts';
import type { SessionState } from '../model/session.ts';
import { counted, listed } from '../model/wording.ts';
import { askPerson, openFolder } from './consent.ts';
import { ProjectFolder, takes } from './job-request.ts';
import { toolResult } from './results.ts';
import { tool } from './tool-table.ts';

const Kind = z
  .enum(['plan', 'conversation', 'all'])
  .default('all')
  .describe('Planning sessions, conversations, or both.');

/** The most hits of both kinds together, from which those of one kind are selected. */
const mostHits = 200;

/** The tools that start no agent. */
export const historyTools = [
  tool({
    name: 'list_sessions',
    title: 'List sessions',
    description: 'List the planning sessions and conversations of a project, the latest first.',
    takes: {
      folder: ProjectFolder,
      kind: Kind,
      limit: Ordinal.max(50).default(20).describe('The most that are listed.'),
      cursor: Whole.min(0)
        .default(0)
        .describe('The `next` of an earlier result, to get what follows.'),
    },
    effect: 'reads',
    async act({ folder, kind, limit, cursor }, call) {
      const { environment } = call;
      const { root } = await openFolder(folder, call);
      const project = await realpath(root);
      const plans = kind === 'conversation' ? [] : await listSessions({ root, environment });
      const talks =
        kind === 'plan'
          ? []
          : await withHistory(environment, (history) => history.conversations(project));
      const all = [
        ...plans.map(({ id, state }) => ({
          session: id,
          about: (state?.task_description ?? '').slice(0, 120),
          ...standingOf(state),
          last_activity: state?.updated_at ?? '',
        })),
        ...talks.map(({ session_id: session, title, turns, updated_at: last_activity }) => ({
          session,
          kind: 'conversation',
          about: title.slice(0, 120),
          state: counted(turns, 'turn'),
          last_activity,
        })),
      ].toSorted((a, b) => (a.last_activity < b.last_activity ? 1 : -1));
      const end = cursor + limit;
      const next = end < all.length ? end : null;
      return toolResult({ sessions: all.slice(cursor, end), total: all.length, next });
    },
  }),
  tool({
    name: 'describe_session',
    title: 'Describe a session',
    description:
      'Say what a planning session or a conversation is about, its state, and what it made.',
    takes: {
      session: Text.describe('The id of a planning session or a conversation.'),
      folder: ProjectFolder,
    },
    effect: 'reads',
    async act({ session, folder }, call) {
      const { environment } = call;
      const { root } = await openFolder(folder, call);
      const project = await realpath(root);
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
      return toolResult({
        session,
        ...standingOf(state),
        about: state.task_description.slice(0, 300),
        phase: state.phase,
        rounds: rounds.length,
        approved: isApproved,
        branch: result?.branch ?? null,
        tasks: result?.tasks.map(({ task, title, status, why }) => ({ task, title, status, why })),
        files: state.artifacts,
        last_activity: state.updated_at,
      });
    },
  }),
  tool({
    name: 'search_project_history',
    title: 'Search what was said before',
    description:
      'Search the conversations and plans of a project for words; each hit names its session and, in a conversation, the turn.',
    takes: {
      query: FilledText.describe('Words that must all occur, spelled exactly as given.'),
      folder: ProjectFolder,
      kind: Kind,
      limit: Ordinal.max(20).default(10).describe('The most hits.'),
    },
    effect: 'reads',
    async act({ query, folder, kind, limit }, call) {
      const { environment } = call;
      const { root } = await openFolder(folder, call);
      const words = query.split(/\s+/).filter((word) => word !== '');
      const most = kind === 'all' ? limit : mostHits;
      const all = await searchSessions({ root, environment }, words, most);
      const hits = all.filter((hit) => kind === 'all' || hit.kind === kind).slice(0, limit);
      return toolResult({ hits, found: hits.length });
    },
  }),
  tool({
    name: 'count_project_tokens',
    title: 'Count tokens',
    description:
      'Estimate the tokens of files and folders, in total and for each. In a folder, only the text files that git does not ignore are counted.',
    takes: {
      paths: Texts.min(1).max(200).describe('Files and folders of the project.'),
      folder: ProjectFolder,
    },
    effect: 'reads',
    async act({ paths, folder }, call) {
      await openFolder(folder, call);
      const agreement = { folder, context: paths };
      await askPerson({ asks: 'May tokens be counted', agreement, name: 'paths' }, call);
      const { environment, signal } = call;
      const naming = { cwd: folder, environment, name: 'paths', signal };
      const files: Awaited<ReturnType<typeof countTokens>>[] = [];
      for (const path of paths) files.push(await countTokens(path, naming));
      return toolResult({ total: files.reduce((sum, { tokens }) => sum + tokens, 0), files });
    },
  }),
];

/** The status of a session for a host: the job that asked a question has ended, but its session waits. */
function standingOf(state: SessionState | null) {
  if (state === null) return { kind: 'plan', state: 'unreadable' };
  const { status, waits_for: question } = state;
  if (status !== 'interrupted' || question === null) return { kind: 'plan', state: status };
  return { kind: 'plan', state: 'waiting', waits_for: question };
}

export const conversationTools = [
  tool({
    name: 'work_with',
    title: 'Let another agent work',
    description:
      'Hand a task to another coding agent (claude, codex, gemini, copilot, opencode), which may edit files and run commands in the folder. One conversation can go on across agents by its session.',
    takes: takes.work,
    effect: 'changes',
    async act(input, call) {
      const { agent, task, folder, role, session_id, context, cli_flags: flags } = input;
      const { settings } = await openFolder(folder, call);
      checkHostFlags(agent, flags, settings);
      const conversation = session_id ?? 'a new one';
      const consent = {
        asks: `May ${agent} edit files and run commands in ${folder}`,
        agreement: { agent, flags, folder, role, conversation, context, task },
        setting: 'write' as const,
        isAllowed: settings.mcp.may.includes('write'),
      };
      const outside = await askPerson(consent, call);
      return await runAsJob({ kind: 'work', ...input, outside }, call);
    },
  }),
  tool({
    name: 'consult_with',
    title: 'Ask another model',
    description:
      'Get a second opinion from another model. It reads only the files in context, and changes nothing.',
    takes: takes.consult,
    effect: 'adds',
    async act(input, call) {
      const { model, question: task, folder, role, session_id, context, output_format } = input;
      await openFolder(folder, call);
      await readOutputFormat(output_format, { cwd: folder, name: 'output_format' });
      const conversation = session_id ?? 'a new one';
      const agreement = { agent: model, folder, role, conversation, context, task };
      const outside = await askPerson({ asks: `May ${model} be asked`, agreement }, call);
      return await runAsJob({ kind: 'consult', ...input, outside }, call);
    },
  }),
  tool({
    name: 'group_think',
    title: 'Let several models discuss',
    description:
      'Let two to five models discuss a topic about the code, without a plan: their positions, what they agree on, and what they do not.',
    takes: takes.discuss,
    effect: 'adds',
    async act(input, call) {
      const { topic: task, models: agents, context, folder } = input;
      await openFolder(folder, call);
      const agreement = { agents, folder, context, task };
      await askPerson({ asks: `May ${listed(agents)} discuss this`, agreement }, call);
      return await runAsJob({ kind: 'discuss', ...input }, call);
    },
  }),
  tool({
    name: 'critique_plan',
    title: 'Have a plan examined',
    description:
      'Have a plan that exists already examined by agents of other vendors: the places that are wrong, and objections whose evidence was checked in the code. Nobody changes anything.',
    takes: takes.critique,
    effect: 'adds',
    async act(input, call) {
      await openFolder(input.folder, call);
      return await runAsJob({ kind: 'critique', ...input }, call);
    },
  }),
];
