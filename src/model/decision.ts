// Defines the user’s answers: decision, clarification, verdict on the plan, approval.
import { z } from 'zod';
import { FilledText, Flag, Ordinal, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { PlanComment } from './plan-edit.ts';

/** An agent as the planning workflow’s execution context spells it, or the name of any agent. */
export const ExecutionMethod = FilledText.describe(
  '`Agent` (your default agent, else the first in order), `Codex`, `Auto`, or the name of another agent.',
);
export type ExecutionMethod = z.infer<typeof ExecutionMethod>;
export const CodeReviewTool = Text.regex(/^(?:Skip|.+ Review)$/).describe(
  '`Skip`, `Gemini Review`, `Codex Review`, `Agent Review` (an agent of another vendor than the one that did the work), or the name of another agent with `Review` after it.',
);
export type CodeReviewTool = z.infer<typeof CodeReviewTool>;

/** Who gave an answer: a person, flags that name it, or `--auto-yes`. */
export const DecidedBy = z.enum(['user', 'flags', 'auto']);

/** A question of the agents with the user’s answer. */
export const UserAnswer = z.object({ question: Text, answer: Text });
export type UserAnswer = z.infer<typeof UserAnswer>;

/** The answer of the user, or of `--auto-yes`, to the options. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approve'),
    solution: Ordinal.describe('Number of the option, counted from 1.'),
    execution_method: ExecutionMethod,
    code_review_tool: CodeReviewTool.optional().describe(
      'Absent where nobody has said it: a person chooses when the plan is carried out.',
    ),
    constraints: Texts,
    feedback: Text.optional().describe(
      'Requests that came too late to be looked into; the planner gets them.',
    ),
    by: DecidedBy,
  }),
  z.object({
    kind: z.literal('more-analysis'),
    feedback: Text,
    by: DecidedBy,
  }),
  z.object({ kind: z.literal('cancel'), by: DecidedBy }),
]);
export type Decision = z.infer<typeof Decision>;

/**
 * Answers to the agents’ questions; if they are skipped, the best options are taken. If `nobody`
 * could answer and they are not skipped, the agents continue with assumptions.
 */
export const Clarification = z.object({
  answers: z.array(UserAnswer),
  feedback: Text,
  skipped: Flag,
  settles: Flag.optional().describe(
    'The choice of the user ends the dispute that was asked about: no round follows.',
  ),
  by: z.enum(['user', 'flags', 'nobody']),
});
export type Clarification = z.infer<typeof Clarification>;

/**
 * The verdict on a plan: approved, sent back with comments or with the findings of its readers,
 * left unchanged (an existing approval stays), or rejected (an existing approval is withdrawn).
 */
export const PlanVerdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approve'),
    by: DecidedBy,
    hash: TextOrNull.default(null).describe(
      'Hash of the plan that was seen; null approves what is on disk.',
    ),
  }),
  z.object({
    kind: z.literal('revise'),
    comments: z.array(PlanComment).min(1),
    by: DecidedBy,
  }),
  z.object({
    kind: z.literal('reply').describe('Asks its author to answer the findings of the readers.'),
    by: DecidedBy,
  }),
  z.object({
    kind: z.literal('leave'),
    why: Text,
    by: DecidedBy.optional(),
    open: Whole.optional().describe(
      'Findings of readers that kept it from being approved automatically.',
    ),
  }),
  z.object({ kind: z.literal('reject'), why: Text, by: DecidedBy }),
]);
export type PlanVerdict = z.infer<typeof PlanVerdict>;

/** A rejection of a plan, with its reason if one was given. */
export const PlanRejection = z.object({ why: Text, by: DecidedBy });
export type PlanRejection = z.infer<typeof PlanRejection>;

/** `approval.json`: binds an approval to the exact plan and tasks. */
export const Approval = z.object({
  session_id: Text,
  plan_hash: Text.regex(/^[0-9a-f]{64}$/).describe(
    'sha256 over plan and tasks without the fields that execution writes.',
  ),
  approved_at: Text,
  approved_by: DecidedBy,
  unread: Text.optional().describe(
    'Why no other vendor read the plan, if one should have; else absent.',
  ),
  open_findings: Texts.optional().describe(
    'What readers had found and was still open; left out where nothing was.',
  ),
  base_commit: TextOrNull,
  cited_files: z
    .record(Text, Text)
    .describe('Path of each cited file to the sha256 of its content at approval, or "absent".'),
});
export type Approval = z.infer<typeof Approval>;
