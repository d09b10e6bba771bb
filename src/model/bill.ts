// Defines the bill of a session: what its agents used, and its clocks.
import { z } from 'zod';
import { PlanWindow } from './agent-event.ts';
import { Amount, Count } from './plain-shapes.ts';

/** What the calls of a session were seen to use of a plan’s window that is open now. */
export const WindowUse = PlanWindow.omit({ used: true }).extend({
  agent: z.string(),
  moved: z.number().nullable().describe('In the unit of the window; null if it is not known yet.'),
});
export type WindowUse = z.infer<typeof WindowUse>;

/** The bill. It counts all calls in all runs of the program, including those redone or cut off. */
export const Bill = z.object({
  agent_runs: Count,
  input_tokens: Count,
  output_tokens: Count,
  cost_usd: Amount.describe('0 if no agent reported it.'),
  estimated: z.literal(true).optional().describe('Some of the tokens are an estimate.'),
  windows: z.array(WindowUse).optional().describe('Left out if no agent told of one.'),
  agents_ms: Count.default(0).describe('The calls of all agents, added up.'),
  since_start_ms: Count.default(0).describe(
    'How long it ran, without the time it waited for a person.',
  ),
  waiting_ms: Count.default(0).describe('How long it waited for answers of a person while it ran.'),
});
export type Bill = z.infer<typeof Bill>;

export const emptyBill: Bill = {
  agent_runs: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  agents_ms: 0,
  since_start_ms: 0,
  waiting_ms: 0,
};
