// Says which tasks the user had redone, with which notes and by which agents, and keeps what was there before.
import { mkdir, readdir, rename } from 'node:fs/promises';
import { discardReason, type ExecutorAssignment, Retry } from '../../model/execution.ts';
import { agentOfMethod, byHand } from '../../model/team.ts';
import { flowOf, isStep, parseStep, steps } from '../../model/steps.ts';
import { every } from '../../model/step.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { foldSteps } from '../../store/recorded-steps.ts';
import { nullIfAbsent } from '../../store/system-error.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import type { Execution, ExecutionStart } from './execution-team.ts';

/** Replays the retries of this execution, and keeps what existed before them. */
export async function replayRetries(execution: Execution): Promise<void> {
  const { tools, number } = execution;
  const own = steps.execution(number);
  for (let index = 1; isRecorded(tools, own.retry(index)); index += 1) {
    await recordStep({ ...execution, step: own.retry(index), shape: Retry }, () =>
      Promise.reject(new Error('what is recorded is not done again')),
    );
    const kept = { ...execution, step: own.kept(index), shape: Retry.shape.tasks };
    await recordStep(kept, async () => {
      await keepEarlier(execution);
      return [];
    });
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

const resultFiles = [
  'execution-result.json',
  'execution-result.diff',
  'code-review.json',
  'code-review.md',
];

/**
 * Copies the result and its review to `execution/N/earlier-M`, and moves the prompts and outputs of restarted
 * tasks there. Does nothing in the first execution.
 */
export async function keepEarlier(execution: Execution): Promise<void> {
  const { tools, number, tasks } = execution;
  const { folder } = tools;
  const own = `execution/${number}`;
  const names = (await nullIfAbsent(readdir(folder.absolute(own)))) ?? [];
  const again = tasks.filter(({ id }) => {
    const { finish, work } = steps.task(number, id);
    return names.includes(id) && !isRecorded(tools, finish) && firstAsked(execution, work) === null;
  });
  if ((await folder.read('execution-result.json')) === null && again.length === 0) return;
  const place = `${own}/earlier-${1 + names.filter((name) => name.startsWith('earlier-')).length}`;
  for (const name of resultFiles) {
    const text = await folder.read(name);
    if (text !== null) await folder.write(`${place}/${name}`, text);
  }
  for (const { id } of again) {
    await mkdir(folder.absolute(place), { recursive: true, mode: 0o700 });
    await nullIfAbsent(rename(folder.absolute(`${own}/${id}`), folder.absolute(`${place}/${id}`)));
  }
}

/** The agent of the first call that counts; null if there was no call. */
function firstAsked({ tools }: Execution, { path }: { readonly path: string }): string | null {
  const keys = [...foldSteps(tools.execution.records).keys()];
  const step = parseStep(keys.find((one) => one.startsWith(`${path}/`)) ?? '');
  return step?.kind === 'work' ? step.agent : null;
}
