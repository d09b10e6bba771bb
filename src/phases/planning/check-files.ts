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
  let together: ReturnType<typeof mayRunTogether> | null = null;
  const paths = [...new Set(touches.map(({ path }) => path))];
  const atBase = exists === null ? [] : await Promise.all(paths.map((path) => exists(path)));
  const present = new Map(paths.map((path, index) => [path, atBase[index]]));
  const last = new Map<string, string>();
  const found: Finding[] = [];
  for (const touch of touches) {
    const { path, task, action } = touch;
    const before = last.get(path);
    const isThere = present.get(path);
    present.set(path, action !== 'delete');
    last.set(path, task);
    if (isThere === true && action === 'create') found.push(alreadyThere(touch, before));
    if (isThere === false && (action === 'modify' || action === 'delete'))
      found.push(notThere(touch, before));
    // Where each touch of a file waits for the one before it, all of them are in a row.
    if (before === undefined) continue;
    together ??= mayRunTogether(tasks);
    if (together(before, task)) found.push(sharedBy(touch, before));
  }
  return found;
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

function sharedBy({ task, path, pointer }: Touch, before: string): Finding {
  return {
    severity: 'blocking',
    rule: 'file-shared',
    file: taskFile(task),
    pointer,
    message: `${nameOf(task)} and ${nameOf(before)} may run at once and both touch ${path}; let ${nameOf(task)} depend on ${nameOf(before)}.`,
  };
}
