import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { planMarkdown } from './plan-text.ts';

/** Puts a plan on disk: same plan, same files. Task files of an earlier plan are removed. */
export async function writePlan(written: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly contextPackage: ContextPackage;
  readonly folder: SessionFolder;
}): Promise<void> {
  const { plan, tasks, folder } = written;
  const wanted = new Set(tasks.map((task) => `${task.id}.json`));
  for (const name of await folder.list('.task')) {
    if (!wanted.has(name)) await folder.remove(`.task/${name}`);
  }
  for (const task of tasks) await folder.writeJson(`.task/${task.id}.json`, task);
  await folder.write('plan.md', planMarkdown({ ...written, sessionId: folder.id }));
  await folder.writeJson('plan.json', plan);
}
