// Carries an agent’s own session from one call to the next.
import type { Receipt } from '../model/receipt.ts';
import type { Agent, AgentRequest } from './agent.ts';

/** An agent’s own session, with what it used so far, which its next call may go on with. */
export interface AgentSession {
  readonly agent: string;
  readonly id: string;
  /** The tokens of all its calls; null where they are not known. */
  readonly tokens: Receipt['tokens'];
  /** The model that answered in it last; null where it is not known. */
  readonly model: string | null;
  /** The folder of its latest call. */
  readonly cwd: string;
}

/** Lets a call in a folder go on with a session; null where that agent cannot do so from there. */
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

/** The session that the next call may go on with; its tokens count from the begin of the session. */
export function sessionAfter(
  { agent, agent_session: id, tokens, model }: Receipt,
  { cwd, before }: { readonly cwd: string; readonly before: AgentSession | null },
): AgentSession | null {
  if (id === null) return null;
  if (before?.id !== id || tokens === null) return { agent, id, cwd, tokens, model };
  const { input = 0, output = 0, cached = 0 } = before.tokens ?? {};
  const all = {
    input: input + tokens.input,
    output: output + tokens.output,
    cached: cached + tokens.cached,
  };
  return { agent, id, cwd, tokens: all, model };
}
