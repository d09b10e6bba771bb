import { tasksInOrder, parallelGroups } from '../model/task-order.ts';
import { checkName } from '../model/check.ts';
import { counted, oneLine } from '../model/wording.ts';
import { checksOf } from '../phases/execution/checks.ts';
import { assignExecutors, permissionFor } from '../phases/execution/executors.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { worktreesFolder } from './folders.ts';
import { printJson, printLines } from './output.ts';
import { readRounds } from './saved-session.ts';
import { poolFor } from './wiring/agents-and-providers.ts';
import type { OpenDesk } from './wiring/open-session.ts';
import type { FlaggedSetup } from './wiring/run-session.ts';

/** Tells what an execution would do, and does nothing. */
export async function previewExecution({
  folder,
  seen,
  settings,
  flags,
  repository,
  json,
}: Pick<FlaggedSetup, 'settings' | 'flags'> &
  Pick<OpenDesk, 'repository'> & {
    readonly folder: SessionFolder;
    readonly seen: PlanOnDesk;
    readonly json: boolean;
  }): Promise<void> {
  const { plan, tasks } = seen;
  if (plan === null) return;
  const { signal } = new AbortController();
  const agents = poolFor({ settings, repository });
  const receipts = (await readRounds(folder)).at(-1)?.receipts ?? [];
  const { planner, run, execution } = settings;
  const names = plannerNames({ planner, receipts, settings: run, agents });
  const method = flags.execution ?? 'Agent';
  const assigned = await assignExecutors({ plan, tasks, method, names, agents, signal });
  const groups = parallelGroups(tasks);
  const steps = tasksInOrder(tasks).map((task) => ({
    id: task.id,
    title: oneLine(task.title),
    depends_on: task.depends_on,
    stage: 1 + groups.findIndex((group) => group.includes(task.id)),
    executor: assigned?.byTask[task.id]?.executor ?? null,
    reason: assigned?.byTask[task.id]?.reason ?? 'no agent is ready',
    permission: permissionFor(task),
    files: (task.files ?? []).map(({ path }) => path),
    checks: checksOf(task).map((check) => `${check.kind}: ${checkName(check)}`),
  }));
  const worktrees = worktreesFolder(process.env, folder.path);
  const { jobs, setup } = execution;
  if (json) {
    printJson({ session: folder.id, jobs, setup, worktrees, tasks: steps });
    return;
  }
  printLines(
    `Session:    ${folder.id}`,
    `Tasks:      ${counted(steps.length, 'task')}, at most ${jobs} at once`,
    `Work trees: ${worktrees}`,
    ...(setup.length === 0 ? [] : [`Set-up:     ${setup.join(' ')}`]),
    ...steps.flatMap((step) => [
      '',
      `${step.id}  ${step.title}`,
      `  after     ${step.depends_on.length === 0 ? 'nothing' : step.depends_on.join(', ')}`,
      `  by        ${step.executor ?? 'nobody'} (${step.reason}), allowed: ${step.permission}`,
      ...(step.files.length === 0 ? [] : [`  changes   ${step.files.join(', ')}`]),
      ...step.checks.map((check, index) => `  ${index === 0 ? 'checks   ' : '         '} ${check}`),
    ]),
    '',
    'Nothing was done. To carry it out:',
    `  conclave execute ${folder.id}`,
  );
}
