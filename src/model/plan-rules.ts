// Checks the rules about a plan and its tasks that a shape cannot express.
import { cleanText } from './clean-text.ts';
import { type Finding, blockingFinding, warningFinding } from './finding.ts';
import { TaskId } from './ids.ts';
import type { Plan } from './plan.ts';
import { pathProblem, tidyPath } from './repository-path.ts';
import type { Task } from './task.ts';
import { hasOtherCommands } from './task-test.ts';
import { topologicalOrder } from './task-order.ts';
import { oneLine } from './wording.ts';

/** A task with its file, relative to the session folder. */
export interface TaskInFile {
  readonly file: string;
  readonly task: Task;
}

/**
 * Finds in a plan and its tasks what zod cannot express. `files` are all files found under
 * `.task/`, including those that could not be read as a task; by default, the files of `tasks`.
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
  const listed = plan.task_ids.map(taskFile);
  const present = new Set(files);
  const known = new Set(listed.filter((file) => present.has(file)));
  return [
    ...idFindings(plan.task_ids),
    ...countFindings(plan),
    ...missingFindings(plan.task_ids, present),
    ...leftOverFindings(files, new Set(listed)),
    ...tasks.flatMap((entry) => nameFindings(entry)),
    ...tasks.flatMap((entry) => dependencyFindings(entry, known)),
    ...cycleFindings(tasks),
    ...tasks.flatMap((entry) => pathFindings(entry)),
  ];
}

/** Says which field to change in a task whose `test.commands` differs. */
export function otherCommands(id: string): string {
  return `${nameOf(id)} test.commands follows from its checks and differs from them: change checks, and leave test.commands as it was or take it out.`;
}

/** Finds problems in task files on disk, which may have been edited by hand. */
export function editedFindings(tasks: readonly TaskInFile[]): readonly Finding[] {
  return tasks.flatMap(({ file, task }) => {
    if (!hasOtherCommands(task)) return [];
    return [blockingFinding('test-differs', file, '/test/commands', otherCommands(task.id))];
  });
}

/** The file of a task, relative to the session folder. */
export function taskFile(id: string): string {
  return `.task/${id}.json`;
}

/** An id for a message: unchanged, or quoted, cleaned and cut. */
export function nameOf(id: string): string {
  return TaskId.safeParse(id).success ? id : JSON.stringify(cleanText(id).slice(0, 80));
}

/** Makes a warning about a task whose message begins with its id. */
export function taskWarning(id: string, rule: string, pointer: string, says: string): Finding {
  return warningFinding(rule, taskFile(id), pointer, `${nameOf(id)} ${says}`);
}

/** Finds ids that differ only in case, which are one file on some file systems. */
function idFindings(ids: readonly string[]): readonly Finding[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    const pointer = `/task_ids/${index}`;
    const isNew = !seen.has(id.toLowerCase());
    seen.add(id.toLowerCase());
    if (!TaskId.safeParse(id).success) return [unsafeId(id, 'plan.json', pointer)];
    if (isNew) return [];
    const message = `task_ids names ${nameOf(id)} twice (upper and lower case count as one); keep one.`;
    return [blockingFinding('task-id-duplicate', 'plan.json', pointer, message)];
  });
}

function countFindings({ task_ids: { length }, task_count: count }: Plan): readonly Finding[] {
  if (count === length) return [];
  return [
    blockingFinding(
      'task-count',
      'plan.json',
      '/task_count',
      `task_count says ${count} but task_ids names ${length}; set it to ${length}.`,
    ),
  ];
}

function missingFindings(ids: readonly string[], present: ReadonlySet<string>): readonly Finding[] {
  return ids.flatMap((id, index) => {
    if (present.has(taskFile(id)) || !TaskId.safeParse(id).success) return [];
    const message = `${id} has no file ${taskFile(id)}; write it or take the id out of task_ids.`;
    return [blockingFinding('task-file-missing', 'plan.json', `/task_ids/${index}`, message)];
  });
}

function leftOverFindings(
  files: readonly string[],
  listed: ReadonlySet<string>,
): readonly Finding[] {
  return files
    .filter((file) => !listed.has(file))
    .map((file) => {
      return warningFinding(
        'task-file-left-over',
        file,
        '',
        `${shownName(file)} belongs to no id in task_ids, so it will not be executed; list it or delete it.`,
      );
    });
}

function nameFindings({ file, task: { id } }: TaskInFile): readonly Finding[] {
  if (!TaskId.safeParse(id).success) return [unsafeId(id, file, '/id')];
  if (file === taskFile(id)) return [];
  const message = `${shownName(file)} holds the task ${id}; name the file ${taskFile(id)} or correct the id.`;
  return [blockingFinding('task-file-name', file, '/id', message)];
}

function dependencyFindings(
  { file, task }: TaskInFile,
  known: ReadonlySet<string>,
): readonly Finding[] {
  return task.depends_on.flatMap((need, index) => {
    if (known.has(taskFile(need))) return [];
    return [
      blockingFinding(
        'dependency-unknown',
        file,
        `/depends_on/${index}`,
        `${nameOf(task.id)} depends on ${nameOf(need)}, which is not a task of this plan; correct the id or add the task.`,
      ),
    ];
  });
}

function cycleFindings(tasks: readonly TaskInFile[]): readonly Finding[] {
  const order = topologicalOrder(tasks.map(({ task }) => task));
  if (order.ok) return [];
  const [start, next] = order.failure.cycle;
  const entry = tasks.find(({ task }) => task.id === start);
  const index = entry?.task.depends_on.findIndex((need) => need === next) ?? -1;
  const path = order.failure.cycle.map(nameOf).join(' → ');
  return [
    blockingFinding(
      'dependency-cycle',
      entry?.file ?? 'plan.json',
      `/depends_on/${index}`,
      `The tasks wait for each other in a circle, ${path} (each depends on the next); take one of these dependencies out.`,
    ),
  ];
}

/** Finds paths that would lead out of the repository or change its history if used. */
function pathFindings({ file, task }: TaskInFile): readonly Finding[] {
  return pathsOf(task).flatMap(({ pointer, path }) => {
    const problem = pathProblem(path);
    if (problem === null) return [];
    const shown = JSON.stringify(cleanText(path).slice(0, 200));
    return [
      blockingFinding(
        'path-outside',
        file,
        pointer,
        `${nameOf(task.id)} names the path ${shown}, which ${problem}; give a path inside the repository.`,
      ),
    ];
  });
}

/** The paths of a task. The whole repository may be in focus, and a web page may be a reference. */
function pathsOf({ files = [], checks = [], focus_paths: focus = [], reference }: Task) {
  return [
    ...files.map(({ path }, index) => ({ pointer: `/files/${index}/path`, path })),
    ...checks.flatMap((check, index) =>
      'path' in check ? [{ pointer: `/checks/${index}/path`, path: check.path }] : [],
    ),
    ...focus
      .map((path, index) => ({ pointer: `/focus_paths/${index}`, path }))
      .filter(({ path }) => tidyPath(path) !== ''),
    ...(reference?.files ?? [])
      .map((path, index) => ({ pointer: `/reference/files/${index}`, path }))
      .filter(({ path }) => !/^https?:\/\//i.test(path)),
  ];
}

function unsafeId(id: string, file: string, pointer: string): Finding {
  const message = `${nameOf(id)} cannot be a task id, because it is also a file name; use letters, digits, "-" and "_", at most 64, e.g. TASK-001.`;
  return blockingFinding('task-id-unsafe', file, pointer, message);
}

/** Makes a file name safe to display, because it may contain anything. */
function shownName(file: string): string {
  return oneLine(cleanText(file));
}
