// Finds the agents that may be asked to plan, to execute a saved plan, or to examine one.
import type { AgentPool } from '../agents/pool.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { neverAborted } from '../model/signal.ts';
import { findReadyModel } from '../phases/asking/ask-seat.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import type { PlannedSession } from './load-session.ts';
import { poolFor, poolToAsk } from './make-pool.ts';
import { readRounds } from './saved-session.ts';
import type { GivenPlan } from '../model/critique.ts';
import { listed } from '../model/wording.ts';
import { seatExaminers } from '../phases/discussion/seats.ts';
import type { Workplace } from './workplace.ts';

/** The agents of a session, and the names of those that may plan or execute the plan, in order. */
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

/** Throws `nobody-revises` if no planning agent is ready. */
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

/** The names of the agents that examine a plan, without its author’s vendor. */
function findExaminers(workplace: Workplace, vendor: string | null): readonly string[] {
  const settings = workplace.settings.run;
  const { seats, chain } = seatExaminers({ settings, agents: poolToAsk(workplace), vendor });
  return seats.length > 0 ? seats : chain.slice(0, 1);
}

/** Throws `usage` with a remedy if there is no examiner; whether they are ready shows when they are asked. */
export function requireExaminers(workplace: Workplace, { host_vendor: vendor }: GivenPlan): void {
  const settings = workplace.settings.run;
  if (findExaminers(workplace, vendor).length > 0) return;
  const names = listed([...new Set([...settings.tools, ...settings.fallback_chain])]);
  const why =
    vendor === null
      ? `${names} cannot examine a plan, as they use no model`
      : `${names} are of the vendor ${vendor}, as the plan is, or have no model`;
  throw wrongUsage(`No agent is left to examine the plan: ${why}. Name others with --tools.`);
}
