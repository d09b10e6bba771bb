// Runs `conclave execute`, and prints its `--dry-run`.
import { z } from 'zod';
import { checkName } from '../model/check.ts';
import { executionAnswers, reviewAnswers } from '../app/answers.ts';
import { openRepository } from '../git/open-repository.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { taskFile } from '../model/plan-rules.ts';
import { tasksInOrder, parallelGroups } from '../model/task-order.ts';
import { counted, listed, oneLine } from '../model/wording.ts';
import { checksOf } from '../phases/execution/checks.ts';
import { assignExecutors, permissionFor } from '../phases/execution/execution.ts';
import { forgetResult, readResult } from '../phases/execution/result.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import { openJournal } from '../store/journal.ts';
import { withLock } from '../store/lock.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import {
  forgetExecution,
  recordBase,
  reopenForExecution,
  reopenReview,
} from '../workflow/recorded.ts';
import { sessionFlags } from './flags.ts';
import { worktreesFolder } from '../app/folders.ts';
import { printJson, printLines } from './output.ts';
import { readRounds } from '../app/saved-session.ts';
import { poolFor } from '../app/agents-and-providers.ts';
import { type Answers, answersOr } from '../workflow/view.ts';
import type { Face } from './wiring/face.ts';
import { openDesk, type OpenDesk, sessionWorktrees, snapshotsIn } from '../app/open-session.ts';
import {
  type Saved,
  chosenSession,
  runInFace,
  type SessionSetup,
  setUpSession,
} from './wiring/run-session.ts';

const flag = z.boolean().default(false);
const Flags = z.object({
  apply: flag,
  discard: flag,
  force: flag,
  replan: flag,
  dryRun: flag,
  json: flag,
});
type Flags = z.infer<typeof Flags>;

/** `conclave execute`: carries the approved plan of a session out. Returns the exit code. */
export async function executeCommand(
  wanted: string | undefined,
  { values, face }: { readonly values: object; readonly face: Face },
): Promise<number> {
  const flags = Flags.parse(values);
  if (flags.apply && flags.discard) {
    throw wrongUsage('--apply and --discard exclude each other; use one of them.');
  }
  const none = 'No session here has an approved plan; make one with: conclave plan "TASK"';
  const setup = await setUpSession(await sessionFlags(values), face);
  const saved = await chosenSession(wanted, setup, { fits: isApproved, none });
  return saved === null ? 0 : await execute(saved, flags);
}

async function isApproved(folder: SessionFolder): Promise<boolean> {
  return (await folder.read('approval.json')) !== null;
}

async function execute(saved: Saved, flags: Flags): Promise<number> {
  const { folder, planned } = saved;
  if (planned === null) throw new Stopped({ reason: 'not-approved', session: folder.id });
  const open = { ...saved, ...(await openDesk({ ...saved, planned })) };
  if (flags.discard) return await discard(open);
  const seen = await open.desk.read();
  if (flags.replan) return await replan(open, seen);
  const result = await readResult({ folder });
  const isOnlyApplied = flags.apply && result !== null;
  if (isOnlyApplied && result.branch === null) {
    throw wrongUsage('There is nothing to apply: no task was carried out.');
  }
  if (!isOnlyApplied) checkPlan(folder, seen, flags);
  if (flags.dryRun) {
    await previewExecution(open, seen, { json: flags.json });
    return 0;
  }
  const how = isOnlyApplied ? 'apply' : 'again';
  return await runInFace({
    ...saved,
    answers: answersFor(saved, { flags, isOnlyApplied }),
    prepare: (journal) => reopenForExecution(journal, how),
  });
}

