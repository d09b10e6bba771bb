// Knows which tasks of a plan touch which file and in which order, and which task of the solution each carries out.
import { pathProblem, tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, tasksInOrder } from '../../model/task-order.ts';

/** The tasks of the solution that a task says it carries out, e.g. `T1` and `T3`. */
export function originsOf({
  source,
}: {
  readonly source?: { readonly original_id?: string | undefined } | undefined;
}): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

/**
 * Lists each file of each task, in the order in which the tasks run. Paths are normalized; those that must not
 * be touched at all are reported by `planFindings`.
 */
export function touchesOf(tasks: readonly Task[]) {
  return tasksInOrder(tasks).flatMap(({ id, files = [] }) =>
    files.flatMap(({ path, action }, index) =>
      pathProblem(path) === null
        ? { task: id, path: tidyPath(path), action, pointer: `/files/${index}` }
        : [],
    ),
  );
}

/** The files that the tasks of a plan touch, by normalized paths. */
export interface Touches {
  /** True if a task may create the file; the path may lack its first folders. */
  isMade(path: string): boolean;
  /** True if a task that is done before this one touches the file, or may: in a circle, any other task. */
  isChangedBefore(task: string | null, path: string): boolean;
}

export function openTouches(tasks: readonly Task[]): Touches {
  const comesAfter = ancestry(tasks);
  const all = touchesOf(tasks);
  const byPath = Map.groupBy(all, ({ path }) => path);
  const made = all.filter(({ action }) => action !== 'modify' && action !== 'delete');
  return {
    isMade: (path) => made.some((one) => `/${one.path}`.endsWith(`/${path}`)),
    isChangedBefore: (task, path) =>
      task !== null &&
      (byPath.get(path) ?? []).some(
        (one) => one.task !== task && comesAfter?.(task, one.task) !== false,
      ),
  };
}
