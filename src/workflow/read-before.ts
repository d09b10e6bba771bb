// Tells by the journal if a plan was shown to the user before others could read it.
import { steps } from '../model/steps.ts';
import type { JournalRecord } from '../store/journal.ts';

/**
 * True for a plan that was shown to the user before anybody could read it: by a version that had no
 * readers.
 */
export function isShownUnread(records: readonly JournalRecord[], decision: number): boolean {
  const { write } = steps.plan(decision);
  const written = records.findLastIndex(
    (record) => record.type === 'finished' && record.key === write.key,
  );
  const later = records
    .slice(written + 1)
    .flatMap((record) => (record.type === 'started' ? record.key : []));
  const isRead = later.includes(steps.reading(decision).readers.key);
  return !isRead && later.includes(steps.approval(decision).check.key);
}
