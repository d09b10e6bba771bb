// Calls an agent once for a turn, outside of any budget.
import { randomBytes } from 'node:crypto';
import type { RequestContent } from '../agents/agent.ts';
import type { AgentCall, Attempt } from '../agents/attempt.ts';
import { callAgent } from '../agents/call.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { CallsOfTurn } from './turn-request.ts';

/** A call: what is sent, and where its files go. */
export interface OneCall extends Pick<
  CallsOfTurn,
  'agent' | 'cwd' | 'extraDirs' | 'folder' | 'limits' | 'markPrefix' | 'watch' | 'signal'
> {
  readonly request: Omit<RequestContent, 'about'>;
  /** The path of its files, relative to the folder. */
  readonly path: string;
  /** The suffix in the names of its files, before the extension. */
  readonly suffix: string;
  readonly onEvent: (event: AgentEvent) => void;
}

const neverSkipped = new AbortController().signal;

/** Calls an agent to its end, for a text answer. */
export async function callOnce(one: OneCall): Promise<Attempt<string>> {
  const { agent, request, cwd, extraDirs, folder, path, suffix } = one;
  const call: AgentCall<string> = {
    agent,
    seat: agent.name,
    request: { ...request, about: null },
    form: null,
    workspace: { cwd, extraDirs, hidden: [], keep: async (text) => text },
    files: { folder, path, suffix },
    limits: one.limits,
    mark: `${one.markPrefix}${randomBytes(6).toString('hex')}`,
    wasKilled: false,
    watch: one.watch,
    skip: neverSkipped,
    reserve: async () => ({ over: neverSkipped, use: () => undefined, end: () => undefined }),
    report: { started: () => undefined, spent: () => undefined, acted: one.onEvent },
  };
  return await callAgent<string>(call, one.signal);
}
