import type { Level } from '../../model/ids.ts';
import { type Support, supportOf, type Voices } from './support.ts';
import { compareTexts } from '../../model/wording.ts';
import { isSettled } from './converge.ts';
import type { Draft } from './draft.ts';
import { jointEstimate } from './estimates.ts';

export interface Ranked {
  readonly draft: Draft;
  readonly score: number;
}

/**
 * Solutions best first. The score of each is the sum of
 *
 *     100 if the agents converged on it
 *     − 200 if nobody would build it, where somebody would build another that nobody opposes
 *     + 20 × vendors that support it − 20 × vendors that oppose it
 *     + 20 × vendors that prefer it, from round 2 on
 *     + 40 × feasibility
 *     + effort (low 10, medium 5, high 0) + risk (low 10, medium 5, high 0)
 *     − 2 × failed references, at most 10
 *
 * so that another vendor weighs as much as half the scale of feasibility, or as all of effort and
 * risk. Everything it is made of stands in the solution. Ties go by name, then by id and
 * authors.
 */
export function rankDrafts(drafts: readonly Draft[], voices: Voices): readonly Ranked[] {
  const judged = drafts.map((draft) => ({ draft, support: supportOf(draft, voices) }));
  const hasChoice = judged.some(
    ({ support }) => support.preferrers.length > 0 && support.opponents.length === 0,
  );
  return judged
    .map(({ draft, support }) => {
      const isPassedOver = hasChoice && support.preferrers.length === 0;
      const score = rankScore({ draft, support, voices }) - (isPassedOver ? 200 : 0);
      return { draft, score: Math.round(score * 100) / 100 };
    })
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        compareTexts(a.draft.name, b.draft.name) ||
        compareTexts(a.draft.id ?? '', b.draft.id ?? '') ||
        compareTexts(a.draft.source_cli.join(), b.draft.source_cli.join()),
    );
}

function rankScore(judged: {
  readonly draft: Draft;
  readonly support: Support;
  readonly voices: Voices;
}): number {
  const { draft, voices } = judged;
  const { supporters, supportedByUnknown, preferrers, opponents } = judged.support;
  const { feasibility, effort, risk } = jointEstimate(draft.estimates);
  const support = Math.max(supporters.length, supportedByUnknown ? 1 : 0);
  const preference = voices.round === 1 ? 0 : preferrers.length;
  const failed = draft.estimates.reduce((sum, estimate) => sum + estimate.failed, 0);
  return (
    (isSettled(draft, voices) ? 100 : 0) +
    20 * (support + preference - opponents.length) +
    40 * feasibility +
    ease[effort] +
    ease[risk] -
    Math.min(10, 2 * failed)
  );
}

const ease: Readonly<Record<Level, number>> = { low: 10, medium: 5, high: 0 };
