// Defines `session-state.json`.
import { z } from 'zod';
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
  task_description: z.string(),
  status: z
    .enum(['running', 'waiting', 'interrupted', 'done', 'failed', 'cancelled'])
    .default('interrupted'),
  phase: z.enum(phaseNames).default('context'),
  current_round: z.int().min(0).default(0),
  max_rounds: z.int().min(1).default(3),
  waits_for: z.string().nullable().default(null),
  end: z.enum(['done', 'failed', 'cancelled', 'interrupted']).nullable().default(null),
  failure: z.object({ reason: z.string(), message: z.string() }).nullable().default(null),
  agents: z.array(AgentName).default([]),
  user_decision: z
    .object({
      solution: z.string(),
      execution_method: ExecutionMethod,
      code_review_tool: CodeReviewTool,
      by: z.string(),
    })
    .nullable()
    .default(null),
  current_phase: z
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe(
      'The phase, for readers that know only five: planning and all that follows count as the last.',
    ),
  ace_context: z
    .object({ relevant_files: z.array(z.string()), detected_patterns: z.array(z.string()) })
    .nullable()
    .default(null)
    .describe('What the search found, for readers of `session-state.json` alone.'),
  user_decisions: z
    .array(z.object({ round: z.int().min(0), decision: z.string(), selected: z.string() }))
    .default([])
    .describe('Every answer to the options, with what was selected.'),
  plan_rejected: PlanRejection.nullable()
    .default(null)
    .describe('Null unless its plan is rejected.'),
  open_round: z
    .int()
    .min(0)
    .default(0)
    .describe('The latest round that has begun; `current_round` counts those that are finished.'),
  is_draft: z.boolean().default(false).describe('True where no model has read its plan.'),
  applied: z.string().nullable().default(null).describe('How the result was applied; null if not.'),
  score: z.number().min(0).max(1).nullable().default(null),
  spent: Bill.default(emptyBill),
  artifacts: z.array(z.string()).default([]).describe('Paths relative to the session folder.'),
  created_at: z.string().default(''),
  updated_at: z.string().default(''),
  forked_from: SessionId.nullable().default(null),
  version: z.int().default(formatVersion),
  journal_bytes: z
    .int()
    .min(0)
    .default(0)
    .describe('If the journal has another length, this state is stale.'),
});
export type SessionState = z.infer<typeof SessionState>;
