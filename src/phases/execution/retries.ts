// Says which tasks the user had redone, with which notes and by which agents.
import { discardReason, type ExecutorAssignment, Retry } from '../../model/execution.ts';
import { agentOfMethod, byHand } from '../../model/team.ts';
import { flowOf, isStep, parseStep, steps } from '../../model/steps.ts';
import { every } from '../../model/step.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { foldSteps } from '../../store/recorded-steps.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import type { Execution, ExecutionStart } from './execution-team.ts';

/** Replays the retries of this execution. */
export async function replayRetries(execution: Execution): Promise<void> {
  const { retry } = steps.execution(execution.number);
  for (let index = 1; isRecorded(execution.tools, retry(index)); index += 1) {
    await recordStep({ ...execution, step: retry(index), shape: Retry }, () =>
      Promise.reject(new Error('what is recorded is not done again')),
    );
  }
}

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

const anyRetry = steps.execution(every).retry(every);

function readRetries(records: readonly JournalRecord[]): readonly Retry[] {
  return sinceDiscarded(records).flatMap((record) =>
    record.type === 'finished' && isStep(record.key, anyRetry) ? Retry.parse(record.result) : [],
  );
}

/**
 * Changes the executors if retries since the last answer about them name others; a completed task keeps the
 * agent that did it.
 */
export function withRetries(opened: ExecutionStart, execution: Execution): ExecutionStart {
  const { tools, number } = execution;
  const { records } = tools.execution;
  const { key: answer } = steps.execute(number);
  const last = records.findLastIndex((one) => one.type === 'finished' && one.key === answer);
  const own = records
    .slice(1 + last)
    .filter((one) => 'key' in one && flowOf(one.key) === steps.execution(number).group);
  const byTask: Record<string, ExecutorAssignment> = { ...opened.byTask };
  for (const { tasks, execution_method: method } of readRetries(own)) {
    if (method === undefined) continue;
    const reason = method === byHand ? 'changed by hand' : 'chosen for this try';
    for (const id of tasks) {
      const { last: late = [] } = opened.byTask[id] ?? {};
      const first = opened.ready.find((name) => !late.includes(name)) ?? opened.ready[0];
      byTask[id] = { executor: agentOfMethod(method) ?? first ?? '', reason, last: late };
    }
  }
  for (const id of Object.keys(byTask)) {
    const { finish, work } = steps.task(number, id);
    const executor = isRecorded(tools, finish) ? firstAsked(execution, work) : null;
    if (executor !== null && executor !== byTask[id]?.executor)
      byTask[id] = { executor, reason: 'it has done it' };
  }
  return { ...opened, byTask };
}

/** The records since work was last discarded; everything before has to be requested again. */
export function sinceDiscarded(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const at = records.findLastIndex(
    ({ type, ...record }) => type === 'voided' && 'why' in record && record.why === discardReason,
  );
  return records.slice(at + 1);
}

/** The agent of the first call that counts; null if there was no call. */
function firstAsked({ tools }: Execution, { path }: { readonly path: string }): string | null {
  const keys = [...foldSteps(tools.execution.records).keys()];
  const step = parseStep(keys.find((one) => one.startsWith(`${path}/`)) ?? '');
  return step?.kind === 'work' ? step.agent : null;
}
