import type { PlannedFile, SolutionTask } from '../../model/proposal.ts';
import type { Draft } from './draft.ts';
import { wordOverlap } from '../topic-words.ts';

/** Tasks with fewer common words than this are different work, unless they share a file. */
const sameTask = 0.5;

/**
 * The tasks of `base` with the files that the others touch beside its own. A file goes to the
 * task of `base` that is most like the one it comes from; where there is none, that task is
 * appended under the next free id. Files whose reference failed are not taken over.
 */
export function joinTasks(
  base: Draft,
  others: readonly Draft[],
): { readonly tasks: SolutionTask[]; readonly appended: readonly string[] } {
  const tasks = base.implementation_plan.tasks.map((task) => ({ ...task, files: [...task.files] }));
  const own = tasks.length;
  for (const other of others) takeOver(tasks, other);
  return { tasks, appended: tasks.slice(own).map(({ id }) => id) };
}

function takeOver(tasks: SolutionTask[], other: Draft): void {
  const homes = new Map<string, string>();
  const sound = new Set(
    other.affected_files.filter(({ status }) => status !== 'failed').map(({ file }) => file),
  );
  for (const task of other.implementation_plan.tasks) {
    const known = new Set(tasks.flatMap(({ files }) => files.map(({ file }) => file)));
    const fresh = task.files.filter(({ file }) => sound.has(file) && !known.has(file));
    const home = likestTask(tasks, task);
    if (home !== null) {
      home.files.push(...fresh);
      homes.set(task.id, home.id);
    } else if (fresh.length > 0) {
      const id = nextId(tasks);
      const depends_on = [...new Set(task.depends_on.flatMap((on) => homes.get(on) ?? []))];
      tasks.push({ ...task, id, depends_on, files: distinctFiles(fresh) });
      homes.set(task.id, id);
    }
  }
}

function likestTask(tasks: readonly SolutionTask[], task: SolutionTask): SolutionTask | null {
  let best: SolutionTask | null = null;
  let bestScore = 0;
  for (const candidate of tasks) {
    const words = wordOverlap(textOf(candidate), textOf(task));
    const shared = candidate.files.some((a) => task.files.some((b) => a.file === b.file));
    const score = words + (shared ? 1 : 0);
    if (score >= sameTask && score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function textOf({ name, key_point: keyPoint }: SolutionTask): string {
  return `${name} ${keyPoint ?? ''}`;
}

function nextId(tasks: readonly SolutionTask[]): string {
  return `T${Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1)))) + 1}`;
}

function distinctFiles(files: readonly PlannedFile[]): PlannedFile[] {
  return [...new Map(files.map((file) => [file.file, file])).values()];
}
