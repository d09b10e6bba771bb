// Defines what readers of a plan find, what the planner replies, and the outcome.
import { z } from 'zod';
import {
  Amount,
  Count,
  FilledText,
  Flag,
  Ordinal,
  Text,
  TextOrNull,
  Texts,
} from './plain-shapes.ts';
import { AskedPlanChangeFields, PlanChangeFields } from './plan.ts';
import { Claim } from './proposal.ts';
import { hasFoundEvidence } from './found-evidence.ts';
import { CheckedClaim } from './synthesis.ts';

const Severity = z.enum(['blocking', 'major', 'minor']);

/** The answer of an agent that read another agent’s plan. */
export const PlanReviewAnswer = z.object({
  session: Text.describe('The session id from the question.'),
  phase: z.literal('plan-review'),
  findings: z.array(
    z.object({
      severity: Severity,
      task: TextOrNull.describe('The task it is about; null for the plan as a whole.'),
      problem: FilledText,
      path: Text.describe(
        'The file of the repository that shows it; "plan" for words of plan or request.',
      ),
      line: Ordinal.nullable(),
      quote: Text.describe('A piece of that line, or of the plan or the request, exactly.'),
      suggestion: Text,
    }),
  ),
  summary: Text.describe('One sentence: what was looked at, and what decides.'),
});
export type PlanReviewAnswer = z.infer<typeof PlanReviewAnswer>;

/** The planner’s reply to one finding. */
const FindingReply = z.object({
  finding: Text.describe('Its id, e.g. F1.'),
  action: z.enum(['fixed', 'refused']),
  reason: Text,
  evidence: z.array(Claim).describe('For a refusal: what shows that the plan is right.'),
});

/** The planner’s answer to its readers: a reply to each finding, and the changes to the plan. */
export const PlanReply = z.object({
  session: Text.describe('The session id from the question.'),
  phase: z.literal('plan-reply'),
  replies: z.array(FindingReply),
  ...PlanChangeFields.shape,
});
export type PlanReply = z.infer<typeof PlanReply>;

export const AskedPlanReply = PlanReply.extend(AskedPlanChangeFields.shape);

/**
 * A finding with its checked evidence, and its fate. One that is refused with evidence that was
 * found is closed; without such evidence, it stays open.
 */
export const ReadFinding = PlanReviewAnswer.shape.findings.element
  .pick({ severity: true, task: true, problem: true, suggestion: true })
  .extend({
    id: Text.describe('F1, F2, …'),
    agent: Text.describe('Who found it.'),
    evidence: z.array(CheckedClaim).describe('The path "plan" stands for the plan or the request.'),
    fate: z.enum(['open', 'fixed', 'refused']),
    reply: Text.describe('The word of the planner or of the check; empty without one.'),
    reply_evidence: z.array(CheckedClaim),
  });
export type ReadFinding = z.infer<typeof ReadFinding>;

/** The part of a finding that events contain. */
export const FindingSummary = ReadFinding.pick({
  severity: true,
  fate: true,
  agent: true,
  problem: true,
  reply: true,
}).extend({
  evidence_found: Flag.optional().describe(
    'False where the check found none of the places that it cites.',
  ),
});

/** `plan-reading.json`: who read the plan besides its author, and the outcome. */
export const PlanReading = z.object({
  version: Ordinal.describe('The version of the plan that the findings are settled in.'),
  readers: z.array(
    z.object({
      agent: Text,
      vendor: TextOrNull,
      summary: Text,
      tokens: Count.nullable(),
      cost_usd: Amount.nullable(),
    }),
  ),
  unread: Text.describe('Why nobody read it although somebody should; else empty.'),
  notes: Texts.describe('What went wrong or was left out, in sentences.'),
  findings: z.array(ReadFinding).readonly(),
});
export type PlanReading = z.infer<typeof PlanReading>;

/** Open findings, blocking or major, whose evidence was found: nobody approves over them by default. */
export function openFindings(reading: PlanReading | null, version: number): readonly ReadFinding[] {
  if (reading === null || reading.version < version) return [];
  return reading.findings.filter(
    (finding) =>
      finding.severity !== 'minor' && finding.fate === 'open' && hasFoundEvidence(finding),
  );
}
