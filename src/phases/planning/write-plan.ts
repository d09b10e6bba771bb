import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import { taskFile } from '../../model/plan-rules.ts';
import type { Task } from '../../model/task.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { planMarkdown } from './plan-text.ts';
import { fileText, writeTogether } from './plan-writes.ts';
import { keepTaskNumbers } from './task-numbers.ts';

/** Puts a plan on disk: same plan, same files. Task files of an earlier plan are removed. */
export async function writePlan(written: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly contextPackage: ContextPackage;
  readonly folder: SessionFolder;
}): Promise<void> {
  const { plan, tasks, folder } = written;
  const wanted = new Set(tasks.map(({ id }) => taskFile(id)));
  await keepTaskNumbers(folder, written);
  const there = (await folder.list('.task')).map((name) => `.task/${name}`);
  await writeTogether(folder, [
    ...there.filter((path) => !wanted.has(path)).map((path) => ({ path, text: null })),
    ...tasks.map((task) => ({ path: taskFile(task.id), text: fileText(task) })),
    { path: 'plan.md', text: planMarkdown({ ...written, sessionId: folder.id }) },
    { path: 'plan.json', text: fileText(plan) },
  ]);
}
