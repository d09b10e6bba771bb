// Reads start, approval, plan and end of a session from the journal, and reopens an ended one.
import { z } from 'zod';
import { Text, TextOrNull, Whole } from '../model/plain-shapes.ts';
import { ExecuteAnswer, ExecutionResult, TaskOutcome, discardReason } from '../model/execution.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { Base } from '../model/context.ts';
import { AfterVerdict, GivenPlan } from '../model/critique.ts';
import { Approval, type PlanRejection } from '../model/decision.ts';
import type { Failure } from '../model/failure.ts';
import { RunSettings } from '../model/run-settings.ts';
import { type Step, anyone, every } from '../model/step.ts';
import { flowOf, isStep, parseStep, steps } from '../model/steps.ts';
import { WrittenPlan } from '../phases/planning/generate-plan.ts';
import { ReadPlan } from '../phases/planning/reading/read-by-others.ts';
import type { Journal, JournalRecord } from '../store/journal.ts';
import { recordResult, voidFrom, voidSteps } from '../store/logged-steps.ts';
import { foldFinishedSteps, foldSteps } from '../store/recorded-steps.ts';
import { type NamedTeam, nameTeam, noTeam } from './recorded-team.ts';
import {
  RecordedVerdict,
  findAnsweredComments,
  findRejection,
  isReview,
  isRevisionOpen,
  isVerdict,
  voidReview,
} from './review-verdicts.ts';

/** The task and settings in step `task`, recorded before everything else so that no words are lost. */
export const SessionTask = z.object({
  task: Text,
  settings: RunSettings,
  created_at: z.iso.datetime(),
  /** The conversation that led to the task, as the agents are shown it. */
  conversation: z.object({ session: Text, text: Text }).optional(),
  /** An existing plan, which the session examines instead of proposing its own. */
  given: GivenPlan.optional(),
});
export type SessionTask = z.infer<typeof SessionTask>;

/** The step `session`: what was asked, and about which state of the repository. */
export const SessionStart = SessionTask.extend({ base: Base });
export type SessionStart = z.infer<typeof SessionStart>;

/** The base from the start, or the last one that was chosen since. */
export function findBase(finished: Finished): Base | null {
  const later = [...finished].findLast(([key]) => isLaterBase(key));
  return Base.safeParse(later?.[1].result).data ?? recordedStart(finished)?.base ?? null;
}

const isLaterBase = (key: string) => isStep(key, steps.session.base(every));

/** The steps of the bases that were chosen since the start. */
export function laterBases(finished: Finished): readonly Step[] {
  return [...finished.keys()].filter(isLaterBase).flatMap((key) => parseStep(key) ?? []);
}

/** Records another base for all further work, as a step that each later run looks up. */
export async function recordBase(journal: Journal, base: Base): Promise<void> {
  const known = journal.records.filter((one) => one.type === 'started' && isLaterBase(one.key));
  await recordResult(journal, steps.session.base(known.length + 2), base);
}

/** The plan that a session examines, and what is wanted of it; null for a session that makes its own. */
export function findGiven(
  records: readonly JournalRecord[],
): { readonly after: AfterVerdict; readonly isJudged: boolean } | null {
  const finished = foldFinishedSteps(records);
  const given = findTask(finished)?.given ?? null;
  if (given === null) return null;
  const { next, verdict } = steps.critique;
  const after = AfterVerdict.safeParse(finished.get(next.key)?.result).data;
  return { after: after ?? AfterVerdict.parse(given), isJudged: finished.has(verdict.key) };
}

/** Makes a session with an examined plan continue from the verdict. */
export async function reopenVerdict(journal: Journal, after: AfterVerdict): Promise<void> {
  const { next } = steps.critique;
  const why = 'conclave critique was called';
  if (foldSteps(journal.records).has(next.key)) await voidFrom(journal, [next.key], why);
  await recordResult(journal, next, after);
}

type Finished = ReadonlyMap<string, { readonly result: unknown }>;

/** Reads the start of a session; null before the base is known. */
function recordedStart(finished: Finished): SessionStart | null {
  return SessionStart.safeParse(finished.get(steps.session.start.key)?.result).data ?? null;
}

/** Reads the task that was saved at the start; null if there is none. */
export function findTask(finished: Finished): SessionTask | null {
  return SessionTask.safeParse(finished.get(steps.session.task.key)?.result).data ?? null;
}

/** The current plan of a session, according to its journal. */
export interface PlanRecord {
  readonly start: SessionStart;
  readonly base: Base;
  /** The plan as the planner wrote it. */
  readonly written: WrittenPlan;
  /** True if the plan was sent back and the new version is not written yet. */
  readonly isBeingRevised: boolean;
  /** The comments that led to the last version; null for the first one. */
  readonly answeredComments: readonly PlanComment[] | null;
  /** The rejection; null unless the plan is rejected. */
  readonly rejected: PlanRejection | null;
}