/** Prints what an execution would do, and does nothing. */
async function previewExecution(
  { folder, settings, flags, repository }: Saved & OpenDesk,
  { plan, tasks }: PlanOnDesk,
  { json }: { readonly json: boolean },
): Promise<void> {
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

/** Throws where the plan on disk is not approved, or was made for other code. */
function checkPlan({ id: session }: SessionFolder, seen: PlanOnDesk, { force }: Flags): void {
  const { hash, approvedHash } = seen;
  if (approvedHash === null) throw new Stopped({ reason: 'not-approved', session });
  if (approvedHash !== hash) throw new Stopped({ reason: 'plan-stale', session });
  const files = [...new Set(changedFiles(seen).map(({ path }) => path))];
  if (files.length > 0 && !force) throw new Stopped({ reason: 'files-changed', session, files });
}

/** The files that the plan names and that changed since it was made, with the tasks that name them. */
function changedFiles({
  findings,
  tasks,
}: PlanOnDesk): readonly { readonly task: string; readonly path: string }[] {
  return findings.flatMap(({ rule, file, pointer }) => {
    if (rule !== 'file-changed') return [];
    const task = tasks.find(({ id }) => taskFile(id) === file);
    const path = task?.files?.[Number(pointer.split('/')[2])]?.path;
    return task === undefined || path === undefined ? [] : [{ task: task.id, path }];
  });
}

/** Has the tasks whose files changed planned again, for the code as it is now. */
async function replan(saved: Saved, seen: PlanOnDesk): Promise<number> {
  const { face, folder, root } = saved;
  const changed = Map.groupBy(changedFiles(seen), ({ task }) => task);
  if (changed.size === 0) {
    throw wrongUsage(
      'No file of the plan changed since it was made, so there is nothing to replan.',
    );
  }
  const comments = [...changed].map(([task, files]) => ({
    task,
    text: `${listed(files.map(({ path }) => path))} changed since this task was planned. Plan it again for the code as it is now; leave tasks alone that this does not touch.`,
  }));
  const answers = reviewAnswers({
    session: folder.id,
    version: seen.version,
    edits: [],
    comments,
    approve: false,
    reject: null,
  });
  const { person } = face;
  let isAsked = false;
  const approve: Answers['approve'] = async (question, signal) => {
    const isFirst = !isAsked;
    isAsked = true;
    return await (isFirst || person === null ? answers : person.view).approve(question, signal);
  };
  const { signal } = new AbortController();
  const snapshots = snapshotsIn(folder);
  const { base } = await openRepository({ root, base: null, snapshots, signal });
  return await runInFace({
    ...saved,
    answers: { ...answers, ...person?.view, approve },
    async prepare(journal) {
      await reopenReview(journal);
      await recordBase(journal, base);
    },
  });
}

/** The flags where they say it, else a person. */
function answersFor(
  { face, flags: session, settings }: SessionSetup,
  { flags, isOnlyApplied }: { readonly flags: Flags; readonly isOnlyApplied: boolean },
): Answers {
  const { execution = null, review = null } = session;
  const { person } = face;
  const given = executionAnswers({
    execute: true,
    force: flags.force,
    apply: isOnlyApplied ? 'any' : flags.apply ? 'good' : 'no',
    execution,
    review,
  });
  if (person === null) return answersOr(refuse, given);
  const isSaid = isOnlyApplied || (execution !== null && review !== null) || settings.autoYes;
  return {
    ...person.view,
    ...(isSaid ? { execute: given.execute } : {}),
    ...(flags.apply ? { apply: given.apply } : {}),
  };
}

function refuse(): Promise<never> {
  return Promise.reject(wrongUsage('The session has to be resumed first.'));
}

/** Takes away all that an execution made, so that the plan can be carried out anew. */
async function discard({
  folder,
  desk,
  repository,
  schemas,
}: OpenDesk & { readonly folder: SessionFolder }): Promise<number> {
  await withLock(folder, async () => {
    const { signal } = new AbortController();
    // A journal that cannot be read leaves everything as it is.
    const journal = await openJournal(folder);
    try {
      const where = { folder, environment: process.env, repository, signal };
      await (await sessionWorktrees(where)).discard();
      await forgetExecution(journal);
    } finally {
      await journal.close();
    }
    await forgetResult({ folder, schemas, repository }, await desk.read());
  });
  printLines(`Discarded. To carry the plan out again: conclave execute ${folder.id}`);
  return 0;
}
