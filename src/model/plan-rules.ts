import { cleanText } from './clean-text.ts';
import { TaskId } from './ids.ts';
import type { Finding } from './finding.ts';
import type { Plan } from './plan.ts';
import type { Task } from './task.ts';
import { pathProblem, tidyPath } from './repository-path.ts';
import { topologicalOrder } from './task-order.ts';
import { oneLine } from './wording.ts';

/** A task with the file it stands in, relative to the session folder. */
export interface TaskInFile {
  readonly file: string;
  readonly task: Task;
}

/**
 * What zod cannot say about a plan and its tasks. `files` are all files found under `.task/`,
 * also those that could not be read as a task; left out, they are the files of `tasks`.
 */
export function planFindings({
  plan,
  tasks,
  files = tasks.map(({ file }) => file),
}: {
  readonly plan: Plan;
  readonly tasks: readonly TaskInFile[];
  readonly files?: readonly string[];
}): readonly Finding[] {
  const listed = new Set(plan.task_ids);
  return [
    ...listFindings(plan.task_ids),
    ...countFindings(plan),
    ...fileFindings(plan.task_ids, files),
    ...orderFindings(
      plan.task_ids,
      tasks.map(({ task }) => task),
    ),
    ...taskFindings({ tasks, files, counts: (id) => listed.has(id) }),
  ];
}

/**
 * The rules that need no `plan.json`. A task may depend on what is in `tasks` or `files` and
 * `counts` as part of the plan; without a plan, everything does.
 */
export function taskFindings({
  tasks,
  files = tasks.map(({ file }) => file),
  counts = () => true,
}: {
  readonly tasks: readonly TaskInFile[];
  readonly files?: readonly string[];
  readonly counts?: (id: string) => boolean;
}): readonly Finding[] {
  const ids = new Set(tasks.map(({ task }) => task.id));
  const present = new Set(files);
  const real = (id: string) => counts(id) && (ids.has(id) || present.has(taskFile(id)));
  return [
    ...tasks.flatMap((entry) => idFindings(entry)),
    ...twinFindings(tasks),
    ...tasks.flatMap((entry) => dependencyFindings(entry, real)),
    ...cycleFindings(tasks),
    ...tasks.flatMap((entry) => pathFindings(entry)),
  ];
}

/** The file of a task, relative to the session folder. */
export function taskFile(id: string): string {
  return `.task/${id}.json`;
}

/** An id as it may stand in a message: as it is, or quoted, cleaned and cut. */
export function nameOf(id: string): string {
  return TaskId.safeParse(id).success ? id : JSON.stringify(cleanText(id).slice(0, 80));
}

function listFindings(ids: readonly string[]): readonly Finding[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    const pointer = `/task_ids/${index}`;
    const twice = seen.has(id.toLowerCase());
    seen.add(id.toLowerCase());
    if (!TaskId.safeParse(id).success) {
      return [blocking('task-id-unsafe', 'plan.json', pointer, unsafe(id))];
    }
    if (!twice) return [];
    const message = `task_ids names ${nameOf(id)} twice (upper and lower case count as one); keep one.`;
    return [blocking('task-id-duplicate', 'plan.json', pointer, message)];
  });
}

function countFindings(plan: Plan): readonly Finding[] {
  const found = plan.task_ids.length;
  if (plan.task_count === found) return [];
  const message = `task_count says ${plan.task_count} but task_ids names ${found}; set it to ${found}.`;
  return [blocking('task-count', 'plan.json', '/task_count', message)];
}

function fileFindings(ids: readonly string[], files: readonly string[]): readonly Finding[] {
  const present = new Set(files);
  const listed = new Set(ids.map(taskFile));
  const missing = ids.flatMap((id, index) =>
    present.has(taskFile(id)) || !TaskId.safeParse(id).success
      ? []
      : [
          blocking(
            'task-file-missing',
            'plan.json',
            `/task_ids/${index}`,
            `${id} has no file ${taskFile(id)}; write it or take the id out of task_ids.`,
          ),
        ],
  );
  const leftOver = files
    .filter((file) => !listed.has(file))
    .map((file) =>
      warning(
        'task-file-left-over',
        file,
        '',
        `${shownName(file)} belongs to no id in task_ids, so it will not be executed; list it or delete it.`,
      ),
    );
  return [...missing, ...leftOver];
}

/** Execution goes by depends_on; people read the list from top to bottom. */
function orderFindings(ids: readonly string[], tasks: readonly Task[]): readonly Finding[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  return tasks.flatMap((task) => {
    const own = place.get(task.id);
    if (own === undefined) return [];
    const late = task.depends_on.find((need) => need !== task.id && (place.get(need) ?? -1) > own);
    if (late === undefined) return [];
    const message = `${nameOf(task.id)} stands before ${nameOf(late)}, which it depends on; move it behind.`;
    return [warning('task-order', 'plan.json', `/task_ids/${own}`, message)];
  });
}

