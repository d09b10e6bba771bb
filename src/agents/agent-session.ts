// Carries an agent’s own session from one call to the next.
import { addTokens } from '../model/make-events.ts';
import type { Receipt } from '../model/receipt.ts';
import type { Agent, AgentRequest } from './agent.ts';

/** An agent’s own session, with its usage so far, which its next call may continue. */
export interface AgentSession {
  readonly agent: string;
  readonly id: string;
  /** The tokens of all its calls; null if they are unknown. */
  readonly tokens: Receipt['tokens'];
  /** The model that answered in it last; null if it is unknown. */
  readonly model: string | null;
  /** The folder of its latest call. */
  readonly cwd: string;
}

/** Lets a call in a folder continue a session; null if the agent cannot do so from there. */
export function resumeIn({
  cwd,
  agent,
  session,
}: {
  readonly cwd: string;
  readonly agent: Agent;
  readonly session: AgentSession | null;
}): AgentRequest['resume'] {
  if (session?.agent !== agent.name) return null;
  const { resumes } = agent.traits;
  if (resumes === 'never' || (resumes === 'in-its-folder' && session.cwd !== cwd)) return null;
  const { id: agentSession, tokens, model } = session;
  return {
    agentSession,
    cwd,
    ...(model === null ? {} : { model }),
    ...(tokens === null ? {} : { spent: tokens }),
  };
}

/** The session that the next call may continue; its tokens count from the start of the session. */
export function sessionAfter(
  { agent, agent_session: id, tokens, model }: Receipt,
  { cwd, before }: { readonly cwd: string; readonly before: AgentSession | null },
): AgentSession | null {
  if (id === null) return null;
  const spent = before?.id === id ? before.tokens : null;
  const all = tokens === null || spent === null ? tokens : addTokens(spent, tokens);
  return { agent, id, cwd, tokens: all, model };
}
