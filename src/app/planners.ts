// Finds who may be asked to plan, or to carry a saved plan out.
import type { AgentPool } from '../agents/pool.ts';
import { Stopped } from '../model/failure.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { neverAborted } from '../model/signal.ts';
import { findReadyModel } from '../phases/asking/ask-seat.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import type { PlannedSession } from './load-session.ts';
import { poolFor } from './pool.ts';
import { readRounds } from './saved-session.ts';

/** The agents of a session, and the names of those who may plan or carry the plan out, in order. */
export async function plannersOf(
  session: PlannedSession,
  phase: 'planning' | 'execution',
): Promise<{ readonly agents: AgentPool; readonly names: readonly string[] }> {
  const agents = poolFor(session);
  const receipts = (await readRounds(session.folder)).at(-1)?.receipts ?? [];
  const { planner, phases, run: settings } = session.settings;
  const names = plannerNames({ planner, receipts, settings, agents });
  return { agents, names: chosenFirst(phases, phase, names) };
}

/** Throws `nobody-revises` where no planning agent is ready. */
export async function checkPlanners(session: PlannedSession): Promise<void> {
  const { agents, names } = await plannersOf(session, 'planning');
  if ((await findReadyModel(names, agents, neverAborted)) !== null) return;
  const unready = await Promise.all(
    names.map(async (agent) => {
      const readiness = await agents.get(agent)?.ready(neverAborted);
      return {
        agent,
        why: readiness === undefined || readiness.state === 'ready' ? '' : readiness.why,
      };
    }),
  );
  throw new Stopped({ reason: 'nobody-revises', session: session.folder.id, agents: unready });
}
