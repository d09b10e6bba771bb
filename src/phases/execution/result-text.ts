import type { ExecutionResult } from '../../model/execution.ts';
import { code, dashed, inline, under } from '../markdown.ts';

/** What became of each task, and where the result is, as a section of `plan.md`. */
export function doneText({ tasksSummary, tasks, branch, applied }: ExecutionResult): string {
  const where = branch === null ? 'No file was changed' : `The result is on branch ${code(branch)}`;
  const home = applied === null ? '' : `, and applied: ${inline(applied)}`;
  const lines = tasks.map(
    ({ task, status, why }) => `${inline(task)}: ${status}${why === '' ? '' : ` (${inline(why)})`}`,
  );
  return under('## What was done', dashed(lines), `${tasksSummary}. ${where}${home}.`);
}

export function stepsAfter(result: ExecutionResult, session: string): string {
  const lines = nextCommands(result, session).map(
    ({ command, about }) => `${code(command)}: ${about}`,
  );
  const note = 'This file is generated: edits here change nothing.';
  return `${under('## What you can do now', dashed(lines))}\n\n${note}`.trim();
}

/** What can follow an execution: a command each, and what it does. */
export function nextCommands(
  { status, branch, applied }: Pick<ExecutionResult, 'status' | 'branch' | 'applied'>,
  session: string,
): readonly { readonly command: string; readonly about: string }[] {
  const execute = `conclave execute ${session}`;
  const canApply = branch !== null && applied === null;
  return [
    ...(canApply ? [{ command: `${execute} --apply`, about: 'bring the result home' }] : []),
    ...(status === 'completed' ? [] : [{ command: execute, about: 'try again what failed' }]),
    ...(branch === null
      ? []
      : [{ command: `${execute} --discard`, about: 'remove the branch, and start over' }]),
  ];
}
