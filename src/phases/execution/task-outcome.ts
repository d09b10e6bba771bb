// Makes the outcome of a task: one commit of its work if that counts; finds outcomes of earlier executions.
import type { CheckRecord } from '../../model/check-record.ts';
import { commitSubject } from '../../model/commit-style.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import { TaskOutcome } from '../../model/execution.ts';
import { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { inQuotes, listed } from '../../model/wording.ts';
import { digestOf } from '../../store/digest.ts';
import { vendorFor } from '../phase-tools.ts';
import { withoutRuntime } from '../planning/plan-hash.ts';
import { type TaskWork, type TreeJob, messageOf } from './ask-task.ts';
import { isNamed } from './belonging.ts';
import { type Dispute, awaitYes, awaitsText } from './dispute.ts';
import { type TaskJob, proofVendors } from './execution-team.ts';
import { findHeldChecks, offerUnconfined } from './held-checks.ts';
import type { Judgement } from './judge.ts';
import { retriesOf, sinceDiscarded } from './retries.ts';
import type { SeenWork } from './see-work.ts';
import { withoutWork } from './task-files.ts';

/** The work of a task after its last call. */
export interface DoneWork extends Omit<TaskWork, 'commit'> {
  readonly seen: SeenWork;
  readonly records: readonly CheckRecord[];
  readonly judgement: Judgement;
  readonly fixes: number;
  /** The tasks before it that did its work. */
  readonly others: readonly string[];
  /** The task with its proofs as they were in the end, and what was said about them. */
  readonly place: TreeJob;
  readonly dispute: Dispute;
  /** The end in an earlier execution, on whose commit others may build. */
  readonly earlier: TaskOutcome | null;
}

/** Turns the work into one commit, if it counts; changes of failed work are kept for people. */
export async function outcomeOf(done: DoneWork): Promise<TaskOutcome> {
  const { place: job, dispute, machine, seen, others, earlier } = done;
  const { tools, trees, task, number, start, parent } = job;
  const { status, why, shown, criteria } = done.judgement;
  const { commit, files, facts } = seen;
  const { mended, stoodBy } = dispute;
  const stands = stoodBy.length === 0 ? '' : `; the author of ${listed(stoodBy)} stands by it`;
  const note = notesOf(done).join('; ');
  const judged: TaskOutcome = {
    ...withoutWork(task, {
      status,
      why: `${awaitsText(job, status) ?? why}${stands}${offerAfter(done)}`,
    }),
    ...(shown !== '' && { shown }),
    executor: done.agent,
    ...(machine !== undefined && { machine }),
    start: parent,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    facts,
    checks: [...done.records],
    fix_rounds: done.fixes,
    criteria: [...criteria],
    summary: done.summary,
    content: contentOf(job),
    ...(note !== '' && { note }),
    ...(others.length > 0 && { done_by: [...others] }),
    ...(mended.length > 0 && { mended: [...mended] }),
    ...(stoodBy.length > 0 && { stood_by: [...stoodBy] }),
  };
  const outcome = awaitYes(judged, task, { session: tools.folder.id, mended });
  if (status === 'failed') {
    // What its checks left there is not what a person adds by hand.
    if (await trees.isThere(task.id)) await trees.clean(task.id, commit);
    const diff = await trees.diff(start, { commit });
    await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
    return outcome;
  }
  if (earlier !== null) return { ...outcome, commit: earlier.commit, apart: earlier.apart };
  const apart = [...seen.apart];
  const kept = files.filter((path) => apart.every((one) => one.path !== path));
  const content =
    apart.length === 0 ? commit : await trees.compose({ start, of: commit, paths: kept });
  const made = await trees.squash({ commit: content, parent, message: messageOf(job, kept) });
  if (apart.length === 0) return { ...outcome, commit: made };
  const subject = commitSubject(`Accept what ${task.id} changed besides`, {
    style: job.commitStyle,
    files: apart.map(({ path }) => path),
  });
  const message = `${subject}\n\nConclave-Task: ${tools.folder.id}/${task.id}/apart`;
  const rest = await trees.squash({ commit, parent: made, message });
  await trees.hold(task.id, rest);
  return { ...outcome, commit: made, apart: { commit: rest, files: apart } };
}

/** Explains what a person can do about work that is not shown. */
function offerAfter({
  place: { tools, task },
  judgement,
  records,
  seen,
  earlier,
}: DoneWork): string {
  const runs = checksAfter(records);
  const command = `conclave execute ${tools.folder.id}`;
  if (judgement.status === 'failed') {
    return earlier === null
      ? offerUnconfined(tools.folder.id, findHeldChecks(runs, [task]))
      : ` (to have it done again: ${command} --retry ${task.id})`;
  }
  const isRed = runs.some(({ passed }) => passed === false);
  if (judgement.status !== 'unproven' || !isRed || seen.apart.length === 0) return '';
  return ` (to accept it: ${command} --accept ${task.id} --because "…")`;
}

/** What a reader should know of work that counts, too. */
function notesOf({ place, agent, seen, records, others, earlier }: DoneWork): readonly string[] {
  const { tools, task, plan } = place;
  const { dropped } = seen;
  const vendor = vendorFor(tools, { name: agent, call: 'execute', receipts: [] });
  const apart = seen.apart.map(({ path, kind }) => `${path} (${kind})`);
  const free = checksAfter(records).flatMap(({ check, unconfined }) =>
    unconfined === true ? inQuotes(check) : [],
  );
  const notes: [isSo: boolean, text: string][] = [
    [
      dropped.length > 0,
      `its changes of ${listed(dropped)} were dropped, as nobody who works on a task may change its proofs`,
    ],
    [proofVendors(task, plan).has(vendor), `tests and work by ${vendor}`],
    [others.length > 0, `its work was done by ${listed(others)}`],
    [earlier !== null, 'only its checks ran again, as they were changed'],
    [
      apart.length > 0,
      `its changes of ${listed(apart)} stay out of the result until ${task.id} is accepted`,
    ],
    [free.length > 0, `${listed(free)} ran unconfined, as a person allowed`],
  ];
  return notes.flatMap(([isSo, text]) => (isSo ? text : []));
}

/** The changed files that the task does not name. */
export function outOfScope(
  task: Pick<Task, 'files' | 'test'>,
  changed: readonly string[],
): string[] {
  const isOpen = (task.files ?? []).length === 0;
  return isOpen ? [] : changed.filter((path) => !isNamed(task, path));
}

/** The task’s content, the commit from which it began, and its retries, on which its end depends. */
export function finishInput({ tools, task, start }: TaskJob) {
  const retries = retriesOf(tools.execution.records, task.id);
  return { task: withoutRuntime(task), start, ...(retries.length > 0 && { retries }) };
}

/** The content of the task on which the work depends: without its checks and the commands derived from them. */
function contentOf(job: TaskJob): string {
  const { task, ...input } = finishInput(job);
  const { checks: _, test, ...content } = task;
  return digestOf({ ...input, task: { ...content, test: { ...test, commands: [] } } });
}

/** Finds the end of the same task, if its work counts. */
export function findEarlierEnd(job: TaskJob): TaskOutcome | null {
  const input = digestOf(finishInput(job));
  return earlierEnds(job).findLast((end) => end.input === input)?.outcome ?? null;
}

/** Finds the work on the same task and its end, if only its checks have changed since. */
export function findEarlierWork(
  job: TaskJob,
): { readonly work: TaskWork; readonly outcome: TaskOutcome } | null {
  const content = contentOf(job);
  const found = earlierEnds(job).findLast(({ outcome }) => outcome.content === content);
  if (found === undefined) return null;
  const { commit, outcome } = found;
  const { executor: agent, machine, summary } = outcome;
  if (agent === null) return null;
  return { outcome, work: { commit, summary, agent, machine, session: null, left: null } };
}

/** The earlier ends of the task whose work counts. */
function earlierEnds({ tools, task, number }: TaskJob) {
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, at) => steps.task(at + 1, task.id).finish.key),
  );
  return sinceDiscarded(tools.execution.records).flatMap((record) => {
    if (record.type !== 'finished' || !keys.has(record.key)) return [];
    const { input, result } = record;
    const outcome = TaskOutcome.safeParse(result).data;
    const commit = outcome?.commit ?? null;
    return outcome === undefined || commit === null ? [] : { input, outcome, commit };
  });
}