function idFindings({ file, task }: TaskInFile): readonly Finding[] {
  if (!TaskId.safeParse(task.id).success) {
    return [blocking('task-id-unsafe', file, '/id', unsafe(task.id))];
  }
  if (file === taskFile(task.id)) return [];
  const message = `${shownName(file)} holds the task ${task.id}; name the file ${taskFile(task.id)} or correct the id.`;
  return [blocking('task-file-name', file, '/id', message)];
}

/** Ids that differ only in case are one file on some file systems. */
function twinFindings(tasks: readonly TaskInFile[]): readonly Finding[] {
  const first = new Map<string, TaskInFile>();
  return tasks.flatMap((entry) => {
    const folded = entry.task.id.toLowerCase();
    const other = first.get(folded);
    if (other === undefined) {
      first.set(folded, entry);
      return [];
    }
    const message = `${nameOf(entry.task.id)} is also the id (upper and lower case count as one) in ${shownName(other.file)}; give each task its own.`;
    return [blocking('task-id-duplicate', entry.file, '/id', message)];
  });
}

function dependencyFindings(
  { file, task }: TaskInFile,
  real: (id: string) => boolean,
): readonly Finding[] {
  const seen = new Set<string>();
  return task.depends_on.flatMap((need, index) => {
    const pointer = `/depends_on/${index}`;
    const twice = seen.has(need);
    seen.add(need);
    if (twice) {
      const message = `${nameOf(task.id)} names its dependency ${nameOf(need)} twice; keep one.`;
      return [warning('dependency-duplicate', file, pointer, message)];
    }
    if (need === task.id) {
      const message = `${nameOf(task.id)} depends on itself; take it out of depends_on.`;
      return [blocking('dependency-self', file, pointer, message)];
    }
    if (real(need)) return [];
    const message = `${nameOf(task.id)} depends on ${nameOf(need)}, which is no task of this plan; correct the id or add the task.`;
    return [blocking('dependency-unknown', file, pointer, message)];
  });
}

function cycleFindings(tasks: readonly TaskInFile[]): readonly Finding[] {
  const order = topologicalOrder(
    tasks.map(({ task }) => ({
      id: task.id,
      depends_on: task.depends_on.filter((need) => need !== task.id),
    })),
  );
  if (order.ok) return [];
  const [start, next] = order.failure.cycle;
  const entry = tasks.find(({ task }) => task.id === start);
  const index = entry?.task.depends_on.findIndex((need) => need === next) ?? -1;
  const path = order.failure.cycle.map(nameOf).join(' → ');
  const message = `The tasks wait for each other in a circle, ${path} (each depends on the next); take one of these dependencies out.`;
  return [
    blocking('dependency-cycle', entry?.file ?? 'plan.json', `/depends_on/${index}`, message),
  ];
}

/** Whatever reads or writes these paths would leave the repository, or change its history. */
function pathFindings({ file, task }: TaskInFile): readonly Finding[] {
  return pathsOf(task).flatMap(({ pointer, path }) => {
    const problem = pathProblem(path);
    if (problem === null) return [];
    const shown = JSON.stringify(cleanText(path).slice(0, 200));
    const message = `${nameOf(task.id)} names the path ${shown}, which ${problem}; give a path inside the repository.`;
    return [blocking('path-outside', file, pointer, message)];
  });
}

interface PathInTask {
  readonly pointer: string;
  readonly path: string;
}

/** The whole repository may be in focus, and a web page may be a reference. */
function pathsOf({ files, checks, focus_paths: focus, reference }: Task): readonly PathInTask[] {
  return [
    ...(files ?? []).map(({ path }, index) => ({ pointer: `/files/${index}/path`, path })),
    ...(checks ?? []).flatMap((check, index) =>
      'path' in check ? [{ pointer: `/checks/${index}/path`, path: check.path }] : [],
    ),
    ...(focus ?? [])
      .map((path, index) => ({ pointer: `/focus_paths/${index}`, path }))
      .filter(({ path }) => tidyPath(path) !== ''),
    ...(reference?.files ?? [])
      .map((path, index) => ({ pointer: `/reference/files/${index}`, path }))
      .filter(({ path }) => !/^https?:\/\//i.test(path)),
  ];
}

function unsafe(id: string): string {
  return `${nameOf(id)} cannot be a task id, because it is also a file name; use letters, digits, "-" and "_", at most 64, e.g. TASK-001.`;
}

/** A file’s name may hold anything. */
function shownName(file: string): string {
  return oneLine(cleanText(file));
}

function blocking(rule: string, file: string, pointer: string, message: string): Finding {
  return { severity: 'blocking', rule, file, pointer, message };
}

function warning(rule: string, file: string, pointer: string, message: string): Finding {
  return { severity: 'warning', rule, file, pointer, message };
}
