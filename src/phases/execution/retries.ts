// Says which tasks the user had redone, with which notes, and by which agents.
import { discardReason, type ExecutorAssignment, Retry } from '../../model/execution.ts';
import { agentOfMethod, byHand } from '../../model/team.ts';
import { flowOf, isStep, steps } from '../../model/steps.ts';
import { every } from '../../model/step.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import { firstAsked, keepEarlier } from './earlier-records.ts';
import type { Execution, ExecutionStart } from './execution-team.ts';

/** Replays the retries of this execution, and keeps what existed before them. */
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

/** The notes of each retry of a task, in order, including those from earlier executions of its plan. */
export function retriesOf(records: readonly JournalRecord[], task: string): readonly string[] {
  return readRetries(records).flatMap(({ tasks, note, unconfined }) =>
    unconfined === undefined && tasks.includes(task) ? [note] : [],
  );
}

/** The checks that a person lets run unconfined for the plan with this hash, by the texts that identify them. */
export function findUnconfined(records: readonly JournalRecord[], plan: string): readonly string[] {
  return readRetries(records).flatMap(({ unconfined }) =>
    unconfined?.plan === plan ? unconfined.checks : [],
  );
}

function readRetries(records: readonly JournalRecord[]): readonly Retry[] {
  return sinceDiscarded(records).flatMap((record) =>
    record.type === 'finished' && isStep(record.key, anyRetry) ? Retry.parse(record.result) : [],
  );
}

/**
 * Changes the executors if retries since the last answer about them name others; a completed task keeps the
 * agent that did it.
 */
export function withRetries(
  opened: ExecutionStart,
  { tools, number }: Pick<Execution, 'tools' | 'number'>,
): ExecutionStart {
  const { records } = tools.execution;
  const { group } = steps.execution(number);
  const { key: answer } = steps.execute(number);
  const since = records.slice(
    1 + records.findLastIndex((one) => one.type === 'finished' && one.key === answer),
  );
  const named = since.flatMap((record) => {
    if (record.type !== 'finished' || !isStep(record.key, anyRetry)) return [];
    if (flowOf(record.key) !== group) return [];
    const { tasks, execution_method: method } = Retry.parse(record.result);
    if (method === undefined) return [];
    const reason = method === byHand ? 'changed by hand' : 'chosen for this try';
    return tasks.map((id) => {
      const { last = [] } = opened.byTask[id] ?? {};
      const first = opened.ready.find((name) => !last.includes(name)) ?? opened.ready[0];
      return [id, { executor: agentOfMethod(method) ?? first ?? '', reason, last }] as const;
    });
  });
  const byTask = { ...opened.byTask, ...Object.fromEntries(named) };
  const done = Object.entries(byTask).map(([id, one]): [string, ExecutorAssignment] => {
    const before = isRecorded(tools, steps.task(number, id).finish)
      ? firstAsked(tools, steps.task(number, id).work)
      : null;
    const isSame = before === null || before === one.executor;
    return [id, isSame ? one : { executor: before, reason: 'it has done it' }];
  });
  return { ...opened, byTask: Object.fromEntries(done) };
}

const anyRetry = steps.execution(every).retry(every);

/** The records since work was last discarded; everything before has to be requested again. */
export function sinceDiscarded(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const at = records.findLastIndex(
    ({ type, ...record }) => type === 'voided' && 'why' in record && record.why === discardReason,
  );
  return records.slice(at + 1);
}
