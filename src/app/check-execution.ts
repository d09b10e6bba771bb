// Checks, previews and discards the execution of a plan, and says which parts of the plan are out of date.
import { checkBranchPrefix } from '../git/branch-prefix.ts';
import type { WorkAhead } from '../model/agreement.ts';
import { checkName, checkTarget, isProgram } from '../model/check.ts';
import type { ExecutionMethod } from '../model/decision.ts';
import type { Retry } from '../model/execution.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import type { PlanFiles } from '../model/plan.ts';
import { neverAborted } from '../model/signal.ts';
import { type Task, checksOf, filesOf } from '../model/task.ts';
import { parallelGroups, tasksInOrder } from '../model/task-order.ts';
import { listed, oneLine, quoteForShell } from '../model/wording.ts';
import { assignExecutors, permissionFor } from '../phases/execution/execution-team.ts';
import { beginningTexts, conditionTexts } from '../phases/execution/beginning.ts';
import { commandsOf } from '../phases/execution/checks.ts';
import { chooseCommitStyle, offerCommitStyle } from '../phases/execution/choose-commit-style.ts';
import { findHeldTasks, retryUnconfined } from '../phases/execution/held-checks.ts';
import { limitTexts } from '../phases/execution/limits.ts';
import { proposeSetUp } from '../phases/execution/propose-set-up.ts';
import { forgetResult } from '../phases/execution/result.ts';
import { readResult } from '../phases/execution/read-result.ts';
import { findUnconfined } from '../phases/execution/retries.ts';
import { planHash } from '../phases/planning/plan-hash.ts';
import {
  findChangedFiles,
  readApproval,
  readPackageFor,
  readUncheckedPlan,
} from '../phases/planning/read-plan.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import { foreignEnd, openJournal } from '../store/journal.ts';
import { withLock } from '../store/lock.ts';
import { executionNumber, findApproval, forgetExecution } from '../workflow/recorded.ts';
import type { NamedTeam } from '../workflow/recorded-team.ts';
import { worktreesFolder } from './folders.ts';
import { type LoadedSession, type PlannedSession, openPlan } from './load-session.ts';
import { plannersOf } from './planners.ts';
import { confinementFor, sessionWorktrees } from './session-places.ts';
import { lookUpOwner, refuseForeign } from './trust.ts';

/** Reads everything that executing a plan would do, and the hash of the plan. Starts nothing. */
export async function readWorkAhead(
  session: LoadedSession,
): Promise<WorkAhead & { readonly hash: string | null }> {
  const { desk, repository } = await openPlan(session);
  const { tasks, hash } = await desk.read();
  const { build_facts: buildFacts } = await readPackageFor(tasks, {
    folder: session.folder,
    repository,
  });
  const { records, settings } = session;
  return {
    hash,
    tasks,
    files: filesOf(tasks),
    commands: commandsOf(tasks, buildFacts),
    setup: settings.execution.setup,
    limits: [
      ...(await conditionTexts(repository, settings.execution, neverAborted)),
      ...limitTexts({
        confinement: confinementFor(session),
        unconfined: hash === null ? [] : findUnconfined(records, hash),
        executors: [],
      }),
    ],
  };
}

/** Opens the plan to execute. Throws `not-approved` if there is none. */
export async function openForExecution(session: LoadedSession): Promise<PlannedSession> {
  if (session.planned !== null) return await openPlan(session);
  throw new Stopped({ reason: 'not-approved', session: session.folder.id });
}

/**
 * Reads the plan to execute, or the one whose result is applied. Throws if it is not approved or was made for
 * other code, or if there is nothing to apply.
 */
