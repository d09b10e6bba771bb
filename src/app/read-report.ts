// Reads what a session left on disk, for a report about it.
import { Approval } from '../model/decision.ts';
import type { Bill } from '../model/bill.ts';
import { ContextPackage } from '../model/context-package.ts';
import type { Critique } from '../model/critique.ts';
import { CodeReview, ExecutionResult } from '../model/execution.ts';
import { TaskId } from '../model/ids.ts';
import { readAs } from '../model/json.ts';
import { taskFile } from '../model/plan-rules.ts';
import type { PlanReading } from '../model/plan-reading.ts';
import { billOf, type RecordedCall, recordedCalls } from '../phases/asking/fold-bill.ts';
import { readReading } from '../phases/planning/reading-file.ts';
import { diffFile } from '../phases/execution/result.ts';
import { Plan } from '../model/plan.ts';
import type { SessionState } from '../model/session.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { Task } from '../model/task.ts';
import { readJournal } from '../store/journal.ts';
import { readCritique } from './examine-plan.ts';
import type { SessionDescription } from './saved-session.ts';

/** The files that a session has left on disk; a missing or unreadable part is null or empty. */
export interface ReportData {
  readonly state: SessionState;
  /** The rounds in order, each with its best option first. */
  readonly rounds: readonly Synthesis[];
  readonly plan: Plan | null;
  readonly tasks: readonly Task[];
  /** The reading by other vendors; null if none was asked to read the plan. */
  readonly reading: PlanReading | null;
  readonly approval: Approval | null;
  readonly bill: Bill;
  /** All calls that the bill includes. */
  readonly calls: readonly RecordedCall[];
  readonly result: ExecutionResult | null;
  /** All changes of the result, in git’s own format; null without a result. */
  readonly diff?: string | null;
  readonly codeReview: CodeReview | null;
  readonly contextPackage: ContextPackage | null;
  /** The verdict on an existing plan; null if the session made its own. */
  readonly critique?: Critique | null;
}

/** Reads the report of a described session. */
export async function readReport({
  folder,
  state,
  rounds,
}: SessionDescription): Promise<ReportData> {
  const plan = readAs(Plan, await folder.read('plan.json'));
  const tasks = (plan?.task_ids ?? [])
    .filter((id) => TaskId.safeParse(id).success)
    .map(async (id) => readAs(Task, await folder.read(taskFile(id))));
  const { records } = await readJournal(folder);
  return {
    state,
    rounds,
    plan,
    tasks: (await Promise.all(tasks)).filter((task) => task !== null),
    reading: await readReading({ folder }),
    approval: readAs(Approval, await folder.read('approval.json')),
    bill: billOf(records),
    calls: recordedCalls(records),
    result: readAs(ExecutionResult, await folder.read('execution-result.json')),
    diff: await folder.read(diffFile),
    codeReview: readAs(CodeReview, await folder.read('code-review.json')),
    critique: await readCritique(folder),
    contextPackage: readAs(ContextPackage, await folder.read('context-package.json')),
  };
}
