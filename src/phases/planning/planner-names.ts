import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';

/** Who may be asked to plan: the preferred planner, then who took part, then the fallback chain. */
export function plannerNames({
  planner,
  receipts,
  settings,
  agents,
}: {
  readonly planner: string | null;
  readonly receipts: Synthesis['receipts'];
  readonly settings: RunSettings;
  readonly agents: Tools['agents'];
}): readonly string[] {
  const tookPart = receipts.map(({ agent }) => agent);
  const names = [...(planner === null ? [] : [planner]), ...tookPart, ...settings.fallback_chain];
  return [...new Set(names)].filter((name) => agents.get(name)?.kind === 'model');
}
