// Knows which tasks of a plan touch which file, and in which order.
import { pathProblem, tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, tasksInOrder } from '../../model/task-order.ts';

export type Touch = ReturnType<typeof touchesOf>[number];

/**
 * Lists each file of each task, in the order in which the tasks run. Paths are normalized; those that must not
 * be touched at all are reported by `planFindings`.
 */
export function touchesOf(tasks: readonly Task[]) {
  return tasksInOrder(tasks).flatMap(({ id, files = [] }) =>
    files
      .map(({ path, action }, index) => ({ task: id, path, action, pointer: `/files/${index}` }))
      .filter(({ path }) => pathProblem(path) === null)
      .map((touch) => ({ ...touch, path: tidyPath(touch.path) })),
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
  const made = new Set<string>();
  const byPath = new Map<string, Set<string>>();
  for (const { id, files = [] } of tasks) {
    for (const { path, action } of files) {
      const tidy = tidyPath(path);
      if (action !== 'modify' && action !== 'delete') made.add(tidy);
      byPath.set(tidy, (byPath.get(tidy) ?? new Set()).add(id));
    }
  }
  return {
    isMade: (path) => made.has(path) || [...made].some((one) => one.endsWith(`/${path}`)),
    isChangedBefore(task, path) {
      const others = [...(byPath.get(path) ?? [])].filter((id) => id !== task);
      return task !== null && others.some((id) => comesAfter?.(task, id) !== false);
    },
  };
}
