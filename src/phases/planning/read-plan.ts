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
export async function readStoredPlan({
  folder,
  schemas,
  repository,
}: PlanTools): Promise<StoredPlan> {
  const check = schemas.check.bind(schemas);
  const exists = (path: string) => repository.exists(path);
  const all = await validateFolder({ folder: folder.path, check, existsAt: async () => exists });
  const findings = blockingFirst(all.filter(({ rule }) => rule !== 'approval-stale'));
  const files = await readFiles(folder);
  if (files === null) return { plan: null, tasks: [], findings: withReason(findings), hash: null };
  return { ...files, findings, hash: planHash(files.plan, files.tasks) };
}

async function readFiles(
  folder: SessionFolder,
): Promise<Omit<Extract<StoredPlan, { plan: Plan }>, 'findings' | 'hash'> | null> {
  const plan = Plan.safeParse(await jsonOf(folder, 'plan.json')).data;
  const contextPackage = ContextPackage.safeParse(
    await jsonOf(folder, 'context-package.json'),
  ).data;
  if (plan === undefined || contextPackage === undefined) return null;
  const ids = (await folder.list('.task')).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  const tasks = await tasksOf(folder, plan.task_ids);
  if (tasks.length < plan.task_ids.length) return null;
  const leftOver = await tasksOf(
    folder,
    ids.filter((id) => !plan.task_ids.includes(id)),
  );
  return { plan, tasks, leftOver, contextPackage };
}

/** Without files that are no task of their id, and ids that could lead out of the folder. */
async function tasksOf(folder: SessionFolder, ids: readonly string[]): Promise<readonly Task[]> {
  const read = await Promise.all(
    ids.map(async (id) => {
      if (!TaskId.safeParse(id).success) return null;
      const task = Task.safeParse(await jsonOf(folder, taskFile(id))).data;
      return task?.id === id ? task : null;
    }),
  );
  return read.filter((task) => task !== null);
}

async function jsonOf(folder: SessionFolder, path: string): Promise<unknown> {
  return jsonIn((await folder.read(path)) ?? '');
}

/** Where a part is missing altogether, no finding of a file says so. */
function withReason(findings: readonly Finding[]): readonly Finding[] {
  if (findings.some(({ severity }) => severity === 'blocking')) return findings;
  const message =
    'plan.json or context-package.json is missing, so there is no plan to review; fork the session to write both again.';
  const place = { file: 'plan.json', pointer: '' };
  return [{ severity: 'blocking', rule: 'plan-missing', ...place, message }, ...findings];
}
