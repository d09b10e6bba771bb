// Defines `session-state.json`.
import { z } from 'zod';
import { Amount, Count, Flag, Ordinal, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { Bill, emptyBill } from './bill.ts';
import { CodeReviewTool, ExecutionMethod, PlanRejection } from './decision.ts';
import { formatVersion } from './id-patterns.ts';
import { AgentName, SessionId } from './ids.ts';
import { phaseNames } from './phase.ts';

/**
 * `session-state.json`: derived from the journal after each transition, never read back as truth.
 * A field that other programs leave out of such a file has a default.
 */
export const SessionState = z.object({
  session_id: SessionId,
  task_description: Text,
  status: z
    .enum(['running', 'waiting', 'interrupted', 'done', 'failed', 'cancelled'])
    .default('interrupted'),
  phase: z.enum(phaseNames).default('context'),
  current_round: Count.default(0),
  max_rounds: Ordinal.default(3),
  waits_for: TextOrNull.default(null),
  end: z.enum(['done', 'failed', 'cancelled', 'interrupted']).nullable().default(null),
  failure: z.object({ reason: Text, message: Text }).nullable().default(null),
  agents: z.array(AgentName).default([]),
  user_decision: z
    .object({
      solution: Text,
      execution_method: ExecutionMethod,
      code_review_tool: CodeReviewTool,
      by: Text,
    })
    .nullable()
    .default(null),
  current_phase: Ordinal.max(5)
    .default(1)
    .describe(
      'The phase, for readers that know only five: planning and all that follows count as the last.',
    ),
  ace_context: z
    .object({ relevant_files: Texts, detected_patterns: Texts })
    .nullable()
    .default(null)
    .describe('What the search found, for readers of `session-state.json` alone.'),
  user_decisions: z
    .array(z.object({ round: Count, decision: Text, selected: Text }))
    .default([])
    .describe('Every answer to the options, with what was selected.'),
  plan_rejected: PlanRejection.nullable()
    .default(null)
    .describe('Null unless its plan is rejected.'),
  open_round: Count.default(0).describe(
    'The latest round that has begun; `current_round` counts those that are finished.',
  ),
  is_draft: Flag.default(false).describe('True where no model has read its plan.'),
  applied: TextOrNull.default(null).describe('How the result was applied; null if not.'),
  score: Amount.max(1).nullable().default(null),
  spent: Bill.default(emptyBill),
  artifacts: Texts.default([]).describe('Paths relative to the session folder.'),
  created_at: Text.default(''),
  updated_at: Text.default(''),
  forked_from: SessionId.nullable().default(null),
  version: Whole.default(formatVersion),
  journal_bytes: Count.default(0).describe(
    'If the journal has another length, this state is stale.',
  ),
});
export type SessionState = z.infer<typeof SessionState>;
