import type { CheckRun, TaskEnd } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';

/** What is known of a task when its agent says that it is done. */
export interface Evidence {
  readonly task: Pick<Task, 'convergence' | 'files'>;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  /** Files that it changed. */
  readonly files: readonly string[];
}

export interface Judgement {
  readonly status: Exclude<TaskEnd, 'blocked'>;
  readonly why: string;
  /** For each criterion whether it is shown to hold. */
  readonly criteria: readonly boolean[];
}

/**
 * `completed` only where every automatic check passes after the work and at least one of them failed
 * before it; a check that fails, or nothing changed, is a failure; all else is unproven.
 */
export function judge({ task, before, after, files }: Evidence): Judgement {
  const failed = after.filter(({ passed }) => passed === false);
  const criteria = task.convergence.criteria.map((_, index) => isShown(index, after));
  const [first] = failed;
  if (first !== undefined) {
    const more = failed.length === 1 ? '' : ` (and ${failed.length - 1} more)`;
    return { status: 'failed', why: `${failureOf(first)}${more}`, criteria };
  }
  const turned = after.some(
    ({ check, passed }) =>
      passed === true && before.some((run) => run.check === check && run.passed === false),
  );
  if (turned) return { status: 'completed', why: '', criteria };
  if (files.length === 0) return { status: 'failed', why: 'it changed nothing', criteria };
  const hasRun = after.some(({ passed }) => passed === true);
  const why = hasRun
    ? 'no check failed before the work, so passing them shows nothing'
    : 'no check of it can be run by a program';
  return { status: 'unproven', why, criteria };
}

function isShown(criterion: number, after: readonly CheckRun[]): boolean {
  const runs = after.filter((run) => run.criterion === criterion);
  return runs.length > 0 && runs.every(({ passed }) => passed === true);
}

function failureOf({ check, note }: CheckRun): string {
  return note === '' ? `the check "${check}" fails` : `the check "${check}" fails: ${note}`;
}

/** Files that a task changed and does not name; a new test beside its files is within its scope. */
export function outOfScope(
  task: Pick<Task, 'files' | 'test'>,
  changed: readonly string[],
): string[] {
  const named = (task.files ?? []).map(({ path }) => path);
  const tests = [...(task.test?.unit ?? []), ...(task.test?.integration ?? [])];
  const isNamed = (path: string) =>
    named.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`)) ||
    tests.some((text) => text.includes(path));
  return named.length === 0 ? [] : changed.filter((path) => !isNamed(path));
}
