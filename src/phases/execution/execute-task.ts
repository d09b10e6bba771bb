// Executes one task: its checks, the work, the checks again, rounds of fixes; completed, unproven or failed.
import { z } from 'zod';
import type { AgentSession } from '../../agents/agent-session.ts';
import { steps } from '../../model/steps.ts';
import { CheckRun, type TaskEnd, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { digestOf } from '../../store/digest.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { withoutRuntime } from '../planning/approval.ts';
import { recordStep } from '../tools.ts';
import { askTask, type TreeJob } from './ask-task.ts';
import { checkEvent, runChecks } from './checks.ts';
import type { TaskJob } from './execution.ts';
import { NotSetUp, taskTree } from './task-tree.ts';

/** An agent may put right so often what the checks found. */
const mostFixes = 2;

/**
 * Carries one task out: its checks before the work, the work, its checks after it, and up to two
 * rounds of fixes. Each is a step, so that a resume goes on where it stopped; what an agent did is
 * committed within the step of its call.
 */
export async function executeTask(job: TaskJob): Promise<TaskOutcome> {
  const { tools, task, start } = job;
  const known = findEarlierEnd(tools.execution.records, job);
  if (known !== null) return await recordOutcome(job, async () => known);
  const inTree = { ...job, tree: taskTree(task.id, job) };
  try {
    const before = await runTaskChecks(inTree, { index: 0, commit: start });
    const done = await work(inTree, before);
    return await recordOutcome(job, () =>
      'why' in done ? noWork(job, done) : outcomeOf(inTree, done),
    );
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return await recordOutcome(job, () => noWork(job, { why: error.message }));
  }
}

/** The work of a task when no further call follows. */
interface DoneWork {
  readonly agent: string;
  readonly commit: string;
  readonly summary: string;
  readonly session: AgentSession | null;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  readonly fixes: number;
  /** Files that it changed. */
  readonly files: readonly string[];
  readonly judgement: Judgement;
}

/** Why there is nothing of it, with the checks that ran before. */
interface MissingWork {
  readonly why: string;
  readonly before?: readonly CheckRun[];
}

async function work(job: TreeJob, before: readonly CheckRun[]): Promise<DoneWork | MissingWork> {
  const { task, trees, start, session } = job;
  let answer = await askTask(job, { fix: 0, commit: start, problems: [], session });
  if (answer.commit === null) return { why: answer.why, before };
  for (let fixes = 0; ; fixes += 1) {
    const { commit } = answer;
    const after = await runTaskChecks(job, { index: fixes + 1, commit });
    const files = await trees.changed(start, commit);
    const judgement = judge({ task, before, after, files });
    const done = { ...answer, before, after, fixes, files, judgement };
    if (judgement.status !== 'failed' || fixes === mostFixes) return done;
    const problems = problemsOf(after, judgement.why);
    const call = { fix: fixes + 1, commit, problems, session: answer.session };
    const fixed = await askTask(job, call);
    if (fixed.commit === null) return done;
    answer = fixed;
  }
}

function problemsOf(after: readonly CheckRun[], why: string): readonly string[] {
  const failed = after.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}

/** The checks of the task at a commit, as a step. An index of 0 is before the work. */
async function runTaskChecks(
  { tools, task, number, signal, tree }: TreeJob,
  { index, commit }: { readonly index: number; readonly commit: string },
): Promise<readonly CheckRun[]> {
  const own = steps.task(number, task.id);
  const when = index === 0 ? 'before' : 'after';
  const tell = (run: CheckRun, fromRecord?: boolean) =>
    tools.emit(checkEvent(task.id, when, run), fromRecord);
  const step = index === 0 ? own.before : own.after(index);
  const { value, replayed } = await tools.steps.run(
    { ...step, input: { commit }, shape: z.array(CheckRun), signal },
    async () => {
      await tree.moveTo(commit);
      return await runChecks(task, tree.checks, (run) => tell(run));
    },
  );
  if (replayed) for (const run of value) tell(run, true);
  return value;
}

/** Ends the task, as a step. */
function recordOutcome(job: TaskJob, end: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
  const { tools, task, number, start, signal } = job;
  const step = { tools, signal, step: steps.task(number, task.id).finish };
  return recordStep({ ...step, input: finishInput(task, start), shape: TaskOutcome }, end);
}

/** The end of a task hangs on its own content, and the commit that it began from. */
function finishInput(task: Task, start: string): unknown {
  return { task: withoutRuntime(task), start };
}

/** The end of the same task in an earlier execution, if its work counts. */
function findEarlierEnd(
  records: readonly JournalRecord[],
  { task, start, number }: TaskJob,
): TaskOutcome | null {
  const input = digestOf(finishInput(task, start));
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, before) => steps.task(before + 1, task.id).finish.key),
  );
  const found = records.findLast(
    (record) => record.type === 'finished' && keys.has(record.key) && record.input === input,
  );
  const outcome = found?.type === 'finished' ? TaskOutcome.safeParse(found.result).data : undefined;
  return outcome === undefined || outcome.commit === null ? null : outcome;
}

