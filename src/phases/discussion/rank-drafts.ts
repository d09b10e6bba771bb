import type { Level } from '../../model/ids.ts';
import { supportOf, type Voice, voicesOf } from './support.ts';
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
 *     + 20 × vendors that support it − 20 × vendors that oppose it
 *     + 40 × feasibility
 *     + effort (low 10, medium 5, high 0) + risk (low 10, medium 5, high 0)
 *     − 2 × failed references, at most 10
 *
 * so that another vendor weighs as much as half the scale of feasibility, or as all of effort and
 * risk. Everything it is made of stands in the solution. Ties go by name, then by id and
 * authors.
 */
export function rankDrafts(drafts: readonly Draft[], voices: readonly Voice[]): readonly Ranked[] {
  return drafts
    .map((draft) => ({ draft, score: rankScore(draft, voices) }))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        compareTexts(a.draft.name, b.draft.name) ||
        compareTexts(a.draft.id ?? '', b.draft.id ?? '') ||
        compareTexts(a.draft.source_cli.join(), b.draft.source_cli.join()),
    );
}

function rankScore(draft: Draft, answers: readonly Voice[]): number {
  const { supporters, supportedByUnknown, opponents } = supportOf(draft, voicesOf(answers));
  const { feasibility, effort, risk } = jointEstimate(draft.estimates);
  const support = Math.max(supporters.length, supportedByUnknown ? 1 : 0);
  const failed = draft.estimates.reduce((sum, estimate) => sum + estimate.failed, 0);
  const score =
    (isSettled(draft, answers) ? 100 : 0) +
    20 * (support - opponents.length) +
    40 * feasibility +
    ease[effort] +
    ease[risk] -
    Math.min(10, 2 * failed);
  return Math.round(score * 100) / 100;
}

const ease: Readonly<Record<Level, number>> = { low: 10, medium: 5, high: 0 };
