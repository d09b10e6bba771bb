import { setTimeout as wait } from 'node:timers/promises';
import type { Worktrees } from '../../git/worktrees.ts';
import type { Tools } from '../tools.ts';
import type { TaskJob } from './execution.ts';

/** What is told of a task that is carried out. */
interface Told extends Pick<TaskJob, 'start' | 'signal'> {
  readonly tools: Pick<Tools, 'emit'>;
  readonly trees: Pick<Worktrees, 'diff'>;
  readonly task: Pick<TaskJob['task'], 'id'>;
}

/** Between two looks, in ms; and so many times as long as a look takes, so that it costs little. */
const shortest = 2_000;
const share = 20;
/** Characters of a diff that are told. */
const most = 200_000;

/** Tells what a task has changed so far, now and then while its agent is at work. */
export async function tellingChanges<T>(job: Told, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const looking = lookAgainAndAgain(job, AbortSignal.any([job.signal, over.signal]));
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
  }
}

/** Tells what a task has changed up to a commit, or in its work tree. Returns what was told. */
export async function tellChanges(
  { tools, trees, task, start }: Told,
  to: Parameters<Worktrees['diff']>[1],
  told: string | null = null,
): Promise<string | null> {
  // The work tree may not be there yet, and a commit of long ago not any more.
  const diff = await trees.diff(start, to).catch(() => null);
  if (diff === null || diff === told) return told;
  const isCut = diff.length > most;
  const shown = isCut ? `${diff.slice(0, diff.lastIndexOf('\n', most))}\n… cut here` : diff;
  tools.emit({ type: 'task.changed', task: task.id, diff: shown });
  return diff;
}

async function lookAgainAndAgain(job: Told, over: AbortSignal): Promise<void> {
  let told: string | null = null;
  let pause = shortest;
  for (;;) {
    // Rejects when the work is over, which is what it waits for.
    await wait(pause, null, { signal: over }).catch(() => null);
    if (over.aborted) return;
    const begun = performance.now();
    told = await tellChanges(job, { name: job.task.id }, told);
    pause = Math.max(shortest, share * (performance.now() - begun));
  }
}
