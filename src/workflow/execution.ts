// Asks whether a plan is executed and its result applied, and does so.
import { z } from 'zod';
import { textOf } from '../git/disk.ts';
import { ContextPackage } from '../model/context-package.ts';
import { ExecuteAnswer } from '../model/execution.ts';
import { Stopped } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import { listed } from '../model/wording.ts';
import { appliedText, applyResult } from '../phases/execution/apply-result.ts';
import { commandsOf } from '../phases/execution/checks.ts';
import { executePlan } from '../phases/execution/execute-plan.ts';
import type { Job } from '../phases/execution/execution.ts';
import { resultTree } from '../phases/execution/join-work.ts';
import { resultAfter, writeResult } from '../phases/execution/result.ts';
import { planHash } from '../phases/planning/approval.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { handOff, handOverCommand } from '../phases/planning/hand-off.ts';
import { filesChangedSince } from '../phases/planning/read-plan.ts';
import { fixFindings } from '../phases/reviewing/fix-findings.ts';
import { reviewCode, writeReview } from '../phases/reviewing/review-code.ts';
import { readyReviewers } from '../phases/reviewing/review-code.ts';
import { unprovenAccepted } from '../phases/reviewing/check-answer.ts';
import type { Tools } from '../phases/tools.ts';
import type { Move } from './chart-context.ts';
import { type PhaseRun, candidatesOf, handedOver, made } from './phase-run.ts';
import { asked } from './questions.ts';
import { executionNumber, isOverUnasked } from './recorded.ts';
import { steps } from '../model/steps.ts';

/** Hands the approved plan over, and asks whether it is carried out now. */
export async function handOffPlan(run: PhaseRun): Promise<Move> {
  const { context, tools, view, signal } = run;
  tools.emit({ type: 'phase.entered', phase: 'execution', round: null });
  await handOff({ ...handedOver(context), number: context.decisions }, tools, signal);
  // One that had ended before there was this question is shown as it ended.
  if (isOverUnasked(tools.execution.records)) return done;
  const number = executionNumber(tools.execution.records);
  const { plan, tasks } = made(context.plan);
  const input = { plan: planHash(plan, tasks) };
  const step = steps.execute(number);
  const answer = await asked({ step, input, shape: ExecuteAnswer, tools, signal }, async () => {
    const { execution_method, code_review_tool } = made(context.decision);
    const changed = await filesChangedSince(tasks, tools.repository, signal);
    const question = {
      number,
      tasks: tasks.map(({ id, title }) => ({ id, title })),
      preset: { execution_method, code_review_tool },
      commands: commandsOf(tasks),
      obstacle: changed.length === 0 ? null : `${listed(changed)} changed since the session began`,
      byHand: handOverCommand(tools, plannerNames(candidatesOf(run))),
    };
    return await view.execute(question, signal);
  });
  const change = { executions: number };
  if (answer.kind === 'later') return { ...done, change: { ...done.change, ...change } };
  return { to: 'carryingOut', change: { ...change, execute: answer } };
}

const done = { to: 'done', change: { end: { kind: 'done' } } } as const;

/** Carries the plan out. */
export async function carryOut(run: PhaseRun): Promise<Move> {
  const { context, tools } = run;
  const { plan, tasks } = made(context.plan);
  tools.emit({ type: 'phase.entered', phase: 'execution', round: null });
  const result = await executePlan({
    ...(await jobOf(run)),
    plan,
    tasks,
    method: made(context.execute).execution_method,
    names: plannerNames(candidatesOf(run)),
  });
  return { to: 'codeReview', change: { result } };
}

async function jobOf({ context, tools, signal }: PhaseRun): Promise<Job> {
  const trees = await tools.execution.worktrees(signal);
  const common = { tools, trees, number: context.executions, signal };
  return { ...common, request: handedOver(context), package: await packageOf(tools) };
}

async function packageOf({ folder }: Tools): Promise<ContextPackage> {
  const read = ContextPackage.safeParse(jsonIn((await folder.read('context-package.json')) ?? ''));
  if (read.success) return read.data;
  const message =
    'context-package.json is missing or cannot be read; fork the session to write it again.';
  throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
}

/** Has the result reviewed, if the user wants that, and what blocks put right once. */
export async function reviewResult(run: PhaseRun): Promise<Move> {
  const { context, tools, signal } = run;
  const result = made(context.result);
  const tool = made(context.execute).code_review_tool;
  const next = { to: 'bringingHome', change: {} } as const;
  if (tool === 'Skip' || result.commit === result.start) return next;
  tools.emit({ type: 'phase.entered', phase: 'code-review', round: null });
  const job = await jobOf(run);
  const { trees, number } = job;
  const { tasks } = made(context.plan);
  const names = plannerNames(candidatesOf(run));
  const { tasks: outcomes, commit } = result;
  const reviewers = await readyReviewers({ tool, names, number, outcomes }, tools, signal);
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
export async function bringResultHome({ context, tools, view, signal }: PhaseRun): Promise<Move> {
  const { executions: number, review } = context;
  const result = made(context.result);
  if (result.commit === result.start) return done;
  const step = steps.apply(number).question;
  const input = { commit: result.commit };
  const isWanted = await asked({ step, input, shape: z.boolean(), tools, signal }, () =>
    view.apply({ result, review }, signal),
  );
  if (!isWanted) return done;
  const trees = await tools.execution.worktrees(signal);
  const applied = await applyResult({ tools, trees, number, signal }, result);
  await writeResult(tools, { ...result, applied: appliedText(applied) });
  return { ...done, change: { ...done.change, applied } };
}
