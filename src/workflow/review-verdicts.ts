// Reads the verdicts on plans from the journal, and reopens a review.
import { z } from 'zod';
import { Count, Flag } from '../model/plain-shapes.ts';
import { PlanVerdict, type PlanRejection } from '../model/decision.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { every } from '../model/step.ts';
import { isOfReading, isStep, parseStep, steps } from '../model/steps.ts';
import { ReviewedPlan } from '../phases/planning/read-plan.ts';
import type { Journal, JournalRecord } from '../store/journal.ts';
import { voidSteps } from '../store/logged-steps.ts';
import { foldSteps, withFollowers } from '../store/recorded-steps.ts';

/** The verdict, and the plan at that time. */
export const RecordedVerdict = z.object({
  verdict: PlanVerdict,
  left: z.object({
    blocking: Count,
    approved: Flag.describe('Whether an approval holds for it.'),
    edited: Flag.default(false).describe('Whether a proof has to run again first.'),
    reviewed: ReviewedPlan.nullable()
      .default(null)
      .describe('The plan itself where it was left or rejected.'),
  }),
});
export type RecordedVerdict = z.infer<typeof RecordedVerdict>;

export function isVerdict(key: string): boolean {
  return isStep(key, steps.approval(every).verdict, steps.approval(every, every).verdict);
}

/** The verdicts on plans, in order. */
function verdictsIn(records: readonly JournalRecord[]): readonly PlanVerdict[] {
  return records.flatMap((record) =>
    record.type === 'finished' && isVerdict(record.key)
      ? (RecordedVerdict.safeParse(record.result).data?.verdict ?? [])
      : [],
  );
}

/** The comments that last sent the plan back, if its new version has been made. */
export function findAnsweredComments(
  records: readonly JournalRecord[],
): readonly PlanComment[] | null {
  const made = records.findLastIndex(
    (record) => record.type === 'finished' && isStep(record.key, steps.plan(every, every).write),
  );
  const sent = verdictsIn(records.slice(0, Math.max(made, 0)));
  return sent.findLast((verdict) => verdict.kind === 'revise')?.comments ?? null;
}

/** The current rejection: an approval or a new version ends it, leaving the plan does not. */
export function findRejection(records: readonly JournalRecord[]): PlanRejection | null {
  const last = verdictsIn(records).findLast(({ kind }) => kind !== 'leave');
  return last?.kind === 'reject' ? { why: last.why, by: last.by } : null;
}

/** True for the step with which the review of a plan begins. */
export function isReview(key: string): boolean {
  return isStep(key, steps.approval(every).check, steps.approval(every, every).check);
}

/**
 * Makes a session return to the review of its plan: voids the last one and what followed. If a new version was
 * requested, nothing is voided, because that paid work is finished first.
 */
export async function reopenReview(journal: Journal): Promise<void> {
  const last = [...foldSteps(journal.records).keys()].findLast(isReview);
  if (last === undefined || isRevisionOpen(journal.records)) return;
  await voidReview(journal, last, 'the plan is reviewed again');
}

/** Voids a review and what followed, except for the paid reading by other agents during it. */
export async function voidReview(journal: Journal, key: string, why: string): Promise<void> {
  const keys = withFollowers(journal.records, [key]);
  await voidSteps(
    journal,
    keys.filter((one) => !isOfReading(one)),
    why,
  );
}

/** True if the plan was sent back and its new version has not been reviewed yet. */
export function isRevisionOpen(records: readonly JournalRecord[]): boolean {
  const recorded = foldSteps(records);
  const last = [...recorded.values()].toSorted((a, b) => a.startedAt - b.startedAt).at(-1);
  if (last === undefined) return false;
  const step = parseStep(last.key);
  const isNew = step?.phase === 'planning' || step?.phase === 'proof';
  if (isNew && step.review !== null) return true;
  const verdict = verdictsIn(records).at(-1)?.kind;
  if (isOfReading(last.key)) return verdict === 'reply';
  const isOpen = last.finished !== null && (verdict === 'revise' || verdict === 'reply');
  return isVerdict(last.key) && isOpen;
}
