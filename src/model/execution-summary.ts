// Counts the tasks of an execution by how they ended, and says so in words.
import type { CheckRecord, Moment } from './check-record.ts';
import type { CodeReview, ExecutionResult, TaskEnd, TaskOutcome } from './execution.ts';
import { counted, listed } from './wording.ts';

type TaskCounts = Readonly<Record<TaskEnd, number>>;

export function countTasks(tasks: readonly Pick<TaskOutcome, 'status'>[]): TaskCounts {
  const count = (end: TaskEnd) => tasks.filter(({ status }) => status === end).length;
  return {
    completed: count('completed'),
    unproven: count('unproven'),
    failed: count('failed'),
    blocked: count('blocked'),
  };
}

/** The outcome of an execution, e.g. `2 of 4 tasks completed, 1 failed, 1 blocked`. */
export function executionText({ completed, ...others }: TaskCounts): string {
  const { unproven, failed, blocked } = others;
  const all = completed + unproven + failed + blocked;
  const head = `${completed} of ${counted(all, 'task')} completed`;
  const rest = Object.entries({ unproven, failed, blocked }).filter(([, many]) => many > 0);
  return [head, ...rest.map(([word, many]) => `${many} ${word}`)].join(', ');
}

type Outcome = Pick<
  ExecutionResult,
  'tasks' | 'start' | 'commit' | 'branch' | 'applied' | 'broken' | 'reviewed_by' | 'objections'
>;

/** The outcome of an execution with its review, e.g. `2 of 2 tasks completed, reviewed by nobody`. */
export function outcomeText(result: Pick<Outcome, 'tasks' | 'start' | 'commit' | 'reviewed_by'>) {
  const { tasks, start, commit, reviewed_by: by = 'nobody' } = result;
  const text = executionText(countTasks(tasks));
  return commit === start ? text : `${text}, reviewed by ${by}`;
}

/** What keeps a result from being applied without a word against it, the worst first. */
export function objectionsTo({
  broken,
  objections = [],
}: Pick<Outcome, 'broken' | 'objections'>): readonly string[] {
  return [...(broken === undefined ? [] : [broken]), ...objections];
}

/** The command that applies a result in a form, against its review where that is needed; null if it would refuse. */
export function applyCommand(
  { branch, applied, broken, objections = [] }: Omit<Outcome, 'tasks' | 'start' | 'commit'>,
  { session, form = 'merge' }: { readonly session: string; readonly form?: string },
): string | null {
  if (branch === null || applied !== null || broken !== undefined) return null;
  return `${applyWords(session, form)}${objections.length === 0 ? '' : ' --against-review'}`;
}

/** The command that applies a result in a form. */
export function applyWords(session: string, form: string): string {
  return `conclave execute ${session} --apply${form === 'merge' ? '' : ` ${form}`}`;
}

/** Says what changed in the user’s own work tree while agents worked in theirs. */
export function homeChangeText({
  files,
  beside,
  proven,
}: NonNullable<ExecutionResult['home_changes']>[number]): string {
  const by = proven ? `by ${beside}` : `while ${beside} worked; nothing proves by whom`;
  return `changed in your own work tree or repository, ${by}: ${files.join(', ')}`;
}

/** Says which agent did a task instead of the assigned one; empty if the assigned one did it. */
export function standInTexts({
  task,
  executor,
  instead_of: wanted,
}: Pick<TaskOutcome, 'task' | 'executor' | 'instead_of'>): readonly string[] {
  return executor === null || wanted === undefined
    ? []
    : [`${task} was done by ${executor} instead of ${wanted}`];
}

/** Says which tasks were done on another machine. */
export function machineTexts(
  tasks: readonly Pick<TaskOutcome, 'task' | 'machine'>[],
): readonly string[] {
  const by = Map.groupBy(tasks, ({ machine }) => machine);
  return [...by].flatMap(([machine, done]) =>
    machine === undefined
      ? []
      : [
          `${listed(done.map(({ task }) => task))} ${done.length === 1 ? 'was' : 'were'} done on ${machine}`,
        ],
  );
}

/** Says who reviewed, and instead of whom. */
export function reviewerText({
  reviewer,
  instead_of: wanted,
}: Pick<CodeReview, 'reviewer' | 'instead_of'>): string {
  return wanted === undefined ? reviewer : `${reviewer}, instead of ${wanted}`;
}

/** The status of a task with what shows it: `completed, 1 of 3 criteria shown`. */
export function statusText({ status, shown = '' }: Pick<TaskOutcome, 'status' | 'shown'>): string {
  return shown === '' ? status : `${status}, ${shown}`;
}

/** Says which files a branch lacks although tasks changed them. */
export function notOnBranchText(files: readonly string[]): string {
  return `changes in ${listed(files)} build on your uncommitted lines, so they are not on the branch; --apply merges them into your files`;
}

/** True for a task that is unproven, or has a check that is left to a person. */
export function isForPerson({ status, checks }: Pick<TaskOutcome, 'status' | 'checks'>): boolean {
  const isDone =
    status === 'completed' && checksAfter(checks).some(({ kind }) => kind === 'manual');
  return status === 'unproven' || isDone;
}

/** The records of the last round at a moment, in a tree. */
export function recordsAt(
  records: readonly CheckRecord[],
  moment: Moment,
  tree?: CheckRecord['tree'],
): readonly CheckRecord[] {
  const found = records.filter(
    (one) => one.moment === moment && (tree === undefined || one.tree === tree),
  );
  const last = Math.max(...found.map(({ round }) => round));
  return found.filter(({ round }) => round === last);
}

/** The checks before the work, and those of the work itself once it was done. */
export const checksBefore = (records: readonly CheckRecord[]) =>
  recordsAt(records, 'before', 'start');
export const checksAfter = (records: readonly CheckRecord[]) => recordsAt(records, 'after', 'work');
