// Judges a task by the records of its checks and by what it changed: completed, unproven or failed.
import { recordsAt } from '../../model/execution-summary.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { isLook } from '../../model/check.ts';
import type { TaskEnd, TaskOutcome, WorkFacts } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { counted, inQuotes, listed } from '../../model/wording.ts';
import { whatIsGone } from './test-counts.ts';

/** The evidence by which a task is judged. */
export interface Evidence {
  readonly task: Pick<Task, 'convergence' | 'files' | 'type'>;
  readonly records: readonly CheckRecord[];
  /** The files that it changed, as git sees them. */
  readonly files: readonly string[];
  readonly facts: WorkFacts;
  /** Why its work cannot be brought home at all; null if it can. */
  readonly left?: string | null;
  /** The tasks before it that did its work. */
  readonly others?: readonly string[];
  /** False if the user wants no second run on the start commit. */
  readonly rechecks?: boolean;
}

export interface Judgement {
  readonly status: Exclude<TaskEnd, 'blocked'>;
  /** Why it is not completed; empty if it is. */
  readonly why: string;
  /** What the end of a completed task says of its evidence, e.g. `1 of 3 criteria shown`. */
  readonly shown: string;
  /** True for each criterion that is shown to hold. */
  readonly criteria: readonly boolean[];
}

/**
 * Judges the work of a task. It has failed if a check fails on what belongs to it or on the joined work, or if
 * there is no work. It is completed if the records show what a task of its type has to show, and nothing speaks
 * against them; everything else is unproven.
 */
export function judge(evidence: Evidence): Judgement {
  const { task, files, others = [] } = evidence;
  const seen = { ...evidence, ...latest(evidence.records) };
  const isNothing = files.length === 0 && others.length === 0;
  const verdicts = task.convergence.criteria.map((_, at) => verdictOn(seen, at));
  const criteria = verdicts.map((verdict, at) => !isNothing && isShown(seen, at, verdict));
  const end = (status: Judgement['status'], why: string, shown = '') => {
    return { status, why, shown, criteria };
  };
  const failure = failureIn(seen);
  if (failure !== null) return end('failed', failure);
  const fault = faultIn(seen);
  if (fault !== null) return end('unproven', fault);
  if (others.length > 0) return end('completed', '');
  const doubt = doubtIn(seen);
  const proof = doubt === null ? proofIn(seen) : null;
  const isMet = verdicts.length > 0 && verdicts.every((verdict) => verdict === true);
  if (proof === null && !isMet) return end('unproven', doubt ?? whyNoProof(seen));
  const many = criteria.filter(Boolean).length;
  const some = many === criteria.length ? '' : `${many} of ${criteria.length} criteria shown`;
  const how = proof ?? 'as its reviewer shows with quotes';
  return end('completed', '', [how, some].filter((text) => text !== '').join(', '));
}

type Seen = Evidence & ReturnType<typeof latest>;

/** Judges a task that counts again, with more records; its commit stays what it is. */
export function judgeAgain(
  outcome: TaskOutcome,
  { task, records, rechecks }: Required<Pick<Evidence, 'task' | 'records' | 'rechecks'>>,
): TaskOutcome {
  const { commit, files_modified: files, facts, done_by: others = [] } = outcome;
  const checks = [...outcome.checks, ...records];
  if (commit === null || facts === undefined || outcome.status === 'failed') {
    return { ...outcome, checks };
  }
  const judged = judge({ task, records: checks, files, facts, others, rechecks });
  const { status, why, shown, criteria } = judged;
  const isSame = status === outcome.status;
  return {
    ...outcome,
    checks,
    status,
    why: isSame ? outcome.why : why,
    criteria: [...criteria],
    ...(shown === '' ? {} : { shown }),
  };
}

/** Says what makes a task failed; null if nothing does. */
function failureIn({ before, after, all, joined, files, facts, left, others = [] }: Seen) {
  if (left !== undefined && left !== null) return left;
  const broken = joined.filter((run) => isBroken(run, after));
  if (broken.length > 0) return `on the joined result ${failuresText(broken)}`;
  const red = after.filter(isRed);
  const isRescued = ({ check }: CheckRecord) => {
    const runs = all.filter((run) => run.check === check);
    return runs.length > 0 && runs.every(isGreen);
  };
  if (!red.every(isRescued)) return failuresText(red);
  if (facts.ignored.length > 0) {
    return `git ignores ${facts.ignored.join(', ')}, so no commit can contain it`;
  }
  if (files.length > 0 || others.length > 0) return null;
  const clean = before.filter(isRed);
  return clean.length === 0
    ? 'the agent changed no file'
    : `the agent changed no file that git sees, and in a clean checkout ${failuresText(clean)}`;
}

/** True for a check that fails on the joined work, or that ran tests alone and runs none there. */
export function isBroken(run: CheckRecord, after: readonly CheckRecord[]): boolean {
  const passedAlone = after.some((one) => one.check === run.check && one.passed === true);
  return isRed(run) || (run.ran_no_test === true && passedAlone);
}

/** Says what no reviewer can outweigh: the work rests on something that is not part of it. */
function faultIn({ task, before, after, facts }: Seen): string | null {
  if (after.some(isRed)) {
    return `its checks pass only with ${someOf(facts.rest)}, which the task does not name`;
  }
  if (facts.links_out.length > 0) {
    return `${listed(facts.links_out)} leads out of the repository`;
  }
  if (facts.inverts !== undefined) return `with ${facts.inverts} a test passes by failing`;
  if (facts.reruns !== undefined) return `the test “${facts.reruns}” is run in another way now`;
  const removes = (task.files ?? []).flatMap(({ removes_tests: names = [] }) => names);
  for (const { check, tests: now } of after) {
    for (const { tests: then } of before.filter((run) => run.check === check)) {
      const gone = then === undefined || now === undefined ? null : whatIsGone(then, now, removes);
      if (gone !== null) return `in the check ${inQuotes(check)} ${gone}`;
    }
  }
  return null;
}

