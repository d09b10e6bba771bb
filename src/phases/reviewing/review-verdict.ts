// Decides from a code review if a result may be brought home.
import type { CodeReview } from '../../model/execution.ts';
import { blocks } from './check-answer.ts';
import { criterionText, locateFinding } from './review-text.ts';

/** The reasons against merging a reviewed result, one sentence each, the worst first. */
export function objectionsIn(review: CodeReview): readonly string[] {
  // The findings were fixed, but no agent could review the fixes; the result says that it is unreviewed.
  if (review.fixed && review.again !== true) return [];
  return [
    ...review.findings
      .filter(blocks)
      .map((finding) => `${locateFinding(finding)}: ${finding.problem}`),
    ...review.criteria.filter(({ verdict }) => verdict === 'not-met').map(criterionText),
  ];
}

/** The reasons against merging a result, including that no reviewer answered. */
export function resultObjections({
  review,
  isUnreviewed = false,
}: {
  readonly review: CodeReview | null;
  readonly isUnreviewed?: boolean;
}): readonly string[] {
  if (isUnreviewed) return ['no reviewer answered'];
  return review === null ? [] : objectionsIn(review);
}
