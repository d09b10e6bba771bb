// Sees which files a task changed, which of them belong to its work, and makes the commits that show it.
import { z } from 'zod';
import { ApartFiles, WorkFacts } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { recordStep } from '../phase-tools.ts';
import type { TreeJob } from './ask-task.ts';
import { type ChangedWork, isNamed, type SortedWork, sortWork } from './belonging.ts';
import { testTypes } from './judge.ts';
import { isTestFile } from './runner-files.ts';

/** What a program sees of some work. */
export const SeenWork = z.object({
  /** The commit with everything that the agent changed. */
  commit: z.string(),
  files: z.array(z.string()),
  facts: WorkFacts,
  /** The files that stay out of the result until a person accepts them. */
  apart: ApartFiles,
  /** The start with what belongs to the work; the commit itself if everything does. */
  proof: z.string(),
  /** The proofs that it changed, which stay as they were. */
  dropped: z.array(z.string()),
});
export type SeenWork = z.infer<typeof SeenWork>;

/** Looks at the work of a call, as a step. */
export function seeWork(
  job: TreeJob,
  { index, commit: made }: { readonly index: number; readonly commit: string },
): Promise<SeenWork> {
  const { tools, trees, task, number, start, laid, signal } = job;
  const isProof = (path: string) => laid.some((proof) => proof.path === path);
  const step = { tools, signal, step: steps.task(number, task.id).seen(index) };
  return recordStep({ ...step, input: { commit: made }, shape: SeenWork }, async () => {
    const changed = await trees.changed(start, made);
    const [dropped, files] = [changed.filter(isProof), changed.filter((path) => !isProof(path))];
    const commit =
      dropped.length === 0 ? made : await trees.compose({ start, of: made, paths: files });
    const ignored = [...(await ignoredFiles(job, commit))];
    const { work, apart, linksOut, untouched } = await sortFiles(job, { commit, files });
    const rest = files.filter((path) => !work.includes(path));
    const diff = await trees.diff(start, { commit });
    const [inverts, reruns] = [invertingMark(diff), rerunTest(diff)];
    const facts = {
      rest,
      untouched: [...untouched],
      ignored,
      links_out: [...linksOut],
      ...(inverts !== undefined && { inverts }),
      ...(reruns !== undefined && { reruns }),
    };
    const proof =
      rest.length === 0 ? commit : await trees.compose({ start, of: commit, paths: work });
    return { commit, files, facts, apart: [...apart], proof, dropped };
  });
}

/** A mark that a change adds to a test, so that it passes by failing, unless the change takes as many away. */
export function invertingMark(diff: string): string | undefined {
  const marks = Array.from(diff.matchAll(inverting), ([, sign, mark]) => ({ sign, mark }));
  const added = marks.filter(({ sign }) => sign === '+');
  return added.length > marks.length / 2 ? added[0]?.mark : undefined;
}

const inverting = /^([+-]).*\b(WILL_FAIL|(?:test|it)\.fail(?:s|ing))\b/gm;

/** The test of CMake from before that a change has run by another command, or judged by what it prints. */
export function rerunTest(diff: string): string | undefined {
  const [before = '', after = ''] = [/^\+.*|^-/gm, /^-.*|^\+/gm].map((one) =>
    diff.replaceAll(one, ''),
  );
  const [then, now] = [commandsIn(before), commandsIn(after)];
  const rerun = [...then].find(([name, command]) => (now.get(name) ?? command) !== command);
  const judged = [...after.matchAll(judging)].find(
    ([call, name = '']) => !before.includes(call) && (then.has(name) || !now.has(name)),
  );
  return rerun?.[0] ?? judged?.[1];
}

function commandsIn(text: string): ReadonlyMap<string, string> {
  const calls = text.replaceAll(/\s+/g, ' ').matchAll(/\badd_test ?\( ?NAME (\S+)([^)]*)/gi);
  return new Map(Array.from(calls, ([, name = '', words = '']) => [name, words.trim()]));
}

const judging = /\bset_tests_properties\s*\(\s*(\S+)\s[^)]*\bPASS_REGULAR_EXPRESSION\b/gi;

/** The start of the task, without its proofs, with the test files of its work. */
export async function startWithTests(
  { trees, parent: start }: TreeJob,
  { commit, files, facts: { rest } }: Pick<SeenWork, 'commit' | 'files' | 'facts'>,
): Promise<string> {
  const paths = files.filter((path) => isTestFile(path) && !rest.includes(path));
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
    files: tasks.flatMap((one) => one.files ?? []),
    checks: tasks.flatMap(checksOf),
  };
  const { work } = await sortFiles({ trees, task, start }, { commit, files });
  return work.length === files.length
    ? commit
    : await trees.compose({ start, of: commit, paths: work });
}

/** Sorts the files; where they are exactly those that the task names there is nothing to sort. */
async function sortFiles(
  { trees, task, start }: Pick<TreeJob, 'trees' | 'start'> & Pick<ChangedWork, 'task'>,
  { commit, files }: { readonly commit: string; readonly files: readonly string[] },
): Promise<SortedWork> {
  const named = task.files ?? [];
  const isTouched = ({ path }: { readonly path: string }) =>
    files.some((file) => isNamed({ files: [{ path }] }, file));
  const isPlain =
    named.every(isTouched) &&
    files.every((path) => isNamed(task, path)) &&
    !testTypes.has(task.type ?? '') &&
    !(await trees.hasLinks(start, commit));
  if (isPlain) return { work: files, apart: [], linksOut: [], untouched: [] };
  const [before, after] = await Promise.all([trees.files(start), trees.files(commit)]);
  return await sortWork({ task, changed: files, before, after });
}
