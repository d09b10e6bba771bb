import { z } from 'zod';
import { jsonIn } from '../../model/json.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { type PlanFiles, highestNumber } from './editing/plan-files.ts';

/** Holds the highest number that a task of the session had, once no task file tells it any more. */
const keptIn = 'planning/last-task.json';

const Kept = z.object({ number: z.int().min(0) });

/** The highest number that a task of the session ever had; 0 where none had one. */
export async function lastTaskNumber(folder: SessionFolder): Promise<number> {
  const names = await folder.list('.task');
  const ids = names.map((name) => name.replace(/\.json$/, ''));
  return Math.max(await keptNumber(folder), highestNumber(ids));
}

/**
 * Call before task files are removed: the numbers of those that are not among the tasks any more
 * are never given again, as something that was said of them may still be around.
 */
export async function keepTaskNumbers(
  folder: SessionFolder,
  { tasks, lastNumber = 0 }: Pick<PlanFiles, 'tasks' | 'lastNumber'>,
): Promise<void> {
  const last = Math.max(lastNumber, await lastTaskNumber(folder));
  const told = Math.max(await keptNumber(folder), highestNumber(tasks.map(({ id }) => id)));
  if (last > told) await folder.writeJson(keptIn, { number: last });
}

async function keptNumber(folder: SessionFolder): Promise<number> {
  return Kept.safeParse(jsonIn((await folder.read(keptIn)) ?? '')).data?.number ?? 0;
}
