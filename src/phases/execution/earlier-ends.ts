// Finds what earlier executions of a plan did of a task, so that nobody is paid for it again.
import { TaskOutcome } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { digestOf } from '../../store/digest.ts';
import { withoutRuntime } from '../planning/plan-hash.ts';
import type { TaskWork } from './ask-task.ts';
import type { TaskJob } from './execution-team.ts';
import { retriesOf, sinceDiscarded } from './retries.ts';

/** The task’s content, the commit from which it began, and its retries, on which its end depends. */
export function finishInput({ tools, task, start }: TaskJob) {
  const retries = retriesOf(tools.execution.records, task.id);
  return { task: withoutRuntime(task), start, ...(retries.length > 0 && { retries }) };
}

/** The content of the task on which the work depends: without its checks and the commands derived from them. */
export function contentOf(job: TaskJob): string {
  const { task, ...input } = finishInput(job);
  const { checks: _, test, ...content } = task;
  return digestOf({ ...input, task: { ...content, test: { ...test, commands: [] } } });
}

/** Finds the end of the same task, if its work counts. */
export function findEarlierEnd(job: TaskJob): TaskOutcome | null {
  const input = digestOf(finishInput(job));
  return earlierEnds(job).findLast((end) => end.input === input)?.outcome ?? null;
}

/** Finds the work on the same task and its end, if only its checks have changed since. */
export function findEarlierWork(
  job: TaskJob,
): { readonly work: TaskWork; readonly outcome: TaskOutcome } | null {
  const content = contentOf(job);
  const found = earlierEnds(job).findLast(({ outcome }) => outcome.content === content);
  if (found === undefined) return null;
  const { commit, outcome } = found;
  const { executor: agent, machine, summary } = outcome;
  if (agent === null) return null;
  return { outcome, work: { commit, summary, agent, machine, session: null, left: null } };
}

/** The earlier ends of the task whose work counts. */
function earlierEnds({ tools, task, number }: TaskJob) {
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, at) => steps.task(at + 1, task.id).finish.key),
  );
  return sinceDiscarded(tools.execution.records).flatMap((record) => {
    if (record.type !== 'finished' || !keys.has(record.key)) return [];
    const { input, result } = record;
    const outcome = TaskOutcome.safeParse(result).data;
    const commit = outcome?.commit ?? null;
    return outcome === undefined || commit === null ? [] : { input, outcome, commit };
  });
}