/** The current plan; null for a session without one. */
export function findPlan(records: readonly JournalRecord[]): PlanRecord | null {
  const finished = foldFinishedSteps(records);
  const plans = [...finished].flatMap(([key, { result }]) => planIn(key, result) ?? []);
  const written = WrittenPlan.safeParse(plans.at(-1));
  const start = recordedStart(finished);
  if (!written.success || start === null) return null;
  return {
    start,
    base: findBase(finished) ?? start.base,
    written: written.data,
    isBeingRevised: isRevisionOpen(records),
    answeredComments: findAnsweredComments(records),
    rejected: findRejection(records),
  };
}

const newVersion = steps.plan(every, every);

/** The plan in the result of a step; null for another step, or if the step made none. */
function planIn(key: string, result: unknown): unknown {
  if (isStep(key, steps.plan(every).write, newVersion.write)) return result;
  if (!isStep(key, steps.reading(every).end)) return null;
  return ReadPlan.safeParse(result).data?.revised ?? null;
}

/** The end of a session in the journal. */
export const RecordedEnd = z.object({
  kind: z.enum(['done', 'left', 'cancelled', 'failed']),
  message: Text,
  exit_code: Whole,
  /** The step to redo, with all that followed, when the session is resumed; null if it is done. */
  reopen: TextOrNull,
});
export type RecordedEnd = z.infer<typeof RecordedEnd>;

export interface SessionEnd {
  readonly end: 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly exitCode: number;
  readonly message: string;
  /** The failure; null if the session ended as intended. */
  readonly failure: Failure | null;
  /** Null for an end without a decision: an interruption or a temporary error. */
  readonly record: RecordedEnd | null;
  /** Makes the journal redo tasks; set if the session continues at once. */
  readonly again?: (journal: Journal) => Promise<void>;
  /** Tells the user elsewhere of it. */
  readonly notify?: () => Promise<void>;
}

/** The end of the session, if it has one; `resume` finds it in the journal. */
export function findEnd(journal: Pick<Journal, 'records'>): RecordedEnd | null {
  const end = foldFinishedSteps(journal.records).get(steps.session.end.key);
  return RecordedEnd.safeParse(end?.result).data ?? null;
}

/** Reopens an ended session: voids its end and everything after the step to redo. */
export async function reopen(journal: Journal, end: RecordedEnd): Promise<void> {
  const first = parseStep(`${end.reopen ?? ''}/open`);
  const execution = first?.phase === 'execution' ? first.number : null;
  const why = `resumed after: ${end.message}`;
  if (execution !== null) await reopenExecution(journal, execution, { redoes: false });
  else if (end.reopen !== null && isReview(end.reopen)) await voidReview(journal, end.reopen, why);
  else if (end.reopen !== null) await voidFrom(journal, [end.reopen], why);
}

/**
 * Reopens a session for `conclave execute`: asks again if the plan is to be executed, goes on with what did
 * not end, or asks only if the result is to be brought home. Interrupted work continues unchanged, unless another agent is
 * named for it.
 */
export async function reopenForExecution(
  journal: Journal,
  how: 'again' | 'retry' | 'apply' | 'accept',
  team: NamedTeam = noTeam,
): Promise<void> {
  const number = executionNumber(journal.records);
  const changes = await nameTeam(journal, number, team);
  const recorded = foldSteps(journal.records);
  const [asked, applied] = [steps.execute(number).key, steps.apply(number).question.key];
  const question = recorded.get(asked)?.finished ?? null;
  const isLater = ExecuteAnswer.safeParse(question?.result).data?.kind === 'later';
  const why = 'conclave execute was called';
  const after = [...(changes.review ? [steps.codeReview(number).group] : []), applied];
  if (how === 'apply' || how === 'accept') await voidEnded(journal, after, why);
  else if (isLater) await voidFlows(journal, [asked], why);
  else if (question === null) await voidFlows(journal, [], why);
  else if (changes.execution || recorded.has(steps.session.end.key)) {
    await reopenExecution(journal, number, { redoes: team.execution !== null });
  } else if (changes.review) await voidFlows(journal, after, why);
}

/** Makes the session forget its execution, so that the plan can be executed again. */
export async function forgetExecution(journal: Journal): Promise<void> {
  const number = executionNumber(journal.records);
  const hasBegun = [...foldSteps(journal.records).keys()].some(
    isIn([steps.execution(number).group]),
  );
  if (!hasBegun) return;
  const { key: asked } = steps.execute(number);
  const { key: applied } = steps.apply(number).question;
  const flows = [asked, steps.execution(number).group, steps.codeReview(number).group, applied];
  await voidFlows(journal, flows, discardReason);
}

