// Runs the checks of all tasks on their joined work, and has what fails there fixed once.
import { checksAfter } from '../../model/execution-summary.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { commitSubject } from '../../model/commit-style.ts';
import { checkName } from '../../model/check.ts';
import type { TaskOutcome } from '../../model/execution.ts';
import type { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { fixPrompt } from '../../prompts/execute-prompt.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { promptBasics } from '../phase-tools.ts';
import { commandsOf } from './checks.ts';
import type { Job } from './execution-team.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import { failuresText, isBroken } from './judge.ts';
import { NotSetUp } from './run-command.ts';
import { listOwned, type OwnedCheck, recordChecks } from './record-checks.ts';
import { belongingCommit } from './see-work.ts';
import { taskTree } from './task-tree.ts';
import { whyLeft, workQuestion } from './work-question.ts';

/** Joined work, and the agents that may fix it. */
export interface JoinedJob extends Job {
  readonly own: ReturnType<typeof steps.joined>;
  /** The name of the work tree in which it is checked. */
  readonly name: string;
  readonly commit: string;
  readonly outcomes: readonly TaskOutcome[];
  /** The tasks of which everything is in the commit, as a person accepted them. */
  readonly accepted?: readonly string[];
  readonly tasks: readonly Task[];
  readonly executors: readonly string[];
  /** The commit from which the work began. */
  readonly start: string;
  /** The name of the commit in messages, e.g. `the joined result`. */
  readonly place: string;
}

/** The commit that counts, with the last records of its checks. */
export interface CheckedWork {
  readonly commit: string;
  readonly records: readonly CheckRecord[];
  /** Why a check fails on it; null if every check passes. */
  readonly broken: string | null;
  /** The failure that an agent fixed; null if there was none. */
  readonly fixed: string | null;
}

/**
 * Runs every check of the tasks that count once, in a clean checkout after its set-up. Failing checks are given
 * to an agent once.
 */
export async function checkJoined(job: JoinedJob): Promise<CheckedWork> {
  const { own, commit } = job;
  const checks = sharedChecks(job);
  if (checks.length === 0) return { commit, records: [], broken: null, fixed: null };
  const alone = job.outcomes.flatMap((one) => checksAfter(one.checks));
  const known = alone.filter((run) => run.bare === true && run.passed === true);
  const records = await runJoined(job, { step: own.checks, commit, checks, known, round: 0 });
  const failing = failuresIn(job, records);
  if (failing.length === 0) return { commit, records, broken: null, fixed: null };
  const broken = whyBroken(job, failing);
  const fixed = await fixJoined(job, { broken, failing, checks });
  if (fixed === null) return { commit, records, broken, fixed: null };
  return { ...fixed, broken: null, fixed: broken };
}

/** The checks of the tasks that count, each once; a check that fails on its own task’s work shows nothing here. */
function sharedChecks({ tasks, outcomes, accepted = [] }: JoinedJob): readonly OwnedCheck[] {
  return listOwned(tasks, (check, { id }) => {
    const outcome = outcomes.find((one) => one.task === id);
    const isLost = (outcome?.commit ?? null) === null || outcome?.status === 'failed';
    if (outcome === undefined || isLost || check.kind === 'manual') return false;
    const red = checksAfter(outcome.checks).filter(({ passed }) => passed === false);
    return accepted.includes(id) || !red.some((run) => run.check === checkName(check));
  });
}

interface JoinedRun {
  readonly step: JoinedJob['own']['checks'];
  readonly commit: string | (() => Promise<string>);
  readonly input?: object;
  readonly checks: readonly OwnedCheck[];
  readonly known?: readonly CheckRecord[];
  readonly round: number;
}

function runJoined(job: JoinedJob, run: JoinedRun): Promise<readonly CheckRecord[]> {
  const tree = taskTree(job.name, job);
  const place = { tree, sides: job.name, files: 'joined' } as const;
  return recordChecks(job, { ...run, ...place, moment: 'joined', when: 'joined' });
}

/** The checks that fail, or that ran tests on the work of their task and run none here. */
function failuresIn({ outcomes }: JoinedJob, records: readonly CheckRecord[]) {
  const alone = outcomes.flatMap(({ checks }) => checksAfter(checks));
  return records.filter((run) => isBroken(run, alone));
}

function whyBroken(job: JoinedJob, failing: readonly CheckRecord[]): string {
  const owners = [...new Set(failing.flatMap(({ tasks }) => tasks))];
  const whose = owners.length === 0 ? '' : ` of ${listed(owners)}`;
  const offer = offerUnconfined(job.tools.folder.id, findHeldChecks(failing, job.tasks));
  return `on ${job.place} ${failuresText(failing)}${whose}${offer}`;
}

interface Repair {
  readonly broken: string;
  readonly failing: readonly CheckRecord[];
  readonly checks: readonly OwnedCheck[];
}

/**
 * Has an agent fix the joined work once. Of its changes only those count that belong to the tasks, so that no
 * weaker test is a fix. Null if no agent could, or if a check fails afterwards.
 */
async function fixJoined(
  job: JoinedJob,
  { broken, failing, checks }: Repair,
): Promise<Pick<CheckedWork, 'commit' | 'records'> | null> {
  const { trees, tasks, commit: start, own, executors, signal } = job;
  signal.throwIfAborted();
  if (executors.length === 0) return null;
  const fixed = await askToFix(job, { broken, failing });
  if (fixed === null || fixed === start) return null;
  const commit = async () => {
    const proof = await belongingCommit({ trees, start }, { tasks, commit: fixed });
    const squashed = { commit: proof, parent: start, message: fixMessage(job) };
    return proof === fixed ? fixed : await trees.squash(squashed);
  };
  const run = { step: own.again, input: { commit: fixed }, commit, checks, round: 1 };
  const records = await runJoined(job, run);
  const [first] = records;
  if (first === undefined || failuresIn(job, records).length > 0) return null;
  return { commit: first.commit, records };
}

function fixMessage({ tools, place, commitStyle: style }: JoinedJob): string {
  const subject = commitSubject(`Fix what fails on ${place}`, { style, files: [] });
  return `${subject}\n\nConclave-Task: ${tools.folder.id}/joined`;
}

async function askToFix(
  job: JoinedJob,
  { broken, failing }: Omit<Repair, 'checks'>,
): Promise<string | null> {
  const { tools, trees, number, name, tasks, commit, own, executors, signal } = job;
  const owners = failing.flatMap((run) => run.tasks);
  const concerned = tasks.filter(({ id }) => owners.includes(id));
  const folder = `execution/${number}/${own.fix.name}`;
  const problems = failing.map(({ output }) => [broken, output.trim()].join('\n'));
  const message = fixMessage(job);
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
