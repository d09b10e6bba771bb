// Sees which files a task changed, which of them belong to its work, and makes the commits that show it.
import { posix } from 'node:path';
import { z } from 'zod';
import { isLook } from '../../model/check.ts';
import { WorkFacts } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { recordStep } from '../phase-tools.ts';
import type { TreeJob } from './ask-task.ts';
import { isNamed, sortWork } from './belonging.ts';
import { isTestFile } from './runner-files.ts';

/** What a program sees of some work. */
export const SeenWork = z.object({
  /** The commit with everything that the agent changed. */
  commit: z.string(),
  files: z.array(z.string()),
  facts: WorkFacts,
  /** The changes that stay out of the result until a person accepts them. */
  apart: z.array(z.object({ path: z.string(), why: z.string() })),
  /** The start with what belongs to the work; the commit itself if everything does. */
  proof: z.string(),
});
export type SeenWork = z.infer<typeof SeenWork>;

/** Looks at the work of a call, as a step. */
export function seeWork(
  job: TreeJob,
  { index, commit }: { readonly index: number; readonly commit: string },
): Promise<SeenWork> {
  const { tools, trees, task, number, start, signal } = job;
  const step = { tools, signal, step: steps.task(number, task.id).seen(index) };
  return recordStep({ ...step, input: { commit }, shape: SeenWork }, async () => {
    const files = [...(await trees.changed(start, commit))];
    const ignored = [...(await ignoredFiles(job, commit))];
    const sorted = await sortFiles(job, { commit, files });
    const { work, along, apart, links_out, untouched } = sorted;
    const rest = [...along, ...apart.map(({ path }) => path)];
    const facts = { rest, untouched: [...untouched], ignored, links_out: [...links_out] };
    const proof =
      rest.length === 0 ? commit : await trees.compose({ start, of: commit, paths: work });
    return { commit, files, facts, apart: [...apart], proof };
  });
}

/** The start of the task with the test files that it names, as they are in its work. */
export async function startWithTests(
  { trees, task, start }: TreeJob,
  { commit, files }: Pick<SeenWork, 'commit' | 'files'>,
): Promise<string> {
  const paths = files.filter((path) => isTestFile(path) && isNamed(task, path));
  return paths.length === 0 ? start : await trees.compose({ start, of: commit, paths });
}

/** The files that the task names and that no commit can contain. */
async function ignoredFiles(
  { trees, task, tree }: TreeJob,
  commit: string,
): Promise<readonly string[]> {
  const named = (task.files ?? []).flatMap(({ action, path }) => (action === 'delete' ? [] : path));
  // A file that is in the commit is not ignored.
  const missing = await trees.missing(commit, named);
  if (missing.length === 0) return [];
  await tree.moveTo(commit);
  return await trees.ignored(task.id, missing);
}

/** A commit like `start` with what belongs to these tasks of the changes that lead to a commit. */
export async function belongingCommit(
  { trees, start }: Pick<TreeJob, 'trees' | 'start'>,
  { tasks, commit }: { readonly tasks: readonly Task[]; readonly commit: string },
): Promise<string> {
  const files = await trees.changed(start, commit);
  const task = {
    files: tasks.flatMap((one) => withLooks(one).files ?? []),
    checks: tasks.flatMap(checksOf),
  };
  const { work } = await sortFiles({ trees, task, start }, { commit, files });
  return work.length === files.length
    ? commit
    : await trees.compose({ start, of: commit, paths: work });
}

interface SortedFiles extends Pick<WorkFacts, 'links_out' | 'untouched'> {
  readonly work: readonly string[];
  readonly along: readonly string[];
  readonly apart: SeenWork['apart'];
}

/** Sorts the files; where the task names each of them there is nothing to sort. */
async function sortFiles(
  job: Pick<TreeJob, 'trees' | 'start'> & { readonly task: NamingTask },
  { commit, files }: { readonly commit: string; readonly files: readonly string[] },
): Promise<SortedFiles> {
  const { trees, task, start } = job;
  const named = withLooks(task);
  const untouched = (task.files ?? []).flatMap(({ path }) =>
    files.some((file) => isNamed({ files: [{ path }] }, file)) || isCovered(task, path) ? [] : path,
  );
  const isOpen = (task.files ?? []).length === 0;
  const isPlain = isOpen || files.every((path) => isNamed(named, path));
  const links_out = await linksOut(job, commit);
  if (isPlain) return { work: files, along: [], apart: [], links_out, untouched };
  const [before, after] = await Promise.all([trees.files(start), trees.files(commit)]);
  const sorted = await sortWork({ task: named, changed: files, before, after });
  const { work, along, apart } = sorted;
  const left = untouched.filter((path) => sorted.untouched.includes(path));
  return { work, along, apart: [...apart], links_out, untouched: left };
}

type NamingTask = Pick<Task, 'files' | 'test' | 'type' | 'checks'>;

/** The task with the files that its checks look into, which it is meant to change. */
function withLooks(task: NamingTask): NamingTask {
  const paths = checksOf(task).flatMap((one) => (isLook(one.kind) && 'path' in one ? one.path : []));
  const named = task.files ?? [];
  return named.length === 0 ? task : { ...task, files: [...named, ...paths.map((path) => ({ path }))] };
}

/** True if a check of the task is about this file, so that its not being changed shows there. */
function isCovered(task: NamingTask, path: string): boolean {
  return checksOf(task).some((check) =>
    check.kind === 'command'
      ? check.argv.some((word) => posix.normalize(word) === path)
      : 'path' in check && check.path === path,
  );
}

/** The changed links whose target lies outside of the repository. */
async function linksOut(
  { trees, start }: Pick<TreeJob, 'trees' | 'start'>,
  commit: string,
): Promise<string[]> {
  const links = await trees.links(start, commit);
  return links.flatMap(({ path, target }) => {
    const to = posix.join(posix.dirname(path), target);
    return posix.isAbsolute(target) || to === '..' || to.startsWith('../') ? path : [];
  });
}