/** Voids all steps of these flows, and the end of the session. */
async function voidFlows(journal: Journal, flows: readonly string[], why: string): Promise<void> {
  const keys = [...foldSteps(journal.records).keys()];
  await voidSteps(journal, keys.filter(isIn([steps.session.end.key, ...flows])), why);
}

/** Voids the ended steps only: killed ones run again anyway, and reuse what their agent had answered. */
async function voidEnded(journal: Journal, flows: readonly string[], why: string): Promise<void> {
  const keys = [...foldFinishedSteps(journal.records).keys()];
  await voidSteps(journal, keys.filter(isIn([steps.session.end.key, ...flows])), why);
}

function isIn(flows: readonly string[]): (key: string) => boolean {
  return (key) => flows.includes(flowOf(key));
}

/** The current execution of the journal, or the next one: a new approval after an execution began starts another. */
export function executionNumber(records: readonly JournalRecord[]): number {
  const asked = highest([...foldSteps(records).keys()], steps.execute(every));
  if (asked > 0) return asked;
  const begun = records.flatMap((record) => (record.type === 'started' ? record.key : []));
  return 1 + highest(begun, steps.execution(every).open);
}

/** True if an execution was interrupted after its first commit was chosen; it continues from there. */
export function isUnderWay(records: readonly JournalRecord[]): boolean {
  const finished = foldFinishedSteps(records);
  const { key } = steps.execution(executionNumber(records)).open;
  return finished.has(key) && !finished.has(steps.session.end.key);
}

/** The highest number of such a step among some keys; 0 if there is none. */
function highest(keys: readonly string[], step: Step): number {
  const such = keys.filter((key) => isStep(key, step));
  return Math.max(0, ...such.map((key) => parseStep(key)?.number ?? 0));
}

/** The user’s notes are kept, whatever is redone. */
export const anyRetry = steps.execution(every).retry(every);

/**
 * Voids everything after the tasks, and those that have not ended, so that they go on. A task that has ended
 * failed stays so, and is asked about again, unless somebody is named to do it.
 */
async function reopenExecution(
  journal: Journal,
  number: number,
  { redoes }: { readonly redoes: boolean },
): Promise<void> {
  const recorded = foldSteps(journal.records);
  const stays = (task: string) => {
    const { key } = steps.task(number, task).finish;
    const end = TaskOutcome.safeParse(recorded.get(key)?.finished?.result);
    return end.success && (end.data.commit !== null || !redoes);
  };
  const own = steps.execution(number);
  const result = ExecutionResult.safeParse(recorded.get(own.result.key)?.finished?.result).data;
  const isOver = result?.tasks.every(({ status }) => status !== 'blocked') === true;
  const isSame = isOver && !redoes;
  const isExecution = isIn([steps.execution(number).group]);
  const isAfter = isIn([
    steps.session.end.key,
    steps.codeReview(number).group,
    steps.apply(number).question.key,
  ]);
  const again = [...recorded.keys()].filter((key) => {
    if (!isExecution(key)) return isAfter(key);
    if (isStep(key, anyRetry) || (key === own.open.key && !redoes)) return false;
    if (isStep(key, steps.task(every, anyone).failed)) return true;
    const step = parseStep(key);
    const isOfTask = step !== null && step.task !== null;
    const isJoin = !isOfTask || step.group === steps.join(number, step.task ?? '').attempt.group;
    return isJoin ? !isSame : !stays(step.task ?? '');
  });
  await voidSteps(journal, again, 'the execution goes on');
}

/** The last approval of a plan; null if it was withdrawn or never given. */
export function findApproval(records: readonly JournalRecord[]): Approval | null {
  const last = records.findLast(
    (record) => record.type === 'finished' && (isVerdictAgainst(record) || isApproval(record.key)),
  );
  if (last?.type !== 'finished' || !isApproval(last.key)) return null;
  return RecordedApproval.safeParse(last.result).data ?? null;
}

function isApproval(key: string): boolean {
  return isStep(key, steps.approval(every).record, steps.approval(every, every).record);
}

function isVerdictAgainst({ key, result }: { readonly key: string; readonly result: unknown }) {
  const { data } = isVerdict(key) ? RecordedVerdict.safeParse(result) : {};
  const { kind } = data?.verdict ?? {};
  return kind === 'revise' || kind === 'reply' || kind === 'reject';
}

const RecordedApproval = z.union([
  z.object({ approval: Approval }).transform(({ approval }) => approval),
  Approval,
]);
