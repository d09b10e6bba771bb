// Keeps the findings about a planner's answer that its plan files no longer show.
import { z } from 'zod';
import { Finding } from '../../model/finding.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { planHash } from './plan-hash.ts';

export const answerFindingsFile = 'planning/answer-findings.json';

const AnswerFindings = z.object({
  plan_hash: z.string().describe('The plan that they are about; an edited one has another.'),
  findings: z.array(Finding),
});

/** Stores the findings with the plan; they apply until somebody edits it. */
export async function keepAnswerFindings(
  folder: SessionFolder,
  { plan, tasks, findings }: PlanFiles & { readonly findings: readonly Finding[] },
): Promise<void> {
  if (findings.length === 0) return await folder.remove(answerFindingsFile);
  await folder.writeJson(answerFindingsFile, { plan_hash: planHash(plan, tasks), findings });
}

/** The stored findings, if they are about exactly this plan. */
export function answerFindings(stored: unknown, { plan, tasks }: PlanFiles): readonly Finding[] {
  const { data } = AnswerFindings.safeParse(stored);
  return data === undefined || data.plan_hash !== planHash(plan, tasks) ? [] : data.findings;
}
