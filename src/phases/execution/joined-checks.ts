// Runs the checks of all tasks on their joined work, names the merge that broke one, and has it fixed once.
import { z } from 'zod';
import { commitSubject } from '../../model/commit-style.ts';
import { type Check, checkName } from '../../model/check.ts';
import { CheckRun, type TaskOutcome } from '../../model/execution.ts';
import type { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { listed } from '../../model/wording.ts';
import { fixPrompt } from '../../prompts/execute-prompt.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { promptBasics, recordStep } from '../phase-tools.ts';
import { checkEvent, commandsOf, runChecks } from './checks.ts';
import type { CheckConditions } from './run-command.ts';
import type { Job } from './execution-team.ts';
import type { Head } from './join-work.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import { failureOf } from './judge.ts';
import { failedSetUp, NotSetUp } from './prepare-tree.ts';
import { taskTree } from './task-tree.ts';
import { findWeakened, restoreBefore } from './weakened-checks.ts';
import { whyLeft, workQuestion } from './work-question.ts';

/** Joined work, and the agents that may fix it. */
export interface JoinedJob extends Job {
  readonly own: ReturnType<typeof steps.joined>;
  /** The name of the work tree in which it is checked. */
  readonly name: string;
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  readonly tasks: readonly Task[];
  readonly executors: readonly string[];
  /**
   * The joined commits in order, the last being the one to check; empty if other work than that of tasks came
   * in.
   */
  readonly heads: readonly Head[];
  /** The commit from which the work began. */
  readonly start: string;
  /** The name of the commit in messages, e.g. `the joined result`. */
  readonly place: string;
}

/** The commit that counts; `broken` is null if every check passes on it. */
export interface CheckedWork {
  readonly commit: string;
  readonly broken: Breach | null;
  /** The failure that an agent fixed; null if there was none. */
  readonly fixed: string | null;
}

interface Breach {
  /** A clause about the fault of the joined work. */
  readonly why: string;
  /** The tasks whose checks fail, and the one whose work broke them. */
  readonly tasks: readonly string[];
}

/** A check with the tasks that share it. */
interface SharedCheck {
  readonly check: Check;
  readonly tasks: readonly string[];
}

const SharedRun = z.object({ tasks: z.array(z.string()), run: CheckRun });
type SharedRun = z.infer<typeof SharedRun>;

/**
 * Runs every check of the tasks that count once, in a clean checkout after its set-up. Failing checks are given
 * to an agent once.
 */
export async function checkJoined(job: JoinedJob): Promise<CheckedWork> {
  const { own, commit } = job;
  const checks = sharedChecks(job);
  if (checks.length === 0) return { commit, broken: null, fixed: null };
  const failing = failuresIn(await runShared(job, { step: own.checks, commit, checks }));
  const first = failing.find(({ run }) => run.held === true) ?? failing[0];
  if (first === undefined) return { commit, broken: null, fixed: null };
  const broken = await breachOf(job, failing, first);
  const fixed = await fixJoined(job, { broken, failing, checks });
  return fixed === null
    ? { commit, broken, fixed: null }
    : { commit: fixed, broken: null, fixed: broken.why };
}

function sharedChecks({ tasks, outcomes }: JoinedJob): readonly SharedCheck[] {
  const count = outcomes.filter(({ commit, status }) => commit !== null && status !== 'failed');
  const ids = new Set(count.map(({ task }) => task));
  const shared = new Map<string, { check: Check; tasks: string[] }>();
  for (const task of tasks.filter(({ id }) => ids.has(id))) {
    for (const check of checksOf(task)) {
      if (check.kind === 'manual') continue;
      const key = JSON.stringify({ ...check, criterion: null, describes: null });
      const known = shared.get(key);
      if (known === undefined) shared.set(key, { check, tasks: [task.id] });
      else known.tasks.push(task.id);
    }
  }
  return [...shared.values()];
}

interface SharedRuns {
  readonly step: JoinedJob['own']['checks'];
  readonly commit: string;
  readonly checks: readonly SharedCheck[];
  /** If every check passes, they run again with the tests of this commit. */
  readonly testsOf?: string;
}

function runShared(
  job: JoinedJob,
  { step, commit, checks, testsOf }: SharedRuns,
): Promise<readonly SharedRun[]> {
  const { tools, name, signal } = job;
  const recorded = { tools, signal, step, input: { commit }, shape: z.array(SharedRun) };
  return recordStep(recorded, async () => {
    const tree = taskTree(name, job);
    try {
      await tree.moveTo(commit);
    } catch (error) {
      if (!(error instanceof NotSetUp)) throw error;
      return [{ tasks: checks.flatMap(({ tasks }) => [...tasks]), run: failedSetUp(error) }];
    }
    const runs = await runEach(job, checks, tree.checks);
    if (testsOf === undefined || failuresIn(runs).length > 0) return runs;
    return (await restoreTests(job, { commit, testsOf }))
      ? await runEach(job, checks, tree.checks)
      : runs;
  });
}

async function runEach(
  { tools }: JoinedJob,
  checks: readonly SharedCheck[],
  place: CheckConditions,
): Promise<SharedRun[]> {
  const runs: SharedRun[] = [];
  for (const { check, tasks } of checks) {
    const tell = (run: CheckRun) => tools.emit(checkEvent(tasks[0] ?? '', 'joined', run));
    const [run] = await runChecks([check], place, tell);
    if (run !== undefined) runs.push({ tasks: [...tasks], run });
  }
  return runs;
}

/** Restores the tests, because an agent that fixes a failure may change what shows it; false if it changed none. */
async function restoreTests(
  { trees, tasks, name }: JoinedJob,
  { commit, testsOf: start }: { readonly commit: string; readonly testsOf: string },
): Promise<boolean> {
  const work = { trees, start, commit };
  const files = await trees.changed(start, commit);
  const weakened = await findWeakened({ ...work, tasks, files });
  await restoreBefore(name, work, weakened);
  return weakened.length > 0;
}

function failuresIn(runs: readonly SharedRun[]): readonly SharedRun[] {
  return runs.filter(({ run }) => run.passed === false);
}

async function breachOf(
  job: JoinedJob,
  failing: readonly SharedRun[],
  first: SharedRun,
): Promise<Breach> {
  const culprit = await findCulprit(job, first);
  const owners = [...new Set(failing.flatMap(({ tasks }) => tasks))];
  const more = failing.length === 1 ? '' : ` (and ${failing.length - 1} more)`;
  const whose = owners.length === 0 ? '' : ` of ${listed(owners)}`;
  const since = culprit === null ? '' : `, since the work of ${culprit} came in`;
  const offer = offerUnconfined(job.tools.folder.id, findHeldChecks([first.run], job.tasks));
  const why = `on ${job.place} ${failureOf(first.run)}${more}${whose}${since}${offer}`;
  return { why, tasks: [...new Set([...owners, ...(culprit === null ? [] : [culprit])])] };
}

/** The task whose work made a check fail; null if that cannot be determined. */
async function findCulprit(
  job: JoinedJob,
  { tasks: [owner = ''], run: { check: name } }: SharedRun,
): Promise<string | null> {
  const { tools, own, tasks, outcomes, heads, commit, signal } = job;
  const check = tasks.flatMap(checksOf).find((one) => checkName(one) === name);
  if (heads.length === 0 || check === undefined) return null;
  const comesAfter = ancestry(tasks) ?? (() => false);
  const builds = (task: string) => task === owner || comesAfter(task, owner);
  const alone = outcomes.filter(({ task }) => builds(task));
  const from = heads.findIndex(({ task }) => builds(task));
  const seen = [...alone, ...heads.slice(from)];
  const recorded = { tools, signal, step: own.culprit, shape: z.string().nullable() };
  return recordStep({ ...recorded, input: { commit } }, async () => {
    for (const { task, commit: at } of seen) {
      if (at === null) continue;
      const tree = taskTree(job.name, job);
      await tree.moveTo(at);
      const [run] = await runChecks([check], tree.checks, () => undefined);
      if (run?.passed === false) return task;
    }
    return null;
  });
}

interface Repair {
  readonly broken: Breach;
  readonly failing: readonly SharedRun[];
  readonly checks: readonly SharedCheck[];
}

/**
 * Has an agent fix the joined work once. Null if no agent could, or if it fails afterwards, even with the old
 * tests.
 */
async function fixJoined(
  job: JoinedJob,
  { broken, failing, checks }: Repair,
): Promise<string | null> {
  const { commit, own, signal } = job;
  signal.throwIfAborted();
  const fixed = await askToFix(job, { broken, failing });
  if (fixed === null || fixed === commit) return null;
  const again = { step: own.again, commit: fixed, checks, testsOf: commit };
  const red = failuresIn(await runShared(job, again));
  return red.length === 0 ? fixed : null;
}

async function askToFix(
  job: JoinedJob,
  { broken, failing }: Omit<Repair, 'checks'>,
): Promise<string | null> {
  const { tools, trees, number, name, tasks, commit, own, executors, signal } = job;
  const { commitStyle: style } = job;
  const concerned = tasks.filter(({ id }) => broken.tasks.includes(id));
  const trailer = `Conclave-Task: ${tools.folder.id}/joined`;
  const subject = commitSubject(`Fix what fails on ${job.place}`, { style, files: [] });
  const message = `${subject}\n\n${trailer}`;
  const folder = `execution/${number}/${own.fix.name}`;
  const problems = failing.map(({ run }) => [broken.why, run.output.trim()].join('\n'));
  const work = { folder, parent: commit, message, trailer: null, isFix: true };
  const question = workQuestion(job, {
    call: own.fix,
    folder,
    meaning: { commit },
    workspace: taskTree(name, job).workspace(work),
    promptFor: async (agent) =>
      fixPrompt({
        ...promptBasics(tools, agent, number),
        of: 'joined',
        tasks: concerned,
        problems,
        diff: await trees.diff(job.start, { commit }),
        commands: commandsOf(tasks),
      }),
  });
  try {
    const { answer } = await askSeat({ tools, question, names: executors, signal });
    return answer === null || whyLeft(answer) !== null ? null : answer.value.commit;
  } catch (error) {
    if (error instanceof NotSetUp) return null;
    throw error;
  }
}
