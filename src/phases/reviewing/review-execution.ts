// Reviews what an execution changed, has what blocks fixed once, and completes the result.
import { textOf } from '../../git/disk.ts';
import type { CodeReviewTool } from '../../model/decision.ts';
import type { CodeReview, ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { tellStandIn } from '../asking/ask-seat.ts';
import type { Job } from '../execution/execution-team.ts';
import { watchHome } from '../execution/home-watch.ts';
import { resultTree } from '../execution/join-work.ts';
import { resultAfter } from '../execution/result.ts';
import { judgeAgain } from '../execution/judge.ts';
import { verdictRecords } from './check-answer.ts';
import { fixFindings } from './fix-findings.ts';
import { chooseReviewers, reviewCode, wantedReviewer, writeReview } from './review-code.ts';
import { objectionsIn } from './review-verdict.ts';

interface ExecutionToReview extends Job {
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult;
  /** The reviewer that the user chose. */
  readonly tool: CodeReviewTool;
  /** The default agent, if there is one, then the participants, then the other agents that may be asked. */
  readonly names: readonly string[];
}

/** An execution after its review; the result is unchanged if no agent could review it. */
export interface ReviewedExecution {
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  /** True if no agent could review the work, or the fixes after the first review. */
  readonly isUnreviewed: boolean;
}

export async function reviewExecution(carriedOut: ExecutionToReview): Promise<ReviewedExecution> {
  const watched = watchHome(carriedOut.tools);
  const execution = { ...carriedOut, tools: watched.tools };
  const { tools, trees, tasks, result } = execution;
  const { start, commit } = result;
  const first = await askForReview(execution, { from: start, commit, isAgain: false });
  if (first === null) {
    const given = { result, fixed: null, outcomes: result.tasks, home: watched.changes() };
    const after = given.home.length === 0 ? result : await resultAfter(execution, given);
    return { result: after, review: null, isUnreviewed: true };
  }
  const fixed = objectionsIn(first).length === 0 ? null : await askToFix(execution, first);
  const second = fixed === null ? null : await reviewAgain(execution, { fixed, first });
  await trees.reclaim([resultTree]);
  const review = second ?? { ...first, fixed: fixed !== null };
  await writeReview(review, { tasks }, tools);
  const isUnreviewed = second === null && fixed !== null;
  const outcomes = isUnreviewed ? result.tasks : judgeReviewed(execution, review);
  const after = await resultAfter(execution, { result, fixed, outcomes, home: watched.changes() });
  return { result: after, review, isUnreviewed };
}

/** Judges the tasks again, with the verdicts of their reviewer. */
function judgeReviewed(
  { tools, tasks, result }: ExecutionToReview,
  review: CodeReview,
): TaskOutcome[] {
  const { rechecks } = tools.execution.settings;
  return result.tasks.map((outcome) => {
    const task = tasks.find(({ id }) => id === outcome.task);
    const records = verdictRecords(review, outcome);
    return task === undefined ? outcome : judgeAgain(outcome, { task, records, rechecks });
  });
}

function askToFix(execution: ExecutionToReview, review: CodeReview): Promise<string | null> {
  const { result, names } = execution;
  const executors = [
    ...new Set([...result.tasks.flatMap(({ executor }) => executor ?? []), ...names]),
  ];
  return fixFindings({ ...execution, name: resultTree, review, executors });
}

/** Reviews the fixes like the work itself; the earlier findings are kept next to it. */
async function reviewAgain(
  execution: ExecutionToReview,
  { fixed, first }: { readonly fixed: string; readonly first: CodeReview },
): Promise<CodeReview | null> {
  const { tools, tasks, result } = execution;
  await writeReview(first, { tasks }, tools, 'code-review-before-fix');
  const about = { from: result.start, commit: fixed, isAgain: true };
  const second = await askForReview(execution, about);
  return second === null ? null : { ...second, fixed: true, again: true };
}

interface ReviewedRange {
  readonly from: string;
  readonly commit: string;
  /** True for the second review, after the findings were fixed. */
  readonly isAgain: boolean;
}

async function askForReview(
  execution: ExecutionToReview,
  { from, commit, isAgain }: ReviewedRange,
): Promise<CodeReview | null> {
  const { tools, trees, number, result, tool, names, signal } = execution;
  const { tasks: outcomes } = result;
  const reviewers = await chooseReviewers(
    { tool, names, number, outcomes, isAgain },
    tools,
    signal,
  );
  const wanted = wantedReviewer(tool, tools.phases);
  tellStandIn(tools, { phase: 'code-review', wanted, agent: reviewers[0] });
  const question = {
    ...execution,
    outcomes,
    reviewers,
    wanted,
    commit,
    isAgain,
    diff: await trees.diff(from, { commit }),
    cwd: trees.path(resultTree),
    readAt: async (path: string) => {
      const content = await trees.read(commit, path);
      return content === null ? null : textOf(content);
    },
    prepare: () => trees.make(resultTree, [commit]),
  };
  return await reviewCode(question, tools, signal);
}