export async function checkExecution(
  session: LoadedSession & {
    readonly how: 'again' | 'retry' | 'apply' | 'accept';
    /** The tasks to redo in a `retry`. */
    readonly retry: Retry | null;
    /** True to execute although files changed since the plan was made. */
    readonly force: boolean;
    /** The agents that are named for it now; absent for none. */
    readonly team?: NamedTeam;
  },
): Promise<{ readonly opened: PlannedSession; readonly tasks: readonly Task[] }> {
  const { folder, how, force, settings } = session;
  const opened = await openForExecution(session);
  const stored = await readUncheckedPlan(opened);
  const tasks = stored?.tasks ?? [];
  if (how === 'again') {
    await checkApproval(session, stored);
    const target = { root: session.root, signal: neverAborted };
    await checkBranchPrefix(target, settings.execution.branchPrefix);
    const files = await staleFiles(opened, tasks);
    if (files.length > 0 && !force) {
      throw new Stopped({ reason: 'files-changed', session: folder.id, files });
    }
  } else if (how === 'retry') {
    await checkApproval(session, stored);
    await checkRetry(session);
  } else if (((await readResult({ folder }))?.branch ?? null) === null) {
    throw wrongUsage('There is nothing to apply: no task was carried out.');
  }
  return { opened, tasks };
}

/** Sentences about what prevents an execution, each with what to do about it. */
export async function obstaclesTo(
  session: PlannedSession & Pick<Parameters<typeof checkExecution>[0], 'force'>,
  tasks: readonly Task[],
): Promise<readonly string[]> {
  const { folder, foreign, force } = session;
  const files = await staleFiles(session, tasks);
  const changed = new Stopped({ reason: 'files-changed', session: folder.id, files });
  return [
    ...(foreign === null ? [] : [foreignEnd(folder.id, foreign).message]),
    ...(files.length === 0 || force ? [] : [changed.message]),
  ];
}

/** Throws `usage` for tasks that cannot be redone by themselves. */
async function checkRetry({
  folder,
  records,
  retry,
}: Pick<Parameters<typeof checkExecution>[0], 'folder' | 'records' | 'retry'>): Promise<void> {
  const result = await readResult({ folder });
  if (result === null || result.number !== executionNumber(records)) {
    throw wrongUsage(
      '--retry: this plan has not been carried out yet, so there is nothing to retry.',
    );
  }
  for (const id of retry?.tasks ?? []) {
    const ended = result.tasks.find(({ task }) => task === id);
    const known = result.tasks.map(({ task }) => task);
    if (ended === undefined) {
      throw wrongUsage(`--retry ${id}: there is no such task; the plan has ${listed(known)}.`);
    }
    if (ended.status === 'blocked') {
      throw wrongUsage(`--retry ${id}: it never began, because ${ended.why}; retry that one.`);
    }
    if (result.applied !== null && ended.status !== 'failed') {
      throw wrongUsage(
        `--retry ${id}: its work was applied already; plan what is left as a new session.`,
      );
    }
  }
}

/**
 * Lets checks of the plan run unconfined; the tasks that failed because of them are judged again. Throws
 * `usage` for words that name no check.
 */
export async function letUnconfined(
  session: LoadedSession,
  named: readonly string[],
): Promise<{ readonly how: 'again' | 'retry'; readonly retry: Retry }> {
  const { hash, tasks } = await (await openForExecution(session)).desk.read();
  if (hash === null) throw new Stopped({ reason: 'not-approved', session: session.folder.id });
  const runs = tasks.flatMap(checksOf).filter(isProgram);
  const checks = named.flatMap((words) => {
    const found = runs.filter((one) => [checkName(one), checkTarget(one)].includes(words));
    if (found.length > 0) return found.map(checkTarget);
    const known = [...new Set(runs.map((one) => quoteForShell(checkTarget(one))))];
    const others =
      known.length === 0 ? 'none of them runs anything' : `its checks are ${listed(known)}`;
    throw wrongUsage(
      `--unconfined ${quoteForShell(words)}: no check of this plan is named so; ${others}.`,
    );
  });
  const result = await readResult(session);
  const isOpen = result?.number === executionNumber(session.records) && result.applied === null;
  const held = result !== null && isOpen ? findHeldTasks(result, tasks) : [];
  const retry = retryUnconfined([...new Set(checks)], held, hash);
  return { how: retry.tasks.length > 0 ? 'retry' : 'again', retry };
}

/** Throws if the plan on disk is not the approved one, also according to the journal. */
async function checkApproval(
  { folder, records }: LoadedSession,
  stored: PlanFiles | null,
): Promise<void> {
  const { id: session } = folder;
  const approval = await readApproval(folder);
  if (approval === null) throw new Stopped({ reason: 'not-approved', session });
  const hash = stored && planHash(stored.plan, stored.tasks);
  if (approval.plan_hash !== hash || findApproval(records)?.plan_hash !== hash)
    throw new Stopped({ reason: 'plan-stale', session });
}

