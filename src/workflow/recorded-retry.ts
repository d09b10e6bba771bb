// Makes a session redo tasks that the user names, with all tasks that build on them.
import type { Retry } from '../model/execution.ts';
import { every } from '../model/step.ts';
import { flowOf, isStep, parseStep, steps } from '../model/steps.ts';
import type { Task } from '../model/task.ts';
import { ancestry } from '../model/task-order.ts';
import type { Journal } from '../store/journal.ts';
import { recordResult, voidSteps } from '../store/logged-steps.ts';
import { foldSteps } from '../store/recorded-steps.ts';
import { anyRetry, executionNumber } from './recorded.ts';
import { type NamedTeam, nameTeam } from './recorded-team.ts';

/** Records a retry as a step, and voids the old work and everything that depends on it. */
export async function reopenForRetry(
  journal: Journal,
  retry: Retry,
  {
    tasks,
    review,
  }: { readonly tasks: readonly Pick<Task, 'id' | 'depends_on'>[] } & Pick<NamedTeam, 'review'>,
): Promise<void> {
  const number = executionNumber(journal.records);
  await nameTeam(journal, number, { execution: null, review });
  const comesAfter = ancestry(tasks) ?? (() => false);
  const isAgain = (id: string) => retry.tasks.some((one) => one === id || comesAfter(id, one));
  const keys = [...foldSteps(journal.records).keys()];
  await recordRetry(journal, retry);
  const again = keys.filter((key) => isRedone(key, number, isAgain) && !isKept(key, number, retry));
  await voidSteps(journal, again, `conclave execute --retry ${retry.tasks.join(' ')}`);
}

/** Records what is redone and what may run unconfined, as a step that each later run looks up. */
export async function recordRetry(journal: Journal, retry: Retry): Promise<void> {
  const own = steps.execution(executionNumber(journal.records));
  const known = [...foldSteps(journal.records).keys()].filter(
    (key) => flowOf(key) === own.group && isStep(key, steps.execution(every).retry(every)),
  );
  await recordResult(journal, own.retry(1 + known.length), retry);
}

/** True for paid work that is kept, because only a check that now runs unconfined is judged again. */
function isKept(key: string, number: number, { tasks, unconfined }: Retry): boolean {
  const { task = null, group } = parseStep(key) ?? {};
  if (unconfined === undefined || task === null || !tasks.includes(task)) return false;
  const { work, finish, failed } = steps.task(number, task);
  const isOther = group !== finish.group && key !== failed.key;
  return isOther || key.startsWith(`${work.path}/`);
}

/** True for a step of the execution or after it, except its start, its retries, and the tasks that stay. */
function isRedone(key: string, number: number, isAgain: (id: string) => boolean): boolean {
  const own = steps.execution(number);
  const flow = flowOf(key);
  if (flow !== own.group) {
    const after = [steps.session.end.key, steps.codeReview(number).group];
    return [...after, steps.apply(number).question.key].includes(flow);
  }
  if ([own.open.key, own.rehearsal.key].includes(key) || isStep(key, anyRetry)) return false;
  const step = parseStep(key);
  if (step === null || step.task === null || isAgain(step.task)) return true;
  return step.group === steps.join(number, step.task).attempt.group;
}
