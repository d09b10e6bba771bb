// Says why an opinion is no vote, and finds the solutions that nobody supports.
import type { HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import { isRefuted } from './reasons.ts';
import { type Voice, isOnText, supportOf, voicesOf } from './support.ts';

/**
 * Says why an agent that is for or against a solution is not counted, as a clause; null where it is.
 * `held` is null for one that recommends or prefers it without a stance.
 */
export function whyNoVote({
  agent,
  held,
  solution,
  synthesis,
}: {
  readonly agent: string;
  readonly held: HeldStance | null;
  readonly solution: Solution;
  readonly synthesis: Pick<Synthesis, 'round' | 'receipts'>;
}): string | null {
  const { estimates = [], preferred_by = [], revised_in: revised } = solution;
  const answered = synthesis.receipts.filter(({ failure }) => failure === null);
  const judged = { ...solution, estimates, preferred_by };
  const { voters } = supportOf(judged, voicesOf(synthesis.round, answered.map(modelVoice)));
  // Its author's word in the answer that revised it is about the new text.
  if (voters.includes(agent) && held?.stance !== 'oppose') return null;
  if (held !== null && !isOnText(held, judged)) {
    return `it was said before the revision of round ${revised}`;
  }
  if (held?.stance === 'oppose') return held.counts ? null : thinReason;
  const receipt = answered.find((one) => one.agent === agent);
  if (receipt === undefined) return `${agent} did not answer in round ${synthesis.round}`;
  if (receipt.vendor === null) return 'the vendor of its model is unknown';
  if (synthesis.round === 1)
    return 'it gives it less than an even chance, or its references failed';
  return held !== null && isRefuted(held) ? 'its evidence failed the check' : thinReason;
}

const thinReason = 'no reason names anything of it, and no evidence was found';

/** As if every answer came from a model: analysts recommend nothing and take no stance. */
function modelVoice({ agent, vendor }: Synthesis['receipts'][number]): Voice {
  return { agent, vendor, kind: 'model' };
}

/** True where an agent that answered in the last round would build a solution, or supports it. */
export function isBacked(
  solution: Solution,
  { round, receipts }: Pick<Synthesis, 'round' | 'receipts'>,
): boolean {
  const { estimates = [], preferred_by = [] } = solution;
  const answered = receipts.filter(({ failure }) => failure === null);
  const judged = { ...solution, estimates, preferred_by };
  const { voters, preferrers } = supportOf(judged, voicesOf(round, answered.map(modelVoice)));
  return voters.length > 0 || preferrers.length > 0;
}
