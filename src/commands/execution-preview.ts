// Prints what `conclave execute` would do.
import { setUpText } from '../phases/execution/propose-set-up.ts';
import {
  checkExecution,
  type ExecutionPreview,
  obstaclesTo,
  openForExecution,
  previewExecution,
} from '../app/check-execution.ts';
import { styleCountText } from '../model/commit-style.ts';
import { counted } from '../model/wording.ts';
import { findMethod } from '../workflow/recorded-team.ts';
import { printJson, printLines } from './output.ts';
import type { ChosenSession } from './wiring/session-setup.ts';

/** Shows what an execution would do. */
export async function printPreview(
  execution: ChosenSession & Pick<Parameters<typeof checkExecution>[0], 'how' | 'retry' | 'force'>,
  { json }: { readonly json: boolean },
): Promise<void> {
  const seen = await checkExecution({ ...execution, force: true });
  const { plan, tasks, findings } = seen;
  if (plan === null) return;
  const obstacles = await obstaclesTo(execution, seen);
  const open = await openForExecution(execution);
  const method = execution.flags.execution ?? findMethod(execution.records) ?? 'Agent';
  const found = await previewExecution(open, { plan, tasks }, method);
  const warnings = findings
    .filter(({ rule }) => rule !== 'file-changed')
    .map(({ message }) => message);
  if (json) printJson({ ...found, warnings, obstacles });
  else printLines(...previewLines(found, warnings), '', ...endLines(found, obstacles));
}

function previewLines(found: ExecutionPreview, warnings: readonly string[]): readonly string[] {
  const { session, jobs, begins, limits, worktrees, tasks } = found;
  return [
    `Session:    ${session}`,
    `Tasks:      ${counted(tasks.length, 'task')}, at most ${jobs} at once`,
    `Work trees: ${worktrees}`,
    ...(begins === null ? [] : [`Begins at:  ${begins}`]),
    ...setUpLines(found),
    ...commitLines(found),
    ...limits.map((text, at) => `${at === 0 ? 'Limits:     ' : '            '}${text}`),
    ...warnings.map((text, at) => `${at === 0 ? 'Plan check: ' : '            '}${text}`),
    ...tasks.flatMap((task) => [
      '',
      `${task.id}  ${task.title}`,
      `  after     ${task.depends_on.length === 0 ? 'nothing' : task.depends_on.join(', ')}`,
      `  by        ${task.executor ?? 'nobody'} (${task.reason}), allowed: ${task.permission}`,
      ...(task.files.length === 0 ? [] : [`  changes   ${task.files.join(', ')}`]),
      ...task.checks.map((check, index) => `  ${index === 0 ? 'checks   ' : '         '} ${check}`),
    ]),
  ];
}

function endLines({ session }: ExecutionPreview, obstacles: readonly string[]): readonly string[] {
  if (obstacles.length === 0)
    return ['Nothing was done. To carry it out:', `  conclave execute ${session}`];
  return ['Nothing was done, and it cannot be carried out like this:', ...obstacles];
}

function setUpLines({ session, setup, found_setup: found }: ExecutionPreview): readonly string[] {
  const own = setup.length > 0 ? [`Set-up:     ${setup.join(' ')}`] : [];
  if (found === null) return own;
  if (found.missing !== null) {
    return [
      `Set-up:     none; ${found.source} proposes "${setUpText(found)}", and ${found.missing} is not installed`,
    ];
  }
  const line = `Set-up:     none; ${found.source} proposes "${setUpText(found)}", taken by`;
  return [...own, line, `            conclave execute ${session} --take-setup`];
}

function commitLines({ commits, found_commits: found }: ExecutionPreview) {
  if (found === null) return commits === 'plain' ? [] : [`Commits:    ${commits}`];
  return [
    `Commits:    ${commits}; ${styleCountText(found)}, and so are the new ones by`,
    '            conclave config set execution.commit_style project',
  ];
}
