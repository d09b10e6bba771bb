import { taskFile } from '../../model/plan-rules.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { PlanFiles } from './editing/plan-files.ts';

/** Keeps the files of a plan for people, e.g. in `planning/1/version-1`; made anew if it is there. */
export async function keepVersion(
  session: SessionFolder,
  { folder, plan, tasks }: PlanFiles & { readonly folder: string },
): Promise<void> {
  await session.remove(folder);
  for (const task of tasks) await session.writeJson(`${folder}/${taskFile(task.id)}`, task);
  // Last, so that a folder with a plan.json is complete.
  await session.writeJson(`${folder}/plan.json`, plan);
}
