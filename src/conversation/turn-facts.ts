// Defines the facts of a turn: what ran, what it changed, what it cost.
import { z } from 'zod';
import { tokenCounts } from '../model/agent-event.ts';
import { jsonIn } from '../model/json.ts';

/** The facts of a turn. Sizes are in bytes, times in ms. */
export const TurnFacts = z.object({
  agent: z.string(),
  model: z.string().nullable().describe('The model that answered; null where it was not told.'),
  cli_version: z.string().nullable(),
  return_code: z.int().nullable(),
  output_bytes: z.int(),
  duration_ms: z.number(),
  files_changed: z.array(z.string()),
  commands: z.array(z.object({ command: z.string(), exit_code: z.int().nullable() })),
  tokens: tokenCounts.nullable(),
  cost_usd: z.number().nullable(),
  resumed_from: z.string().nullable().describe('The agent’s own session that went on.'),
  used_resume_flag: z.boolean(),
  context_injected: z.boolean().describe('Earlier turns were sent with the question.'),
  context_source: z.enum(['none', 'native', 'history', 'native and history']),
  diff_stat: z.string().nullable().describe('The changes in the form of `git diff --stat`.'),
  undo: z.string().nullable().describe('The commit of the work tree before the turn.'),
  raw_output: z.string().nullable().describe('The file with all that the agent put out.'),
  summary: z
    .object({ by: z.string(), tokens: tokenCounts.nullable(), cost_usd: z.number().nullable() })
    .nullable()
    .describe('The agent that shortened the answer, with what that used.'),
  full_answer: z
    .string()
    .nullable()
    .describe('The file with the whole answer, where it is shown shortened.'),
  unenforced: z.array(z.string()).describe('Limits that this agent does not enforce.'),
  notes: z.array(z.string()),
  failure: z.object({ category: z.string(), reason: z.string() }).nullable(),
});
export type TurnFacts = z.infer<typeof TurnFacts>;

const HandedFacts = TurnFacts.pick({ files_changed: true, model: true });

/** The facts that later turns are told; empty if they cannot be read. */
export function turnFactsIn(json: string): z.infer<typeof HandedFacts> {
  return HandedFacts.safeParse(jsonIn(json)).data ?? { files_changed: [], model: null };
}