/** Says what makes the checks prove nothing, although a reviewer may know better. */
function doubtIn({ task, after, facts: { untouched } }: Seen): string | null {
  const was = untouched.length === 1 ? 'was' : 'were';
  if (untouched.length > 0) {
    return (task.files ?? []).every(({ path }) => untouched.includes(path))
      ? 'the agent changed none of the files that the task names'
      : `${listed(untouched)} ${was} to be changed and ${was} not`;
  }
  const empty = after.find((run) => run.ran_no_test === true);
  return empty === undefined ? null : `${empty.note}: the check ${inQuotes(empty.check)}`;
}

/**
 * Says what the checks show, empty if a check turned from red to green and is red on the start; null if they
 * show nothing. Tests of existing code and refactoring are shown by tests that were or are green already.
 */
function proofIn({ task: { type }, before, after, again, turned, rechecks = true }: Seen) {
  const [was, is] = [passedIn(before), passedIn(after)];
  if (type !== undefined && testTypes.has(type)) {
    if (is > was) return `as tests: ${is - was} more ${is - was === 1 ? 'passes' : 'pass'}`;
    return turned.some(({ kind, tests }) => tests === undefined && !isLook(kind)) ? '' : null;
  }
  const shown = turned.filter(({ check, kind }) => {
    const runs = again.filter((run) => run.check === check);
    return !runs.some(isGreen) && (isLook(kind) || !rechecks || runs.length > 0);
  });
  if (shown.length > 0) return rechecks || shown.some(({ kind }) => isLook(kind)) ? '' : notAgain;
  const isSame = type === 'refactor' && is > 0 && is >= was && before.some(isGreen);
  return isSame ? `as a refactoring: ${counted(is, 'test')} pass as before` : null;
}

const notAgain = 'not run on the start again, as recheck = false';

/** The types of tasks whose work is tests. */
export const testTypes: ReadonlySet<string> = new Set(['testing', 'test-gen', 'test-fix']);

/** The checks that were red before the work, or ran no test, and are green on it. */
export function turnedChecks(records: readonly CheckRecord[]): readonly CheckRecord[] {
  return latest(records).turned;
}

function whyNoProof({ task: { type }, after, turned: [turned] }: Seen): string {
  if (turned !== undefined) {
    return type !== undefined && testTypes.has(type)
      ? 'no more tests pass than before'
      : `the check ${inQuotes(turned.check)} is green on the start, too, so it shows nothing of the work`;
  }
  return after.some(isGreen)
    ? 'no check failed before the work, so passing them proves nothing'
    : 'none of its checks can run automatically';
}

/** A criterion is shown by checks of its own that all pass, or by its reviewer. */
function isShown({ task, after }: Seen, criterion: number, verdict: boolean | null): boolean {
  const only = task.convergence.criteria.length === 1 ? 0 : null;
  const own = after.filter((run) => (run.criterion ?? only) === criterion);
  return verdict ?? (own.length > 0 && own.every(isGreen));
}

function verdictOn({ verdicts }: Seen, criterion: number): boolean | null {
  const found = verdicts.filter((one) => one.criterion === criterion);
  if (found.some(isRed)) return false;
  return found.length > 0 && found.every(isGreen) ? true : null;
}

/** The records that count at each moment. */
function latest(records: readonly CheckRecord[]) {
  const reviews = records.filter(({ kind }) => kind === 'review');
  const checks = records.filter(({ kind }) => kind !== 'review');
  const before = recordsAt(checks, 'before', 'start');
  const after = recordsAt(checks, 'after', 'work');
  const [{ round } = { round: 0 }] = after;
  const wasRed = ({ check }: CheckRecord) =>
    before.some((one) => one.check === check && (isRed(one) || one.ran_no_test === true));
  return {
    before,
    after,
    all: recordsAt(checks, 'after', 'all').filter((run) => run.round === round),
    again: checks.filter(({ moment }) => moment === 'again'),
    joined: recordsAt(records, 'joined'),
    verdicts: recordsAt(reviews, 'joined'),
    turned: after.filter((run) => isGreen(run) && wasRed(run)),
  };
}

const isRed = ({ passed }: Pick<CheckRecord, 'passed'>) => passed === false;
const isGreen = ({ passed }: Pick<CheckRecord, 'passed'>) => passed === true;

function passedIn(runs: readonly CheckRecord[]): number {
  return runs.reduce((sum, { tests }) => sum + (tests?.passed ?? 0), 0);
}

/** Says in one clause which checks fail, and why the worst of them does. */
export function failuresText(failing: readonly CheckRecord[]): string {
  const [first, ...more] = failing.toSorted((a, b) => Number(b.held ?? 0) - Number(a.held ?? 0));
  if (first === undefined) return '';
  return `${failureOf(first)}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}

function failureOf({ check, note, held }: Pick<CheckRecord, 'check' | 'note' | 'held'>): string {
  if (held === true) return `the check ${inQuotes(check)} ${note}`;
  return note === ''
    ? `the check ${inQuotes(check)} fails`
    : `the check ${inQuotes(check)} fails: ${note}`;
}

function someOf(paths: readonly string[]): string {
  const more = paths.length - 4;
  return listed(more > 1 ? [...paths.slice(0, 4), `${more} more`] : paths);
}
