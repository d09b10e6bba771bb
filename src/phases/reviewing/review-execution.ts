// Reviews what an execution changed, has what blocks put right once, and completes the result.
import { textOf } from '../../git/disk.ts';
import type { CodeReviewTool } from '../../model/decision.ts';
import type { CodeReview, ExecutionResult } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import type { Job } from '../execution/execution.ts';
import { resultTree } from '../execution/join-work.ts';
import { resultAfter } from '../execution/result.ts';
import { acceptUnproven } from './check-answer.ts';
import { fixFindings } from './fix-findings.ts';
import { chooseReviewers, reviewCode, writeReview } from './review-code.ts';

interface ExecutionToReview extends Job {
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult;
  /** The reviewer that the user chose. */
  readonly tool: CodeReviewTool;
  /** The default agent, then who else may be asked, in order. */
  readonly names: readonly string[];
}

/** An execution after its review; the result is as it was where nobody could review it. */
export interface ReviewedExecution {
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
}

export async function reviewExecution(execution: ExecutionToReview): Promise<ReviewedExecution> {
  const { tools, trees, tasks, result, names } = execution;
  const review = await askForReview(execution);
  if (review === null) return { result, review };
  const executors = [
    ...new Set([...result.tasks.flatMap(({ executor }) => executor ?? []), ...names]),
  ];
  const fixing = { ...execution, name: resultTree, review, executors };
  const fixed = review.blocking === 0 ? null : await fixFindings(fixing);
  await trees.reclaim([resultTree]);
  const reviewed = { ...review, fixed: fixed !== null };
  await writeReview(reviewed, { tasks }, tools);
  const outcomes = acceptUnproven(review, result.tasks);
  return { result: await resultAfter(execution, { result, fixed, outcomes }), review: reviewed };
}

async function askForReview(execution: ExecutionToReview): Promise<CodeReview | null> {
  const { tools, trees, number, result, tool, names, signal } = execution;
  const { start, commit, tasks: outcomes } = result;
  const reviewers = await chooseReviewers({ tool, names, number, outcomes }, tools, signal);
  const question = {
    ...execution,
    outcomes,
    reviewers,
    commit,
    diff: await trees.diff(start, { commit }),
    cwd: trees.path(resultTree),
    readAt: async (path: string) => {
      const content = await trees.read(commit, path);
      return content === null ? null : textOf(content);
    },
    prepare: () => trees.make(resultTree, [commit]),
  };
  return await reviewCode(question, tools, signal);
}
