import { z } from 'zod';
import { changedAmong } from '../git/base.ts';
import { textOf } from '../git/disk.ts';
import { ContextPackage } from '../model/context-package.ts';
import type { CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { ExecuteAnswer, type ExecutionResult } from '../model/execution.ts';
import { Stopped } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import type { Task } from '../model/task.ts';
import { listed } from '../model/wording.ts';
import { appliedText, bringHome } from '../phases/execution/bring-home.ts';
import { commandsOf } from '../phases/execution/checks.ts';
import { executePlan } from '../phases/execution/execute-plan.ts';
import type { Job } from '../phases/execution/execution.ts';
import { resultAfter, resultTree, writeResult } from '../phases/execution/result.ts';
import { planHash } from '../phases/planning/approval.ts';
import { type HandedOver, handOverCommand } from '../phases/planning/hand-off.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import { fixFindings } from '../phases/reviewing/fix-findings.ts';
import { reviewCode, writeReview } from '../phases/reviewing/review-code.ts';
import { readyReviewers } from '../phases/reviewing/reviewers.ts';
import { unprovenAccepted } from '../phases/reviewing/check-answer.ts';
import type { Tools } from '../phases/tools.ts';
import type { Move, WorkflowContext } from './chart-context.ts';
import { asked } from './questions.ts';
import { executionNumber, isOverUnasked } from './recorded.ts';
import type { View } from './view.ts';

/** An approved plan and the session around it. */
export interface Executing {
  readonly context: WorkflowContext;
  readonly handed: HandedOver;
  readonly written: WrittenPlan;
  readonly tools: Tools;
  readonly view: View;
  /** The default agent, then who else may be asked, in order. */
  readonly names: readonly string[];
  readonly signal: AbortSignal;
}

/** Asks whether the plan is carried out now. */
export async function askToExecute(executing: Executing): Promise<Move> {
  const { handed, written, tools, view, names, signal } = executing;
  // One that had ended before there was this question is shown as it ended.
  if (isOverUnasked(tools.execution.records))
    return { to: 'done', change: { end: { kind: 'done' } } };
  const number = executionNumber(tools.execution.records);
  const { plan, tasks } = written;
  const key = `execute-${number}`;
  const input = { plan: planHash(plan, tasks) };
  const answer = await asked({ key, input, shape: ExecuteAnswer, tools, signal }, async () =>
    view.execute(
      {
        number,
        tasks: tasks.map(({ id, title }) => ({ id, title })),
        preset: presetOf(handed),
        commands: commandsOf(tasks),
        obstacle: await obstacleOf(tasks, tools, signal),
        byHand: handOverCommand(tools, names),
      },
      signal,
    ),
  );
  const change = { executions: number };
  if (answer.kind === 'later') return { to: 'done', change: { ...change, end: { kind: 'done' } } };
  return { to: 'carryingOut', change: { ...change, execute: answer } };
}

function presetOf({ executionMethod, codeReviewTool }: HandedOver): {
  execution_method: ExecutionMethod;
  code_review_tool: CodeReviewTool;
} {
  return { execution_method: executionMethod, code_review_tool: codeReviewTool };
}

/** Files that the plan names and that are not as they were when it was made. */
async function obstacleOf(
  tasks: readonly Task[],
  { repository }: Tools,
  signal: AbortSignal,
): Promise<string | null> {
  const paths = [...new Set(tasks.flatMap(({ files = [] }) => files.map(({ path }) => path)))];
  const changed = await changedAmong(repository, { paths, signal });
  if (changed.length === 0) return null;
  return `${listed([...changed])} changed since the session began`;
}

/** Carries the plan out. */
export async function carryOut(executing: Executing): Promise<Move> {
  const { context, written, tools, names } = executing;
  const { execute } = context;
  tools.emit({ type: 'phase.entered', phase: 'execution', round: null });
  const result = await executePlan({
    ...(await jobOf(executing)),
    plan: written.plan,
    tasks: written.tasks,
    method: execute?.execution_method ?? 'Agent',
    names,
  });
  return { to: 'codeReview', change: { result } };
}

async function jobOf({ context, handed, tools, signal }: Executing): Promise<Job> {
  const trees = await tools.execution.worktrees(signal);
  const common = { tools, trees, number: context.executions, signal };
  return { ...common, request: handed, package: await packageOf(tools) };
}

async function packageOf({ folder }: Tools): Promise<ContextPackage> {
  const read = ContextPackage.safeParse(jsonIn((await folder.read('context-package.json')) ?? ''));
  if (read.success) return read.data;
  const message =
    'context-package.json is missing or cannot be read; fork the session to write it again.';
  throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
}

/** Has the result reviewed, if the user wants that, and what blocks put right once. */
export async function reviewResult(executing: Executing, result: ExecutionResult): Promise<Move> {
  const { context, written, tools, names, signal } = executing;
  const tool = context.execute?.code_review_tool ?? 'Skip';
  const next = { to: 'bringingHome', change: {} } as const;
  if (tool === 'Skip' || result.commit === result.start) return next;
  tools.emit({ type: 'phase.entered', phase: 'code-review', round: null });
  const job = await jobOf(executing);
  const { trees, number } = job;
  const { tasks } = written;
  const outcomes = result.tasks;
  const reviewers = await readyReviewers({ tool, names, number, outcomes }, tools, signal);
  const { commit } = result;
  const change = {
    tasks,
    diff: await trees.diff(result.start, { commit }),
    cwd: trees.path(resultTree),
    readAt: async (path: string) => {
      const content = await trees.read(commit, path);
      return content === null ? null : textOf(content);
    },
  };
  const prepare = () => trees.make(resultTree, [commit]);
  const input = { ...job, ...change, outcomes, reviewers, commit, prepare };
  const review = await reviewCode(input, tools, signal);
  if (review === null) return next;
  const executors = [...new Set([...outcomes.flatMap(({ executor }) => executor ?? []), ...names])];
  const fixing = { ...job, name: resultTree, tasks, result, review, executors };
  const fixed = review.blocking === 0 ? null : await fixFindings(fixing);
  await trees.reclaim([resultTree]);
  const reviewed = { ...review, fixed: fixed !== null };
  await writeReview(reviewed, { tasks }, tools);
  const after = await resultAfter(job, {
    result,
    fixed,
    outcomes: unprovenAccepted(review, outcomes),
  });
  return { ...next, change: { result: after, review: reviewed } };
}

/** Asks whether the result is brought home, and does it. */
export async function bringResultHome(
  executing: Executing,
  result: ExecutionResult,
): Promise<Move> {
  const { context, tools, view, signal } = executing;
  const { executions: number, review } = context;
  const end = { end: { kind: 'done' } } as const;
  if (result.commit === result.start) return { to: 'done', change: end };
  const key = `apply-${number}`;
  const input = { commit: result.commit };
  const isWanted = await asked({ key, input, shape: z.boolean(), tools, signal }, () =>
    view.apply({ result, review }, signal),
  );
  if (!isWanted) return { to: 'done', change: end };
  const trees = await tools.execution.worktrees(signal);
  const applied = await bringHome({ tools, trees, number, signal }, result);
  await writeResult(tools, { ...result, applied: appliedText(applied) });
  return { to: 'done', change: { ...end, applied } };
}
