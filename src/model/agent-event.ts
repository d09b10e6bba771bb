// Defines the events that agents report while they run.
import { z } from 'zod';
import { FailureCategory } from './agent-failure.ts';

/** What a model took and gave. */
export const tokenCounts = z.object({ input: z.int(), output: z.int(), cached: z.int() });

// Long texts are cut in their middle, which then says how much is missing there.
const output = z.string().optional().describe('What it put out, cut where it is long.');
const diff = z
  .string()
  .optional()
  .describe('Lines of a unified diff without its head, cut where it is long.');

function kind<const Kind extends string, Fields extends z.ZodRawShape>(name: Kind, fields: Fields) {
  return z.object({ kind: z.literal(name), ...fields });
}

/** What an agent does while it runs: one vocabulary for every CLI’s dialect. */
export const AgentEvent = z.discriminatedUnion('kind', [
  kind('started', {
    agent_session: z.string().nullable(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  kind('message', { text: z.string(), partial: z.boolean() }),
  kind('thinking', { text: z.string() }),
  kind('tool-call', {
    name: z.string(),
    detail: z.string().describe('What of its input tells most, e.g. a path.'),
    input: z.string().optional().describe('All of it as JSON, cut where it is long.'),
    diff: diff.describe('What it would change, where nothing tells that once it is done.'),
  }),
  kind('tool-output', { output: z.string() }),
  kind('file-read', { path: z.string() }),
  kind('file-change', {
    path: z.string(),
    change: z.enum(['add', 'change', 'delete']).optional(),
    diff,
  }),
  kind('command', {
    command: z.string().describe('Empty where only its call told it.'),
    exit_code: z.int().nullable(),
    output,
  }),
  kind('approval-needed', {
    tool: z.string().nullable(),
    what: z.string().describe('What it was to be used for, or why it was not, in short.'),
    answer: z.literal('denied').describe('What an agent may do is settled before it starts.'),
  }),
  kind('cancelled', {
    what: z.string().nullable().describe('The tool call that was under way, if any; else the run.'),
  }),
  kind('usage', { tokens: tokenCounts, cost_usd: z.number().nullable() }),
  kind('retrying', { reason: z.string(), delay_ms: z.number().nullable() }),
  kind('warning', { text: z.string() }),
  kind('error', {
    category: FailureCategory,
    text: z.string(),
    retry_after_ms: z.number().nullable(),
  }),
  kind('completed', {
    text: z.string().nullable().describe('The final text where the CLI repeats it; else null.'),
    model: z.string().optional().describe('Who answered, where that is known only then.'),
  }),
  kind('unknown', { line: z.string() }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
