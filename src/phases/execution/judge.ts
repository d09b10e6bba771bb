// Judges a task by its checks and by what it changed: completed, unproven or failed.
import type { CheckRun, TaskEnd } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';

/** The evidence by which a task is judged when its agent says that it is done. */
interface Evidence {
  readonly task: Pick<Task, 'convergence' | 'files'>;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  /** The files that it changed, as git sees them. */
  readonly files: readonly string[];
  /** The files that it names and that git ignores. */
  readonly ignored?: readonly string[];
}

export interface Judgement {
  readonly status: Exclude<TaskEnd, 'blocked'>;
  readonly why: string;
  /** True for each criterion that is shown to hold. */
  readonly criteria: readonly boolean[];
}

/**
 * `completed` only if every automatic check passes after the work, at least one of them failed before it or had
 * no test to run, and a file that the task names was changed; a failing check, a named file that git ignores,
 * or no change at all is a failure; everything else is unproven.
 */
export function judge({ task, before, after, files, ignored = [] }: Evidence): Judgement {
  const criteria = task.convergence.criteria.map((_, index) => isShown(index, after));
  const end = (status: Judgement['status'], why: string) => ({ status, why, criteria });
  const red = after.filter(({ passed }) => passed === false);
  const [first, ...more] = red.toSorted((a, b) => Number(b.held ?? 0) - Number(a.held ?? 0));
  if (first !== undefined) {
    return end(
      'failed',
      `${failureOf(first)}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
    );
  }
  if (ignored.length > 0) {
    return end('failed', `git ignores ${ignored.join(', ')}, so no commit can contain it`);
  }
  if (files.length === 0) return { ...end('failed', whyNothing(before)), criteria: none(criteria) };
  if (!touchesNamed(task, files)) {
    return end('unproven', 'the agent changed none of the files that the task names');
  }
  const empty = after.find((run) => run.ran_no_test === true);
  if (empty !== undefined) return end('unproven', `${empty.note}: the check "${empty.check}"`);
  const turned = after.some(
    ({ check, passed }) =>
      passed === true && before.some((run) => run.check === check && wasRed(run)),
  );
  if (turned) return end('completed', '');
  const hasRun = after.some(({ passed }) => passed === true);
  const why = hasRun
    ? 'no check failed before the work, so passing them proves nothing'
    : 'none of its checks can run automatically';
  return end('unproven', why);
}

/** True for a check that failed or ran no test before the work, so that passing it now shows something. */
const wasRed = ({ passed, ran_no_test: ranNone }: CheckRun) => passed === false || ranNone === true;

const none = (criteria: readonly boolean[]) => criteria.map(() => false);

/**
 * Explains why the task failed without a change; its checks before the work ran in a clean checkout, whose state
 * is still the same.
 */
function whyNothing(before: readonly CheckRun[]): string {
  const red = before.find(({ passed }) => passed === false);
  return red === undefined
    ? 'the agent changed no file'
    : `the agent changed no file that git sees, and in a clean checkout ${failureOf(red)}`;
}

function isShown(criterion: number, after: readonly CheckRun[]): boolean {
  const runs = after.filter((run) => run.criterion === criterion);
  return runs.length > 0 && runs.every(({ passed }) => passed === true);
}

/** Says in one clause which check fails, and why. */
export function failureOf({
  check,
  note,
  held,
}: Pick<CheckRun, 'check' | 'note' | 'held'>): string {
  if (held === true) return `the check "${check}" ${note}`;
  return note === '' ? `the check "${check}" fails` : `the check "${check}" fails: ${note}`;
}

/** True if a task that names files changed one of them. */
function touchesNamed({ files = [] }: Pick<Task, 'files'>, changed: readonly string[]): boolean {
  return files.length === 0 || changed.some((path) => isNamed({ files }, path));
}

/** The changed files that the task does not name; a new test next to its files is within its scope. */
export function outOfScope(
  task: Pick<Task, 'files' | 'test'>,
  changed: readonly string[],
): string[] {
  const isOpen = (task.files ?? []).length === 0;
  return isOpen ? [] : changed.filter((path) => !isNamed(task, path));
}

/** True for a file that a task names, or that is in a folder that it names. */
export function isNamed(
  { files = [], test = {} }: Pick<Task, 'files' | 'test'>,
  path: string,
): boolean {
  const tests = [...(test.unit ?? []), ...(test.integration ?? [])];
  return (
    files.some((one) => path === one.path || path.startsWith(`${one.path.replace(/\/$/, '')}/`)) ||
    tests.some((text) => text.includes(path))
  );
}