async function noWork(
  { task, start }: TaskJob,
  { why, before = [] }: MissingWork,
): Promise<TaskOutcome> {
  return { ...withoutWork(task, { status: 'failed', why }), start, before: [...before] };
}

/** The work as one commit, if it counts; of work that failed, what it changed is kept for people. */
async function outcomeOf(
  { tools, trees, task, number, start, tree }: TreeJob,
  { agent, commit, summary, session, before, after, fixes, files, judgement }: DoneWork,
): Promise<TaskOutcome> {
  const { status, why, criteria } = judgement;
  const outcome: TaskOutcome = {
    ...withoutWork(task, { status, why }),
    executor: agent,
    start,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    before: [...before],
    after: [...after],
    fix_rounds: fixes,
    criteria: [...criteria],
    summary,
    ...(session === null ? {} : { agent_session: { id: session.id, tokens: session.tokens } }),
  };
  if (status === 'failed') {
    const diff = await trees.diff(start, { commit });
    await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
    return outcome;
  }
  await tree.moveTo(commit);
  const message = `${task.title}\n\nConclave-Task: ${tools.folder.id}/${task.id}`;
  return { ...outcome, commit: await tree.commit(start, message) };
}

/** The end of a task of which nothing is left. */
export function withoutWork(task: Task, end: Pick<TaskOutcome, 'status' | 'why'>): TaskOutcome {
  return {
    task: task.id,
    title: task.title,
    ...end,
    executor: null,
    start: null,
    commit: null,
    files_modified: [],
    out_of_scope: [],
    before: [],
    after: [],
    fix_rounds: 0,
    criteria: task.convergence.criteria.map(() => false),
    summary: '',
  };
}

/** A task is judged by this when its agent says that it is done. */
interface Evidence {
  readonly task: Pick<Task, 'convergence' | 'files'>;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  /** Files that it changed. */
  readonly files: readonly string[];
}

interface Judgement {
  readonly status: Exclude<TaskEnd, 'blocked'>;
  readonly why: string;
  /** For each criterion whether it is shown to hold. */
  readonly criteria: readonly boolean[];
}

/**
 * `completed` only where every automatic check passes after the work and at least one of them failed
 * before it; a check that fails, or nothing changed, is a failure; all else is unproven.
 */
export function judge({ task, before, after, files }: Evidence): Judgement {
  const failed = after.filter(({ passed }) => passed === false);
  const criteria = task.convergence.criteria.map((_, index) => isShown(index, after));
  const [first] = failed;
  if (first !== undefined) {
    const more = failed.length === 1 ? '' : ` (and ${failed.length - 1} more)`;
    return { status: 'failed', why: `${failureOf(first)}${more}`, criteria };
  }
  const turned = after.some(
    ({ check, passed }) =>
      passed === true && before.some((run) => run.check === check && run.passed === false),
  );
  if (turned) return { status: 'completed', why: '', criteria };
  if (files.length === 0) return { status: 'failed', why: 'it changed nothing', criteria };
  const hasRun = after.some(({ passed }) => passed === true);
  const why = hasRun
    ? 'no check failed before the work, so passing them shows nothing'
    : 'no check of it can be run by a program';
  return { status: 'unproven', why, criteria };
}

function isShown(criterion: number, after: readonly CheckRun[]): boolean {
  const runs = after.filter((run) => run.criterion === criterion);
  return runs.length > 0 && runs.every(({ passed }) => passed === true);
}

function failureOf({ check, note }: CheckRun): string {
  return note === '' ? `the check "${check}" fails` : `the check "${check}" fails: ${note}`;
}

/** Files that a task changed and does not name; a new test beside its files is within its scope. */
export function outOfScope(
  task: Pick<Task, 'files' | 'test'>,
  changed: readonly string[],
): string[] {
  const named = (task.files ?? []).map(({ path }) => path);
  const tests = [...(task.test?.unit ?? []), ...(task.test?.integration ?? [])];
  const isNamed = (path: string) =>
    named.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`)) ||
    tests.some((text) => text.includes(path));
  return named.length === 0 ? [] : changed.filter((path) => !isNamed(path));
}
