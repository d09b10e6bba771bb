// Says which checks the confinement may have stopped, and what is judged again after a person exempts one.
import { checksAfter } from '../../model/execution-summary.ts';
import { checkName, checkTarget } from '../../model/check.ts';
import type { CheckRun } from '../../model/check-record.ts';
import type { ExecutionResult, Retry } from '../../model/execution.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { oneLine, quoteForShell } from '../../model/wording.ts';

type Checked = Pick<Task, 'id' | 'checks' | 'test'>;

/** The checks among some runs that may have been stopped, each once, by the texts that identify them. */
export function findHeldChecks(
  runs: readonly Pick<CheckRun, 'check' | 'held'>[],
  tasks: readonly Pick<Task, 'checks' | 'test'>[],
): readonly string[] {
  const held = new Set(runs.flatMap(({ check, held: isHeld }) => (isHeld === true ? check : [])));
  const checks = tasks.flatMap(checksOf).filter((check) => held.has(checkName(check)));
  return [...new Set(checks.map(checkTarget))];
}

/** Explains how a person lets the first of them run unconfined; empty if there is none. */
export function offerUnconfined(session: string, [check]: readonly string[]): string {
  if (check === undefined) return '';
  const flag = `--unconfined ${quoteForShell(oneLine(check))}`;
  return ` (to let it run unconfined for this plan: conclave execute ${session} ${flag})`;
}

/** The tasks that failed because of such a check, each with the checks that may have been stopped. */
export function findHeldTasks(
  { tasks: outcomes }: Pick<ExecutionResult, 'tasks'>,
  tasks: readonly Checked[],
): readonly { readonly task: string; readonly checks: readonly string[] }[] {
  return outcomes.flatMap(({ task, status, checks: records }) => {
    const own = tasks.filter(({ id }) => id === task);
    const runs = checksAfter(records);
    const checks = status === 'failed' ? findHeldChecks(runs, own) : [];
    return checks.length === 0 ? [] : [{ task, checks }];
  });
}

/** Requests a new judgement of the tasks that failed because of these checks, with the checks unconfined. */
export function retryUnconfined(
  checks: readonly string[],
  held: ReturnType<typeof findHeldTasks>,
  plan: string,
): Retry {
  const again = held.filter((one) => one.checks.some((check) => checks.includes(check)));
  const tasks = again.map(({ task }) => task);
  return { tasks, note: '', unconfined: { plan, checks: [...checks] } };
}
