import type { CodeReview, TaskOutcome } from '../../model/execution.ts';
import { blocks } from './check-answer.ts';

/**
 * Outcomes after a review: a task that nothing had proven is completed where the review finds each
 * of its criteria met and nothing that blocks in a file that it changed.
 */
export function unprovenAccepted(
  review: CodeReview,
  outcomes: readonly TaskOutcome[],
): TaskOutcome[] {
  return outcomes.map((outcome) =>
    outcome.status === 'unproven' && isAccepted(review, outcome)
      ? { ...outcome, status: 'completed', why: '', criteria: outcome.criteria.map(() => true) }
      : outcome,
  );
}

function isAccepted({ criteria, findings }: CodeReview, outcome: TaskOutcome): boolean {
  const own = criteria.filter(({ task }) => task === outcome.task);
  const areMet = own.length > 0 && own.every(({ verdict }) => verdict === 'met');
  return (
    areMet && !findings.some((one) => blocks(one) && outcome.files_modified.includes(one.file))
  );
}
