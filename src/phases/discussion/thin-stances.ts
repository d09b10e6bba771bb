// Finds the stances of an answer that would be no vote, so that their reasons are asked for once.
import type { Repository } from '../../git/repository.ts';
import type { Claim, Examination } from '../../model/proposal.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { withCitedRemarks } from './cited-remarks.ts';
import { checkClaims, plannedFiles } from './check-references.ts';
import { hasCountingReason, hasFoundClaim, isRefuted } from './reasons.ts';

interface ThinStance extends Pick<Examination['stances'][number], 'stance' | 'solution'> {
  readonly at: number;
  /** The places that it cites and the check did not find. */
  readonly failed: readonly string[];
}

/** Stances that would be no vote, as nothing in their words is about the solution. Authors may be brief. */
export function wordlessStances(
  { stances, preferred }: Examination,
  agent: string,
  { solutions, remarks }: Pick<Synthesis, 'solutions' | 'remarks'>,
): readonly (ThinStance & { readonly evidence: readonly Claim[] })[] {
  return stances.flatMap(({ solution: label, evidence, ...held }, at) => {
    const text = solutions.find((one) => one.label === label);
    if (text === undefined || held.stance === 'unsure') return [];
    const standsByOwn = text.source_cli.includes(agent) && preferred === label;
    if (standsByOwn && held.stance === 'support') return [];
    const others = solutions.filter((one) => one !== text);
    const said = withCitedRemarks({ ...held, evidence: [] }, text.id, remarks);
    if (hasCountingReason(said, text, others)) return [];
    return [{ at, stance: held.stance, solution: label, failed: [], evidence }];
  });
}

/** Those of them whose evidence does not make them a vote either. */
export async function thinStances(
  answer: Examination,
  agent: string,
  { previous, repository }: { readonly previous: Synthesis; readonly repository: Repository },
): Promise<readonly ThinStance[]> {
  const planned = plannedFiles(answer, previous);
  const checked = await Promise.all(
    wordlessStances(answer, agent, previous).map(async ({ evidence: claims, ...one }) => {
      const evidence = await checkClaims({ repository, agent, claims, planned });
      const failed = evidence.filter(({ status }) => status === 'failed');
      const isVote = hasFoundClaim(evidence) && !isRefuted({ stance: one.stance, evidence });
      return isVote ? [] : [{ ...one, failed: failed.map(({ path, line }) => `${path}:${line}`) }];
    }),
  );
  return checked.flat();
}

/** The faults of an answer in words for its author. */
export function wishesFor(stances: readonly ThinStance[]): readonly string[] {
  return stances.map(({ at, stance, solution, failed }) => {
    const evidence =
      failed.length === 0
        ? 'has no evidence'
        : `cites ${failed.join(', ')}, where a program did not find the quote`;
    return `/stances/${at}: "${stance}" of ${solution} ${evidence}, and no reason names a file, a symbol or a task of it, so it is no vote. Say what in it you checked, with its place, or say "unsure".`;
  });
}
