// Shows what a task has changed so far, and reads the changes in a result.
import { setTimeout as wait } from 'node:timers/promises';
import type { Worktrees } from '../../git/worktrees.ts';
import type { ExecutionResult } from '../../model/execution.ts';
import { diffByFile } from '../../prompts/review-prompt.ts';
import type { Tools } from '../phase-tools.ts';
import type { TaskJob } from './execution-team.ts';

/** The task whose changes are shown. */
interface ChangedTask extends Pick<TaskJob, 'start' | 'signal'> {
  readonly tools: Pick<Tools, 'emit'>;
  readonly trees: Pick<Worktrees, 'diff'>;
  readonly task: Pick<TaskJob['task'], 'id'>;
}

/** The least time between two looks, in ms; looks take a tenth of the time at most. */
const pause = 2_000;
/** The longest diff that is shown, in characters. */
const longestDiff = 200_000;

/** Shows what a task has changed so far at intervals while its agent works. */
export async function showChangesDuring<T>(job: ChangedTask, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([job.signal, over.signal]);
  const look = async () => {
    let [last, took]: [string | null, number] = [null, 0];
    for (;;) {
      // Rejects when the work is over, which ends the wait.
      await wait(Math.max(pause, 9 * took), null, { signal }).catch(() => null);
      if (signal.aborted) return;
      const since = performance.now();
      last = await showChanges(job, { name: job.task.id }, last);
      took = performance.now() - since;
    }
  };
  const looking = look();
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
  }
}

/** Shows what a task has changed up to a commit or in its work tree, unless it was the last thing shown. */
export async function showChanges(
  { tools, trees, task, start }: ChangedTask,
  to: Parameters<Worktrees['diff']>[1],
  last: string | null = null,
): Promise<string | null> {
  // The work tree may not exist yet, and an old commit may be gone.
  const diff = await trees.diff(start, to).catch(() => null);
  if (diff === null || diff === last) return last;
  tools.emit({ type: 'task.changed', task: task.id, diff: shownDiff(diff) });
  return diff;
}

/** Reads what one task of a result has changed, or all tasks if none is given. */
export async function readChanges(
  {
    tools,
    signal,
    result: { start, commit, tasks },
  }: Pick<TaskJob, 'tools' | 'signal'> & { readonly result: ExecutionResult },
  id: string | null,
): Promise<string> {
  const trees = await tools.execution.worktrees(signal);
  const ends = id === null ? { start, commit } : tasks.find(({ task }) => task === id);
  if (ends === undefined || ends.start === null || ends.commit === null) return '';
  return shownDiff(await trees.diff(ends.start, { commit: ends.commit }));
}

/** Removes secrets from a diff and cuts it to what a person reads. */
function shownDiff(diff: string): string {
  const bare = diffByFile(diff)
    .map(({ text }) => `${text}\n`)
    .join('');
  return bare.length > longestDiff ? `${bare.slice(0, longestDiff)}\n… cut here` : bare;
}
