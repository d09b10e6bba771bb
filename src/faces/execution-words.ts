import type { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import type { CheckRun, CodeReview, ExecutionResult, TaskOutcome } from '../model/execution.ts';
import { counted } from '../model/wording.ts';

/** A value that may be chosen, and what it means. */
interface Choice<Value> {
  readonly value: Value;
  readonly means: string;
}

export const executors: readonly Choice<ExecutionMethod>[] = [
  { value: 'Agent', means: 'your default agent carries out every task' },
  { value: 'Codex', means: 'Codex carries out every task' },
  { value: 'Auto', means: 'your default agent takes simple tasks, Codex the others' },
];

export const reviewers: readonly Choice<CodeReviewTool>[] = [
  { value: 'Skip', means: 'no agent reviews the changes' },
  { value: 'Gemini Review', means: 'Gemini reviews the changes' },
  { value: 'Codex Review', means: 'Codex reviews the changes' },
  { value: 'Agent Review', means: 'your default agent reviews the changes' },
];

/** What is said above the commands that checks run. */
export const commandsNote =
  'These commands are run by the checks, in the work trees of the tasks and without a shell.';

/** What carrying a plan out does to the files of the user. */
export const apartNote =
  'Each task has a work tree of its own. Yours stays as it is until you apply the result.';

/** How an execution ended, e.g. `2 of 3 tasks are completed; 1 failed.` */
export function executedText({ tasks }: Pick<ExecutionResult, 'tasks'>): string {
  const count = (status: TaskOutcome['status']) =>
    tasks.filter((task) => task.status === status).length;
  const done = count('completed');
  const others = (['unproven', 'failed', 'blocked'] as const)
    .map((status) => [status, count(status)] as const)
    .flatMap(([status, many]) => (many === 0 ? [] : `${many} ${status}`));
  const head =
    done === tasks.length
      ? `All ${counted(done, 'task')} completed`
      : `${done} of ${counted(tasks.length, 'task')} completed`;
  return [head, ...others].join(', ');
}

/** How the checks of a task went, e.g. `2 of 3 checks passed`; empty where none was run. */
export function checksText(checks: readonly Pick<CheckRun, 'passed'>[]): string {
  const run = checks.filter(({ passed }) => passed !== null);
  if (run.length === 0) return '';
  const passed = run.filter((check) => check.passed === true).length;
  return passed === run.length
    ? `${counted(passed, 'check')} passed`
    : `${passed} of ${counted(run.length, 'check')} passed`;
}

type Finding = CodeReview['findings'][number];

/** The findings of a review, those that block first. */
export function worstFirst({ findings }: CodeReview): readonly Finding[] {
  const order: readonly Finding['severity'][] = ['blocking', 'major', 'minor'];
  return order.flatMap((severity) => findings.filter((one) => one.severity === severity));
}

/** `src/a.ts:12`, or the file alone. */
export function placeOf({ file, line }: Finding): string {
  return line === null ? file : `${file}:${line}`;
}
