// Writes plan files together, completes interrupted writes, and keeps versions.
import { z } from 'zod';
import { Text, TextOrNull } from '../../model/plain-shapes.ts';
import type { Finding } from '../../model/finding.ts';
import { jsonIn } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { sha256Of } from '../../store/digest.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { PlannedFiles } from './check-plan.ts';
import { readReading } from './reading-file.ts';
import { planMarkdown } from './plan-text.ts';

/** Writes a plan to disk; the same plan gives the same files. The files of dropped tasks are removed. */
export async function writePlan(
  written: PlannedFiles & {
    readonly findings: readonly Finding[];
    readonly folder: SessionFolder;
    /** The tasks of the previous plan; if absent, every existing task file belongs to it. */
    readonly before?: readonly Task[];
  },
): Promise<void> {
  const { plan, tasks, folder, before } = written;
  const reading = await readReading({ folder });
  const wanted = new Set(tasks.map(({ id }) => taskFile(id)));
  const there =
    before?.map(({ id }) => taskFile(id)) ??
    (await folder.list('.task')).map((name) => `.task/${name}`);
  await writeTogether(folder, [
    ...there.filter((path) => !wanted.has(path)).map((path) => ({ path, text: null })),
    ...tasks.map((task) => ({ path: taskFile(task.id), text: fileText(task) })),
    { path: 'plan.md', text: planMarkdown({ ...written, reading }) },
    { path: 'plan.json', text: fileText(plan) },
  ]);
}

/** The file that holds what is to be written until it is; the files of a plan are replaced together. */
export const unfinishedFile = 'planning/unfinished.json';

const FileWrite = z.object({
  path: Text.regex(/^(?:plan\.json|plan\.md|\.task\/[^/\\]+)$/),
  text: TextOrNull.describe('Null removes the file.'),
});
type FileWrite = z.infer<typeof FileWrite>;

const Unfinished = z.object({
  files: z.array(
    FileWrite.extend({
      before: Text.describe('sha256 of what the text replaces, "absent", or "any".'),
    }),
  ),
});

/**
 * Replaces plan files one after the other, each atomically. If that is interrupted, the next `finishWrites`
 * completes it, because all of them were first stored in one file.
 */
export async function writeTogether(
  folder: SessionFolder,
  writes: readonly FileWrite[],
): Promise<void> {
  const marked = await Promise.all(
    writes.map(async (file) => ({ ...file, before: markOf(await folder.read(file.path)) })),
  );
  const changing = marked.filter(({ text, before }) => markOf(text) !== before);
  if (changing.length === 0) return;
  // plan.md is generated, so its content is always replaced.
  const files = changing.map((file) =>
    file.path === 'plan.md' ? { ...file, before: 'any' } : file,
  );
  await folder.writeJson(unfinishedFile, { files });
  for (const file of files) await put(folder, file);
  await folder.remove(unfinishedFile);
}

/**
 * Completes what a killed process began to write; the caller must own the session. A file that somebody changed
 * since then is left as it is. Returns notes about it.
 */
export async function finishWrites(folder: SessionFolder): Promise<readonly string[]> {
  const text = await folder.read(unfinishedFile);
  if (text === null) return [];
  const { data } = Unfinished.safeParse(jsonIn(text));
  const left: string[] = [];
  for (const file of data?.files ?? []) {
    const now = markOf(await folder.read(file.path));
    if (now === markOf(file.text)) continue;
    if (file.before === 'any' || file.before === now) await put(folder, file);
    else left.push(file.path);
  }
  await folder.remove(unfinishedFile);
  if (data === undefined)
    return [`${unfinishedFile} was not readable and was put aside; look at the plan files.`];
  if (left.length === 0) return ['A change of the plan that was cut short was completed.'];
  return [
    `A change of the plan was cut short and ${left.join(', ')} changed since; it was left as it is, so look at the plan files.`,
  ];
}

async function put(folder: SessionFolder, { path, text }: FileWrite): Promise<void> {
  if (text === null) await folder.remove(path);
  else await folder.write(path, text);
}

function markOf(text: string | null): string {
  return text === null ? 'absent' : sha256Of(text);
}

/** The text of a JSON file of a plan. */
export function fileText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Keeps the files of a plan for people, e.g. in `planning/1/version-1`; replaces an existing copy. */
export async function keepVersion(
  session: SessionFolder,
  { folder, plan, tasks }: PlanFiles & { readonly folder: string },
): Promise<void> {
  await session.remove(folder);
  for (const task of tasks) await session.writeJson(`${folder}/${taskFile(task.id)}`, task);
  // Written last, so that a folder with a plan.json is complete.
  await session.writeJson(`${folder}/plan.json`, plan);
}
