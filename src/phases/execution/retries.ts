// Tells which tasks the user had done again, and with which notes.
import { discardReason, Retry } from '../../model/execution.ts';
import { isStep, steps } from '../../model/steps.ts';
import { every } from '../../model/step.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { isRecorded, recordStep } from '../tools.ts';
import { keepEarlier } from './earlier-records.ts';
import type { Execution } from './execution.ts';

/** Replays what this execution was asked to do again, and keeps what was there before it. */
export async function replayRetries(execution: Execution): Promise<void> {
  const { tools, number, signal } = execution;
  const own = steps.execution(number);
  for (let index = 1; isRecorded(tools, own.retry(index)); index += 1) {
    const common = { tools, signal };
    await recordStep({ ...common, step: own.retry(index), shape: Retry }, () => never());
    await recordStep({ ...common, step: own.kept(index), shape: Retry.shape.tasks }, async () => {
      await keepEarlier(execution);
      return [];
    });
  }
}

const never = () => Promise.reject(new Error('what is recorded is not done again'));

/** The notes of each retry of a task, in order, those of earlier executions of its plan included. */
export function retriesOf(records: readonly JournalRecord[], task: string): readonly string[] {
  return sinceDiscarded(records).flatMap((record) => {
    if (record.type !== 'finished' || !isStep(record.key, anyRetry)) return [];
    const { tasks, note } = Retry.parse(record.result);
    return tasks.includes(task) ? [note] : [];
  });
}

const anyRetry = steps.execution(every).retry(every);

/** Work that was discarded is asked for again. */
export function sinceDiscarded(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const at = records.findLastIndex(
    ({ type, ...record }) => type === 'voided' && 'why' in record && record.why === discardReason,
  );
  return records.slice(at + 1);
}
