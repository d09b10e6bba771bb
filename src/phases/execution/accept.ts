// Takes into the result what tasks left out of it until a person accepted them, and checks it again.
import { z } from 'zod';
import { ExecutionResult } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { recordStep } from '../phase-tools.ts';
import type { Job } from './execution-team.ts';
import { resultTree } from './join-work.ts';
import { checkJoined } from './joined-checks.ts';
import { notApplied } from './resolve-at-home.ts';

/**
 * The result with the changes that its accepted tasks left out. Each is a step, so that a resume makes the same
 * commit. Throws `not-applied` if they conflict with the work of other tasks.
 */
export async function takeAccepted(
  job: Job & { readonly tasks: readonly Task[] },
  result: ExecutionResult,
): Promise<ExecutionResult> {
  const { tools, trees, number, signal } = job;
  const left = result.tasks.flatMap(({ task, apart }) =>
    apart !== undefined && result.accepted?.[task] !== undefined ? { task, ...apart } : [],
  );
  if (left.length === 0) return result;
  const ids = left.map(({ task }) => task);
  const own = steps.apply(number);
  const step = { tools, signal, input: { commit: result.commit, tasks: ids } };
  const commit = await recordStep({ ...step, step: own.accept, shape: z.string() }, async () => {
    const commits = [result.commit, ...left.map((one) => one.commit)];
    const message = `Take in what ${listed(ids)} left out, as accepted`;
    const { head, conflicts } = await trees.make(resultTree, commits, message);
    if (conflicts.length === 0) return head;
    await trees.reclaim([resultTree]);
    const where = conflicts.join(', ');
    throw notApplied(tools, `what ${listed(ids)} left out conflicts with the result in ${where}`);
  });
  const { broken } = await checkJoined({
    ...job,
    executors: [],
    own: steps.joined(number, 'accepted'),
    name: resultTree,
    commit,
    outcomes: result.tasks,
    accepted: ids,
    start: result.start,
    place: 'the result with what was accepted',
  });
  return await recordStep({ ...step, step: own.accepted, shape: ExecutionResult }, async () => {
    await trees.reclaim([resultTree]);
    const { start, carried } = result;
    const { branch } = await trees.publish(commit, { commit: start, carried });
    const { broken: _, ...others } = result;
    const keyOutputs = [...(await trees.changed(start, commit))];
    return { ...others, commit, branch, keyOutputs, ...(broken === null ? {} : { broken }) };
  });
}
