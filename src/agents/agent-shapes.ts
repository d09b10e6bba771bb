// Defines the shapes of what goes into an agent run and comes out of it, for what reads them from elsewhere.
import { z } from 'zod';
import { AgentFailure, tokenCounts } from '../model/agent-event.ts';
import { Amount, Count, Text, TextOrNull, Texts, Whole } from '../model/plain-shapes.ts';
import { permissions, toolKinds } from './permission.ts';

const ToolKinds = z.array(z.enum(toolKinds)).readonly().exactOptional();

/** The part of a request that means the same on every machine. */
export const SentContent = z.object({
  prompt: Text,
  maxTurns: z
    .number()
    .nullable()
    .exactOptional()
    .describe('The most turns that the model may take; null for the CLI’s own limit.'),
  role: TextOrNull.describe('System instructions, e.g. the role, or null.'),
  schema: z
    .record(Text, z.unknown())
    .readonly()
    .nullable()
    .describe('The JSON Schema of the answer, for CLIs that accept one.'),
  model: TextOrNull,
  effort: TextOrNull.exactOptional().describe(
    'The effort of the model, in the words of the CLI; null for the CLI’s own.',
  ),
  verbosity: TextOrNull.exactOptional().describe(
    'The length of its answers, in the words of the CLI; null for the CLI’s own.',
  ),
  permission: z.enum(permissions),
  /** See `ToolWishes`. */
  allowed: ToolKinds,
  denied: ToolKinds,
  /**
   * The agent session to resume, and the folder in which it began: some CLIs find a session only
   * from there, so that is where the CLI is started.
   */
  resume: z
    .object({
      agentSession: Text,
      cwd: Text,
      model: Text.exactOptional().describe('The model that answered in it last, if known.'),
      spent: tokenCounts
        .exactOptional()
        .describe('The tokens of its earlier runs, for CLIs that count over the whole session.'),
    })
    .nullable(),
});
export type SentContent = z.infer<typeof SentContent>;

/** The facts of a finished run. Sizes are in bytes, times in ms. */
export const RunFacts = z.object({
  agentSession: TextOrNull,
  model: TextOrNull,
  askedModel: TextOrNull.exactOptional().describe('The requested model, if another one answered.'),
  version: TextOrNull,
  machine: Text.exactOptional().describe('The machine on which it ran, if it was not this one.'),
  exitCode: Whole.nullable(),
  signal: TextOrNull,
  startedAt: Text,
  durationMs: Amount,
  outputBytes: Count,
  tokens: tokenCounts.nullable(),
  costUsd: z.number().nullable(),
  unknownEvents: Count,
  filesChanged: Texts.readonly().describe(
    'Files that the agent itself reported as changed; while planning, that fails its turn.',
  ),
  notes: Texts.readonly().describe('What was degraded, e.g. "a line of 3 MB was cut".'),
});
export type RunFacts = z.infer<typeof RunFacts>;

/** An agent run ends in an answer (its final text) or a failure. */
export const AgentEnd = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: Text, facts: RunFacts }),
  z.object({ ok: z.literal(false), failure: AgentFailure, facts: RunFacts }),
]);
export type AgentEnd = z.infer<typeof AgentEnd>;

export const Readiness = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    path: TextOrNull,
    version: TextOrNull,
    note: Text.exactOptional().describe('What the user should know although the agent is ready.'),
  }),
  z.object({
    state: z.enum(['not-installed', 'not-logged-in', 'disabled']),
    why: Text,
    remedy: Text,
    retryAfterMs: Amount.exactOptional(),
  }),
]);
export type Readiness = z.infer<typeof Readiness>;
