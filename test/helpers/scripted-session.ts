import { type Agent, type AgentTraits, bareTraits } from '../../src/agents/agent.ts';
import { loadSettings } from '../../src/app/settings/load-settings.ts';
import { openSession } from '../../src/app/open-session.ts';
import type { Event } from '../../src/model/event.ts';
import { claimSession, openSessionFolder } from '../../src/store/session-folder.ts';
import { findEnd, reopen } from '../../src/workflow/recorded.ts';
import { runSession } from '../../src/workflow/run-session.ts';
import { plainFacts } from '../agents/agent-room.ts';
import type { Rig } from './rig.ts';
import { todoTask } from './todo-project.ts';

/** The answer to each kind of request, by the phase that its first line names. */
export type Replies = (asked: {
  readonly phase: string;
  readonly round: number;
  readonly repair: boolean;
  readonly agent: string;
  readonly prompt: string;
}) => unknown;

/** What a session came to in this process, and which agents it called. */
export interface ScriptedEnd {
  readonly id: string;
  readonly end: Awaited<ReturnType<typeof runSession>>;
  readonly events: readonly Event[];
  readonly calls: readonly string[];
  /** What each call was asked, in their order. */
  readonly prompts: readonly string[];
  /** The session that each call went on with, or null. */
  readonly sessions: readonly (string | null)[];
}

/**
 * Runs a session in this process, the given one or a new one, up to its approved plan. The agents
 * of the settings give these replies; whatever is asked of a person is agreed to. Agents that resume
 * go on with their own session.
 */
export async function scriptedSession(
  rig: Rig,
  replies: Replies,
  id?: string,
  resumes: AgentTraits['resumes'] = 'never',
): Promise<ScriptedEnd> {
  const { repo: root, environment } = rig;
  const settings = await loadSettings({ root, environment });
  const folder =
    id === undefined
      ? await claimSession({ root, task: todoTask, now: new Date() })
      : await openSessionFolder(root, id);
  const events: Event[] = [];
  const { signal } = new AbortController();
  const view = {
    show: (event: Event) => void events.push(event),
    clarify: async () => ({ answers: [], feedback: '', skipped: true, by: 'nobody' as const }),
    decide: async () => ({
      kind: 'approve' as const,
      solution: 1,
      execution_method: 'Agent' as const,
      code_review_tool: 'Skip' as const,
      constraints: [],
      by: 'user' as const,
    }),
    approve: async () => ({ kind: 'approve' as const, by: 'user' as const, hash: null }),
    execute: async () => ({ kind: 'later' as const }),
    apply: async () => false,
    choose: async () => 'no',
  };
  const task = id === undefined ? todoTask : null;
  const session = await openSession({
    folder,
    root,
    settings,
    environment,
    view,
    task,
    resumed: null,
    interrupt: signal,
    now: () => new Date(),
    async prepare(journal) {
      const end = findEnd(journal);
      if (end !== null) await reopen(journal, end);
    },
  });
  const calls: string[] = [];
  const prompts: string[] = [];
  const sessions: (string | null)[] = [];
  const { agents } = session.tools;
  const get = (name: string) =>
    agents.get(name)?.kind === 'model'
      ? replying(name, replies, { calls, prompts, sessions, resumes })
      : agents.get(name);
  try {
    const tools = { ...session.tools, agents: { ...agents, get } };
    const run = { ...session, tools, view, settings: settings.run, planner: null };
    const end = await runSession({ ...run, interrupt: signal });
    return { id: folder.id, end, events, calls, prompts, sessions };
  } finally {
    await session.close();
  }
}

interface Seen {
  readonly calls: string[];
  readonly prompts: string[];
  readonly sessions: (string | null)[];
  readonly resumes: AgentTraits['resumes'];
}

function replying(name: string, replies: Replies, seen: Seen): Agent {
  const { calls, prompts, sessions, resumes } = seen;
  const agentSession = resumes === 'never' ? null : `${name}-session`;
  return {
    name,
    traits: { ...bareTraits(name), edits: true, resumes },
    kind: 'model',
    ready: async () => ({ state: 'ready', path: null, version: null }),
    vendorOf: () => `vendor-${name}`,
    async *run({ prompt, resume }) {
      const asked = JSON.parse(/^conclave question: (\{.*\})/.exec(prompt)?.[1] ?? '{}');
      calls.push(`${name} ${asked.phase}-${asked.round}`);
      prompts.push(prompt);
      sessions.push(resume?.agentSession ?? null);
      const { session, round, phase } = asked;
      const answer = replies({ ...asked, agent: name, prompt });
      const filled = { session, ...(phase === 'plan' ? {} : { round }), ...Object(answer) };
      const text = typeof answer === 'string' ? answer : JSON.stringify(filled);
      yield { type: 'message', content: text, partial: false };
      return { ok: true, text, facts: { ...plainFacts, agentSession } };
    },
  };
}
