import { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import { TaskId } from '../../model/ids.ts';
import { jsonIn } from '../../model/json.ts';
import { Plan } from '../../model/plan.ts';
import { taskFile } from '../../model/plan-rules.ts';
import { Task } from '../../model/task.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { Tools } from '../tools.ts';
import { validateFolder } from '../validate-folder.ts';
import { planHash } from './approval.ts';
import { blockingFirst } from './check-plan.ts';

export type PlanTools = Pick<Tools, 'folder' | 'schemas' | 'repository'>;

/** The plan files as they are on disk, checked. `plan` is null where they cannot be read as one. */
export type StoredPlan =
  | {
      readonly plan: Plan;
      readonly tasks: readonly Task[];
      /** Task files that `plan.task_ids` does not name. */
      readonly leftOver: readonly Task[];
      readonly contextPackage: ContextPackage;
      readonly findings: readonly Finding[];
      readonly hash: string;
    }
  | {
      readonly plan: null;
      readonly tasks: readonly [];
      readonly findings: readonly Finding[];
      readonly hash: null;
    };

/** Reads plan and tasks from disk and checks shape, meaning and the plan check. Changes nothing. */
export async function readStoredPlan(tools: PlanTools): Promise<StoredPlan> {
  const check = tools.schemas.check.bind(tools.schemas);
  const exists = (path: string) => tools.repository.exists(path);
  const all = await validateFolder({
    folder: tools.folder.path,
    check,
    existsAt: async () => exists,
  });
  const findings = all.filter(({ rule }) => rule !== 'approval-stale');
  const read = await readFiles(tools.folder);
  if (read === null) {
    return { plan: null, tasks: [], findings: withReason(findings), hash: null };
  }
  const { plan, tasks } = read;
  return { ...read, findings: blockingFirst(findings), hash: planHash(plan, tasks) };
}

async function readFiles(folder: SessionFolder): Promise<{
  plan: Plan;
  tasks: Task[];
  leftOver: Task[];
  contextPackage: ContextPackage;
} | null> {
  const plan = Plan.safeParse(await jsonOf(folder, 'plan.json'));
  const contextPackage = ContextPackage.safeParse(await jsonOf(folder, 'context-package.json'));
  if (!plan.success || !contextPackage.success) return null;
  const tasks: Task[] = [];
  for (const id of plan.data.task_ids) {
    const task = await taskOf(folder, id);
    if (task === null) return null;
    tasks.push(task);
  }
  const leftOver = await leftOverTasks(folder, plan.data.task_ids);
  return { plan: plan.data, tasks, leftOver, contextPackage: contextPackage.data };
}

async function leftOverTasks(folder: SessionFolder, listed: readonly string[]): Promise<Task[]> {
  const ids = (await folder.list('.task'))
    .flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? [])
    .filter((id) => !listed.includes(id));
  const tasks = await Promise.all(ids.map((id) => taskOf(folder, id)));
  return tasks.filter((task) => task !== null);
}

/** Null where the file is no task of this id, or the id could lead out of the folder. */
async function taskOf(folder: SessionFolder, id: string): Promise<Task | null> {
  if (!TaskId.safeParse(id).success) return null;
  const task = Task.safeParse(await jsonOf(folder, taskFile(id)));
  return task.success && task.data.id === id ? task.data : null;
}

async function jsonOf(folder: SessionFolder, path: string): Promise<unknown> {
  return jsonIn((await folder.read(path)) ?? '');
}

/** Where a part is missing altogether, no finding of a file says so. */
function withReason(findings: readonly Finding[]): readonly Finding[] {
  if (findings.some(({ severity }) => severity === 'blocking')) return blockingFirst(findings);
  const message =
    'plan.json or context-package.json is missing, so there is no plan to review; fork the session to write both again.';
  return [
    { severity: 'blocking', rule: 'plan-missing', file: 'plan.json', pointer: '', message },
    ...findings,
  ];
}
