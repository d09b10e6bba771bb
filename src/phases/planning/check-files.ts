import type { Finding } from '../../model/finding.ts';
import type { Task, TaskFile } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { pathProblem, tidyPath } from '../../model/repository-path.ts';
import { mayRunTogether, tasksInOrder } from '../../model/task-order.ts';

/**
 * The files of the tasks against the base, in the order in which the tasks run. Where `exists` is
 * null, nothing is known of the base, and the tasks are only held against each other.
 */
export async function checkFiles({
  tasks,
  exists,
}: {
  readonly tasks: readonly Task[];
  readonly exists: ((path: string) => Promise<boolean>) | null;
}): Promise<readonly Finding[]> {
  const touches = touchesOf(tasksInOrder(tasks));
  if (exists === null) return sharedFindings(touches, tasks);
  const paths = [...new Set(touches.map(({ path }) => path))];
  const base = await Promise.all(paths.map((path) => exists(path)));
  const present = new Map(paths.map((path, index) => [path, base[index] ?? false]));
  return [...presenceFindings(touches, present), ...sharedFindings(touches, tasks)];
}

interface Touch {
  readonly task: string;
  readonly path: string;
  readonly action: TaskFile['action'];
  readonly pointer: string;
}

/** Paths that may not be touched at all are named by the meaning rules. */
function touchesOf(tasks: readonly Task[]): readonly Touch[] {
  return tasks.flatMap(({ id, files = [] }) =>
    files.flatMap(({ path, action }, index) =>
      pathProblem(path) === null
        ? [{ task: id, path: tidyPath(path), action, pointer: `/files/${index}` }]
        : [],
    ),
  );
}

/** Walks through the tasks and keeps track of which files exist by then. */
function presenceFindings(
  touches: readonly Touch[],
  base: ReadonlyMap<string, boolean>,
): readonly Finding[] {
  const present = new Map(base);
  const last = new Map<string, string>();
  return touches.flatMap((touch) => {
    const there = present.get(touch.path) ?? false;
    const before = last.get(touch.path);
    present.set(touch.path, touch.action !== 'delete');
    last.set(touch.path, touch.task);
    if (touch.action === 'create') return there ? [alreadyThere(touch, before)] : [];
    return there || touch.action === undefined ? [] : [notThere(touch, before)];
  });
}

function alreadyThere({ task, path, pointer }: Touch, before: string | undefined): Finding {
  const why =
    before === undefined ? 'exists already' : `exists by then because of ${nameOf(before)}`;
  return {
    severity: 'warning',
    rule: 'file-exists',
    file: taskFile(task),
    pointer: `${pointer}/action`,
    message: `${nameOf(task)} creates ${path}, which ${why}; set the action to "modify" or choose another path.`,
  };
}

function notThere({ task, path, action, pointer }: Touch, before: string | undefined): Finding {
  const verb = action === 'delete' ? 'deletes' : 'modifies';
  const why =
    before === undefined
      ? 'does not exist at the base and which no earlier task creates'
      : `${nameOf(before)} deletes before it`;
  return {
    severity: 'blocking',
    rule: 'file-missing',
    file: taskFile(task),
    pointer: `${pointer}/path`,
    message: `${nameOf(task)} ${verb} ${path}, which ${why}; correct the path or the action.`,
  };
}

/**
 * Within the order it is enough to look at neighbours: where each touch of a file waits for the
 * one before it, all of them are in a row.
 */
function sharedFindings(touches: readonly Touch[], tasks: readonly Task[]): readonly Finding[] {
  const together = mayRunTogether(tasks);
  const last = new Map<string, string>();
  return touches.flatMap(({ task, path, pointer }) => {
    const before = last.get(path);
    last.set(path, task);
    if (before === undefined || !together(before, task)) return [];
    return [
      {
        severity: 'blocking',
        rule: 'file-shared',
        file: taskFile(task),
        pointer,
        message: `${nameOf(task)} and ${nameOf(before)} may run at once and both touch ${path}; let ${nameOf(task)} depend on ${nameOf(before)}.`,
      },
    ];
  });
}