/** The changes that matter: work that was brought home from completed tasks is no reason to plan them again. */
async function staleFiles(
  { folder, repository }: PlannedSession,
  planned: readonly Task[],
): Promise<readonly string[]> {
  const { applied = null, tasks = [] } = (await readResult({ folder })) ?? {};
  const isHome = (id: string) =>
    applied !== null && tasks.some(({ task, status }) => task === id && status === 'completed');
  const changed = await findChangedFiles(planned, repository);
  const files = changed.filter(({ task }) => !isHome(task));
  return [...new Set(files.map(({ path }) => path))];
}

/** Says for each task which of its files changed. Throws `usage` if none did. */
export async function staleTasks(
  { tasks }: Pick<PlanOnDesk, 'tasks'>,
  { repository }: PlannedSession,
): Promise<readonly PlanComment[]> {
  const changed = Map.groupBy(await findChangedFiles(tasks, repository), ({ task }) => task);
  if (changed.size === 0) {
    throw wrongUsage(
      'No file of the plan changed since it was made, so there is nothing to replan.',
    );
  }
  return [...changed].map(([task, files]) => ({
    task,
    text: `${listed(files.map(({ path }) => path))} changed since this task was planned. Plan it again for the code as it is now; leave tasks alone that this does not touch.`,
  }));
}

/** The description of an execution that has not begun. */
export type ExecutionPreview = Awaited<ReturnType<typeof previewExecution>>;

/** Describes an execution without doing anything, except asking if the agents are ready. */
export async function previewExecution(
  session: PlannedSession,
  { plan, tasks }: PlanFiles,
  method: ExecutionMethod,
) {
  const { folder, environment, settings, repository } = session;
  const { agents, names } = await plannersOf(session, 'execution');
  const signal = neverAborted;
  const begins = await beginningTexts(repository, settings.execution, signal);
  const assigned = await assignExecutors({ plan, tasks, method, names, agents, signal });
  const groups = parallelGroups(tasks);
  const { jobs, setup, commitStyle } = settings.execution;
  const executors = new Set(Object.values(assigned?.byTask ?? {}).map(({ executor }) => executor));
  return {
    session: folder.id,
    jobs,
    setup,
    begins: begins[0] ?? null,
    limits: [
      ...(await conditionTexts(repository, settings.execution, signal)),
      ...limitTexts({
        confinement: confinementFor(session),
        unconfined: findUnconfined(session.records, planHash(plan, tasks)),
        executors: [...executors].flatMap((name) => agents.get(name) ?? []),
      }),
    ],
    found_setup: await proposeSetUp({ ...session, settings: settings.execution }),
    commits: await chooseCommitStyle(session.root, { wanted: commitStyle, signal }),
    found_commits: await offerCommitStyle(session.root, settings.execution, signal),
    worktrees: worktreesFolder(environment, folder.path),
    tasks: tasksInOrder(tasks).map((task) => ({
      id: task.id,
      title: oneLine(task.title),
      depends_on: task.depends_on,
      stage: 1 + groups.findIndex((group) => group.includes(task.id)),
      executor: assigned?.byTask[task.id]?.executor ?? null,
      reason: assigned?.byTask[task.id]?.reason ?? 'no agent is ready',
      permission: permissionFor(task),
      files: (task.files ?? []).map(({ path }) => path),
      checks: checksOf(task).map((check) => `${check.kind}: ${checkName(check)}`),
    })),
  };
}

/** Removes everything that an execution made, so that the plan can be executed again. */
export async function discardExecution(session: LoadedSession): Promise<void> {
  refuseForeign(session);
  const { desk, schemas, repository, folder, environment } = await openForExecution(session);
  await withLock(folder, async () => {
    // If the journal cannot be read, everything stays as it is.
    const journal = await openJournal(folder, { key: (await lookUpOwner(folder, session)).key });
    try {
      const where = { folder, environment, repository, signal: neverAborted };
      await (await sessionWorktrees(where)).discard();
      await forgetExecution(journal);
    } finally {
      await journal.close();
    }
    await forgetResult({ folder, schemas, repository }, await desk.read());
  });
}
