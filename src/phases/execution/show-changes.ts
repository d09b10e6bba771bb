// Shows what a task has changed so far.
import { setTimeout as wait } from 'node:timers/promises';
import type { Worktrees } from '../../git/worktrees.ts';
import { diffByFile } from '../../prompts/review.ts';
import type { Tools } from '../tools.ts';
import type { TaskJob } from './execution.ts';

/** The task whose changes are shown. */
interface ChangedTask extends Pick<TaskJob, 'start' | 'signal'> {
  readonly tools: Pick<Tools, 'emit'>;
  readonly trees: Pick<Worktrees, 'diff'>;
  readonly task: Pick<TaskJob['task'], 'id'>;
}

/** Between two looks, in ms. */
const pause = 2_000;
/** Characters of a diff that are shown. */
const longestDiff = 200_000;

/** Shows what a task has changed so far, now and then while its agent is at work. */
export async function showChangesDuring<T>(job: ChangedTask, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const looking = lookAgainAndAgain(job, AbortSignal.any([job.signal, over.signal]));
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
  }
}

/** Shows what a task has changed up to a commit, or in its work tree, unless it was shown last. */
export async function showChanges(
  { tools, trees, task, start }: ChangedTask,
  to: Parameters<Worktrees['diff']>[1],
  last: string | null = null,
): Promise<string | null> {
  // The work tree may not be there yet, and a commit of long ago not any more.
  const diff = await trees.diff(start, to).catch(() => null);
  if (diff === null || diff === last) return last;
  const bare = diffByFile(diff)
    .map(({ text }) => `${text}\n`)
    .join('');
  const shown = bare.length > longestDiff ? `${bare.slice(0, longestDiff)}\n… cut here` : bare;
  tools.emit({ type: 'task.changed', task: task.id, diff: shown });
  return diff;
}

async function lookAgainAndAgain(job: ChangedTask, over: AbortSignal): Promise<void> {
  let last: string | null = null;
  for (;;) {
    // Rejects when the work is over, which is what it waits for.
    await wait(pause, null, { signal: over }).catch(() => null);
    if (over.aborted) return;
    last = await showChanges(job, { name: job.task.id }, last);
  }
}
