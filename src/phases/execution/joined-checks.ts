// Runs the checks of all tasks on their joined work, and has what is wrong with it fixed once.
import { checksAfter } from '../../model/execution-summary.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { commitSubject } from '../../model/commit-style.ts';
import { checkName } from '../../model/check.ts';
import type { TaskOutcome } from '../../model/execution.ts';
import type { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { askToFix, type Fix } from './ask-for-work.ts';
import type { Job } from './execution-team.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import { failuresText, isBroken } from './judge.ts';
import { type ChecksToRun, listOwned, recordChecks } from './record-checks.ts';
import { belongingCommit } from './see-work.ts';
import { faultOfTree, taskTree } from './task-tree.ts';

/** The work tree in which the work of all tasks is joined. */
export const resultTree = 'result';

/** The work of several tasks as one commit. */
export interface JoinedJob extends Job {
  readonly tasks: readonly Task[];
  /** The commit from which the work began, and the one with all of it. */
  readonly start: string;
  readonly commit: string;
}

/** Work whose checks run where it was joined. */
interface CheckedJob extends JoinedJob {
  readonly own: ReturnType<typeof steps.joined>;
  readonly outcomes: readonly TaskOutcome[];
  /** The tasks of which everything is in the commit, as a person accepted them. */
  readonly accepted?: readonly string[];
  /** The agents that may fix it. */
  readonly executors: readonly string[];
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
export async function checkJoined(job: CheckedJob): Promise<CheckedWork> {
  const { own, commit, tasks, outcomes, accepted = [], executors: names, place, number } = job;
  // A check that fails on its own task’s work shows nothing here.
  const checks = listOwned(tasks, (check, { id }) => {
    const {
      commit: made = null,
      status,
      checks: runs = [],
    } = outcomes.find(({ task }) => task === id) ?? {};
    if (made === null || status === 'failed' || check.kind === 'manual') return false;
    const red = checksAfter(runs).filter(({ passed }) => passed === false);
    return accepted.includes(id) || !red.some((run) => run.check === checkName(check));
  });
  const alone = outcomes.flatMap((one) => checksAfter(one.checks));
  const failing = (runs: readonly CheckRecord[]) => runs.filter((run) => isBroken(run, alone));
  const known = alone.filter((run) => run.bare === true && run.passed === true);
  const run = { step: own.checks, commit, checks, known, round: 0 };
  const records = checks.length === 0 ? [] : await runJoined(job, resultTree, run);
  const red = failing(records);
  if (red.length === 0) return { commit, records, broken: null, fixed: null };
  const owners = [...new Set(red.flatMap((one) => one.tasks))];
  const offer = offerUnconfined(job.tools.folder.id, findHeldChecks(red, tasks));
  const broken = `on ${place} ${failuresText(red)}${owners.length === 0 ? '' : ` of ${listed(owners)}`}${offer}`;
  const fixed = await fixJoined(job, {
    call: own.fix,
    names,
    folder: `execution/${number}/${own.fix.name}`,
    of: 'joined',
    tasks: tasks.filter(({ id }) => owners.includes(id)),
    problems: red.map(({ output }) => [broken, output.trim()].join('\n')),
    title: `Fix what fails on ${place}`,
    isWhole: false,
    check: { step: own.again, checks, round: 1 },
    isGreen: (runs) => runs.length > 0 && failing(runs).length === 0,
  });
  return fixed === null
    ? { commit, records, broken, fixed: null }
    : { ...fixed, broken: null, fixed: broken };
}

type JoinedRun = Pick<ChecksToRun, 'step' | 'commit' | 'input' | 'checks' | 'known' | 'round'>;

/** Runs checks of several tasks on a commit with the work of all of them, in the work tree of a name. */
export function runJoined(job: Job, name: string, run: JoinedRun): Promise<readonly CheckRecord[]> {
  const place = { tree: taskTree(name, job), sides: name, files: 'joined' } as const;
  return recordChecks(job, { ...run, ...place, moment: 'joined', when: 'joined' });
}

/** What is wrong with joined work. */
interface JoinedFix extends Pick<Fix, 'call' | 'names' | 'folder' | 'of' | 'tasks' | 'problems'> {
  /** The subject of its commit. */
  readonly title: string;
  /** False if of the changes only those count that belong to the tasks, so that no weaker test is a fix. */
  readonly isWhole: boolean;
  readonly check: Omit<JoinedRun, 'commit' | 'input'>;
  readonly isGreen: (runs: readonly CheckRecord[]) => boolean;
}

/** Has an agent fix joined work once. Null if nobody could, nothing was changed, or its checks are not green. */
export async function fixJoined(
  job: JoinedJob,
  { title, isWhole, check, isGreen, ...asked }: JoinedFix,
): Promise<(Pick<CheckedWork, 'commit' | 'records'> & { readonly by: string }) | null> {
  const { tools, trees, tasks, start, commit: parent, commitStyle: style, signal } = job;
  const subject = commitSubject(title, { style, files: [] });
  const message = `${subject}\n\nConclave-Task: ${tools.folder.id}/${asked.of}`;
  const warn = (text: string) => tools.emit({ type: 'warning.raised', text });
  signal.throwIfAborted();
  try {
    const { work } = await askToFix(job, {
      ...asked,
      tree: taskTree(resultTree, job),
      checked: tasks,
      start,
      commit: parent,
      message,
    });
    if (work === null || work.commit === null || work.commit === parent) return null;
    const { commit: made, agent: by, left } = work;
    if (left !== null) {
      warn(`The fixes of ${by} are not taken: ${left}.`);
      return null;
    }
    const commit = async () => {
      const change = { tasks, commit: made };
      const own = isWhole ? made : await belongingCommit({ trees, start: parent }, change);
      return own === made ? own : await trees.squash({ commit: own, parent, message });
    };
    const run = { ...check, input: { commit: made }, commit };
    const records = await runJoined(job, resultTree, run);
    return isGreen(records) ? { commit: records[0]?.commit ?? made, records, by } : null;
  } catch (error) {
    const why = faultOfTree(error);
    if (why === null) throw error;
    warn(`The fixes are not taken: ${why}.`);
    return null;
  }
}
