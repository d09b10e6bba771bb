// Finds who examines a plan, and refuses where nobody but its author’s vendor could.
import type { GivenPlan } from '../model/critique.ts';
import { wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { seatExaminers } from '../phases/discussion/seats.ts';
import { poolToAsk } from './pool.ts';
import type { Workplace } from './workplace.ts';

/** The names of those who examine a plan; its author’s vendor is left out. */
export function findExaminers(workplace: Workplace, vendor: string | null): readonly string[] {
  const settings = workplace.settings.run;
  const { seats, chain } = seatExaminers({ settings, agents: poolToAsk(workplace), vendor });
  return seats.length > 0 ? seats : chain.slice(0, 1);
}

/** Throws `usage` with what to do; whether they are ready is seen when they are asked. */
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
