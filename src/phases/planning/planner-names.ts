import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';

interface Candidates {
  readonly planner: string | null;
  readonly receipts: Synthesis['receipts'];
  readonly settings: RunSettings;
  readonly agents: Tools['agents'];
}

/**
 * Who may be asked for a new version of a plan: the preferred planner, then who took part, then the
 * fallback chain.
 */
export function plannerNames({
  planner,
  receipts,
  settings,
  agents,
}: Candidates): readonly string[] {
  const tookPart = receipts.map(({ agent }) => agent);
  const names = [...(planner === null ? [] : [planner]), ...tookPart, ...settings.fallback_chain];
  return [...new Set(names)].filter((name) => agents.get(name)?.kind === 'model');
}

/** Who may be asked for the first version: nobody of the chain where no model was given a seat. */
export function firstPlannerNames(from: Candidates): readonly string[] {
  const { receipts, settings, agents } = from;
  const seated = [...settings.tools, ...receipts.map(({ agent }) => agent)];
  const hasModel = seated.some((name) => agents.get(name)?.kind === 'model');
  return plannerNames(hasModel ? from : { ...from, settings: { ...settings, fallback_chain: [] } });
}
