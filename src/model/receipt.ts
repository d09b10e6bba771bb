// Defines the receipt, the proof of one agent run, and the ways to reach an agent.
import { z } from 'zod';
import { Amount, Count, Flag, Ordinal, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { FailureCategory } from './agent-event.ts';

/** A program, a model behind an API, an agent of the Agent Client Protocol, or a part of this program. */
export const Transport = z.enum(['cli', 'api', 'acp', 'built-in']);
export type Transport = z.infer<typeof Transport>;

/** The proof of one agent run: who answered, with what, at what price. Times in ms, sizes in bytes. */
export const Receipt = z.object({
  agent: Text,
  seat: Text.describe(
    'The seat it sat in; it differs from `agent` if the agent stood in for another one.',
  ),
  version: TextOrNull,
  path: Text.optional().describe('The program that was started, as an absolute path.'),
  machine: Text.exactOptional().describe('Where it ran, if not on this machine.'),
  transport: Transport.optional().describe('The way in which the agent was reached.'),
  model: TextOrNull,
  asked_model: Text.optional().describe(
    'The model that was asked for, where another one answered.',
  ),
  vendor: TextOrNull.describe('Provider of the model; null if unknown or none.'),
  agent_session: TextOrNull,
  started_at: Text,
  duration_ms: Amount,
  exit_code: Whole.nullable(),
  signal: TextOrNull,
  output_bytes: Count,
  tokens: z
    .object({
      input: Count,
      output: Count,
      cached: Count,
      estimated: z.literal(true).optional(),
    })
    .nullable(),
  cost_usd: Amount.nullable(),
  prompt_hash: Text.describe('sha256 of the prompt as sent, in hex.'),
  raw_output: TextOrNull.describe('Path relative to the session folder.'),
  attempts: Ordinal,
  repaired: Flag.describe('The answer needed a repair round or a JSON repair.'),
  fallback_for: TextOrNull.describe('The agent whose seat this one took.'),
  unknown_events: Count,
  notes: Texts,
  failure: z.object({ category: FailureCategory, reason: Text }).nullable(),
});
export type Receipt = z.infer<typeof Receipt>;
