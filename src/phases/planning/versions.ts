// Lists, reads and restores the versions of a plan, which stand in `planning/N/version-K`.
import { z } from 'zod';
import { Whole } from '../../model/plain-shapes.ts';
import { jsonIn, readAs } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import { Plan, type PlanFiles } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { keepVersion } from './write-plan.ts';

type Folder = Pick<SessionFolder, 'read' | 'list'>;

/** The versions that a person restored, each with the one that it has the content of. */
const Restored = z.array(z.object({ version: Whole, from: Whole }));
const restoredFile = (planning: string) => `${planning}/restored.json`;

/** The folder of the planning whose plan is on disk: that of the latest decision. */
export async function latestPlanning(folder: Folder): Promise<string> {
  const numbers = (await folder.list('planning')).map(Number).filter(Number.isInteger);
  return `planning/${Math.max(1, ...numbers)}`;
}

/** The number of the version on disk: that of the planner’s last one, or of one restored since. */
export async function versionNow(
  folder: Pick<SessionFolder, 'read'>,
  planning: string,
  written: number,
): Promise<number> {
  const restored = readAs(Restored, await folder.read(restoredFile(planning))) ?? [];
  return Math.max(written, ...restored.map(({ version }) => version));
}

/** The numbers of the versions that are kept and can be read, the first one first. */
export async function listVersions(folder: Folder): Promise<readonly number[]> {
  const names = await folder.list(await latestPlanning(folder));
  return names
    .flatMap((name) => /^version-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

/** Reads a version; null if it is not kept or cannot be read. */
export async function readVersion(folder: Folder, version: number): Promise<PlanFiles | null> {
  const at = `${await latestPlanning(folder)}/version-${version}`;
  const plan = readAs(Plan, await folder.read(`${at}/plan.json`));
  if (plan === null) return null;
  const read = await Promise.all(plan.task_ids.map((id) => folder.read(`${at}/${taskFile(id)}`)));
  const tasks = Task.array().safeParse(read.map((text) => jsonIn(text ?? '')));
  return tasks.success ? { plan, tasks: tasks.data } : null;
}

/** Keeps the version on disk, and remembers that the next one has the content of an earlier one. */
export async function noteRestored(
  folder: SessionFolder,
  now: PlanFiles & { readonly version: number },
  from: number,
): Promise<void> {
  const planning = await latestPlanning(folder);
  const { plan, tasks, version } = now;
  await keepVersion(folder, { folder: `${planning}/version-${version}`, plan, tasks });
  const restored = readAs(Restored, await folder.read(restoredFile(planning))) ?? [];
  await folder.writeJson(restoredFile(planning), [...restored, { version: version + 1, from }]);
}
