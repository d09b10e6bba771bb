// Defines the receipt, the proof of one agent run, and the ways to reach an agent.
import { z } from 'zod';
import { FailureCategory } from './agent-event.ts';

/** A program, a model behind an API, an agent of the Agent Client Protocol, or a part of this program. */
export const Transport = z.enum(['cli', 'api', 'acp', 'built-in']);
export type Transport = z.infer<typeof Transport>;

/** The proof of one agent run: who answered, with what, at what price. Times in ms, sizes in bytes. */
export const Receipt = z.object({
  agent: z.string(),
  seat: z
    .string()
    .describe('The seat it sat in; it differs from `agent` if the agent stood in for another one.'),
  version: z.string().nullable(),
  path: z.string().optional().describe('The program that was started, as an absolute path.'),
  machine: z.string().exactOptional().describe('Where it ran, if not on this machine.'),
  transport: Transport.optional().describe('The way in which the agent was reached.'),
  model: z.string().nullable(),
  asked_model: z
    .string()
    .optional()
    .describe('The model that was asked for, where another one answered.'),
  vendor: z.string().nullable().describe('Provider of the model; null if unknown or none.'),
  agent_session: z.string().nullable(),
  started_at: z.string(),
  duration_ms: z.number().min(0),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  output_bytes: z.int().min(0),
  tokens: z
    .object({
      input: z.int().min(0),
      output: z.int().min(0),
      cached: z.int().min(0),
      estimated: z.literal(true).optional(),
    })
    .nullable(),
  cost_usd: z.number().min(0).nullable(),
  prompt_hash: z.string().describe('sha256 of the prompt as sent, in hex.'),
  raw_output: z.string().nullable().describe('Path relative to the session folder.'),
  attempts: z.int().min(1),
  repaired: z.boolean().describe('The answer needed a repair round or a JSON repair.'),
  fallback_for: z.string().nullable().describe('The agent whose seat this one took.'),
  unknown_events: z.int().min(0),
  notes: z.array(z.string()),
  failure: z.object({ category: FailureCategory, reason: z.string() }).nullable(),
});
export type Receipt = z.infer<typeof Receipt>;
