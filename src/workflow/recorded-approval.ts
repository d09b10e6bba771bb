// Reads from the journal which plan was approved last, and by whom.
import { z } from 'zod';
import { Approval } from '../model/approval.ts';
import { every } from '../model/step.ts';
import { isStep, steps } from '../model/steps.ts';
import type { JournalRecord } from '../store/journal.ts';
import { isVerdict, RecordedVerdict } from './review-verdicts.ts';

/** The last approval of a plan; null if it was withdrawn or never given. */
export function findApproval(records: readonly JournalRecord[]): Approval | null {
  const last = records.findLast(
    (record) => record.type === 'finished' && (isVerdictAgainst(record) || isApproval(record.key)),
  );
  if (last?.type !== 'finished' || !isApproval(last.key)) return null;
  return RecordedApproval.safeParse(last.result).data ?? null;
}

function isApproval(key: string): boolean {
  return isStep(key, steps.approval(every).record, steps.approval(every, every).record);
}

function isVerdictAgainst({ key, result }: { readonly key: string; readonly result: unknown }) {
  const { data } = isVerdict(key) ? RecordedVerdict.safeParse(result) : {};
  const { kind } = data?.verdict ?? {};
  return kind === 'revise' || kind === 'reply' || kind === 'reject';
}

const RecordedApproval = z.union([
  z.object({ approval: Approval }).transform(({ approval }) => approval),
  Approval,
]);
