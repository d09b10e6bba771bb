// Puts newly named agents into the recorded answer about who executes a plan and reviews it.
import { z } from 'zod';
import { type CodeReviewTool, ExecutionMethod } from '../model/decision.ts';
import { CodeReview, ExecuteAnswer } from '../model/execution.ts';
import { agentOfReview } from '../model/team.ts';
import { every } from '../model/step.ts';
import { isStep, steps } from '../model/steps.ts';
import type { Journal, JournalRecord } from '../store/journal.ts';
import { recordResult, voidSteps } from '../store/logged-steps.ts';
import { foldFinishedSteps, foldSteps } from '../store/recorded-steps.ts';

/** The agents named to execute a plan and to review it; null if none is named. */
export interface NamedTeam {
  readonly execution: ExecutionMethod | null;
  readonly review: CodeReviewTool | null;
}

export const noTeam: NamedTeam = { execution: null, review: null };

/** Says which of the agents have changed. */
interface TeamChanges {
  readonly execution: boolean;
  readonly review: boolean;
}

/** Does nothing if the question was not answered yet, or was answered with later, because it is asked again then. */
export async function nameTeam(
  journal: Journal,
  number: number,
  { execution, review }: NamedTeam,
): Promise<TeamChanges> {
  const step = steps.execute(number);
  const recorded = foldSteps(journal.records);
  const before = recorded.get(step.key)?.finished ?? null;
  const answer = ExecuteAnswer.safeParse(before?.result).data;
  if (before === null || answer?.kind !== 'now') return { execution: false, review: false };
  const made = recorded.get(steps.codeReview(number).result.key)?.finished?.result;
  const { reviewer } = CodeReview.safeParse(made).data ?? {};
  const wanted = review === null ? null : agentOfReview(review);
  const isByOther = wanted !== null && reviewer !== undefined && reviewer !== wanted;
  const changes = {
    execution: execution !== null && execution !== answer.execution_method,
    review: review !== null && (review !== answer.code_review_tool || isByOther),
  };
  if (!changes.execution && !changes.review) return changes;
  const result = {
    ...answer,
    execution_method: execution ?? answer.execution_method,
    code_review_tool: review ?? answer.code_review_tool,
    by: 'flags',
  };
  await voidSteps(journal, [step.key], 'others were named for it');
  await recordResult(journal, step, result, before.input);
  return changes;
}

/** The answered execution method of a plan; null before the decision for a solution. */
export function findMethod(records: readonly JournalRecord[]): ExecutionMethod | null {
  const answers = [...foldFinishedSteps(records)].flatMap(([key, { result }]) => {
    const isAnswer = isStep(key, steps.execute(every), steps.decision(every));
    const answer = isAnswer ? Answer.safeParse(result).data : undefined;
    return answer === undefined ? [] : [answer.execution_method];
  });
  return answers.at(-1) ?? null;
}

const Answer = z.object({ execution_method: ExecutionMethod });
