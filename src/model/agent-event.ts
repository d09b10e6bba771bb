// Defines the events that agents report while they run.
import { z } from 'zod';
import { FailureCategory } from './agent-failure.ts';

/** Counts of the tokens that a model read and wrote. */
export const tokenCounts = z.object({
  input: z.int(),
  output: z.int(),
  cached: z.int(),
  estimated: z
    .literal(true)
    .optional()
    .describe('Estimated from the length, because nobody reported them.'),
});
export type TokenCounts = z.infer<typeof tokenCounts>;

// Long texts are cut in the middle, where they then say how much is missing.
const output = z.string().optional().describe('Its output, shortened if it is long.');
const diff = z
  .string()
  .optional()
  .describe('Lines of a unified diff without its head, shortened if it is long.');

function kind<const Kind extends string, Fields extends z.ZodRawShape>(name: Kind, fields: Fields) {
  return z.object({ kind: z.literal(name), ...fields });
}

/** The progress of a tool call: started, still running, or ended (whether it succeeded or not). */
export const CallState = z.enum(['started', 'updated', 'completed']);
export type CallState = z.infer<typeof CallState>;

const id = z
  .string()
  .nullable()
  .optional()
  .describe('The CLI’s own id of the tool call, unique in the run; all events of a call share it.');

// Both are absent in events of programs that do not know ids.
const call = {
  id,
  state: CallState.optional().describe('The state of the call after this event.'),
};

/**
 * Something that an agent does while it runs, in one vocabulary for the dialects of all CLIs. A
 * tool call begins with `tool-call` or `file-read` and ends, under the same id, with its outcome:
 * `tool-output`, `command`, `file-change`, `warning`, `approval-needed` or `cancelled`. A call that
 * succeeded without output has no event for its end.
 */
export const AgentEvent = z.discriminatedUnion('kind', [
  // Emitted when the CLI reports its session, model or version; again when it knows more of them.
  kind('started', {
    agent_session: z.string().nullable(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  // Emitted for each message of the model once it is whole, and before that for its pieces.
  kind('message', { text: z.string(), partial: z.boolean() }),
  // Emitted for each piece of its reasoning that the CLI shows.
  kind('thinking', { text: z.string() }),
  // Emitted when a tool call begins. CLIs that report a call only when it has ended emit it then.
  kind('tool-call', {
    ...call,
    name: z.string(),
    detail: z.string().describe('The most telling part of its input, e.g. a path.'),
    input: z.string().optional().describe('The whole input as JSON, shortened if it is long.'),
    diff: diff.describe('What it would change, if no later event shows it.'),
  }),
  // Emitted when a tool call has produced output, mostly at its end.
  kind('tool-output', { ...call, output: z.string() }),
  // Emitted when a file is read: at the end of the call, or at its start if only that has the path.
  kind('file-read', { ...call, path: z.string() }),
  // Emitted for each file that a call has changed.
  kind('file-change', {
    ...call,
    path: z.string(),
    change: z.enum(['add', 'change', 'delete']).optional(),
    diff,
  }),
  // Emitted when a shell command has ended; its start is a `tool-call`.
  kind('command', {
    ...call,
    command: z.string().describe('Empty if only the earlier tool call named it.'),
    exit_code: z.int().nullable(),
    output,
  }),
  // Emitted when a tool call was denied, by the end of the run at the latest.
  kind('approval-needed', {
    id,
    tool: z.string().nullable(),
    what: z.string().describe('Briefly, what it was for, or why it was denied.'),
    answer: z.literal('denied').describe('What an agent may do is settled before it starts.'),
  }),
  // Emitted when a tool call was broken off, and last of all when a run was cancelled.
  kind('cancelled', {
    id,
    what: z.string().nullable().describe('The tool call that was under way, if any; else the run.'),
  }),
  // Emitted when the CLI reports its usage since the last report: per step, per turn, or at its end.
  kind('usage', { tokens: tokenCounts, cost_usd: z.number().nullable() }),
  // Emitted when the CLI sends a request to its model again.
  kind('retrying', { reason: z.string(), delay_ms: z.number().nullable() }),
  // Emitted when a tool call failed (then with its id) or the CLI warns; the run continues.
  kind('warning', { id, text: z.string() }),
  // Emitted when the CLI reports why it has no answer; a later `completed` overrides it.
  kind('error', {
    category: FailureCategory,
    text: z.string(),
    retry_after_ms: z.number().nullable(),
  }),
  // Emitted when the answer is complete. The process may continue for a while.
  kind('completed', {
    text: z.string().nullable().describe('The final text where the CLI repeats it; else null.'),
    model: z.string().optional().describe('Who answered, if it becomes known only now.'),
  }),
  // Emitted for a line that the adapter cannot read.
  kind('unknown', { line: z.string() }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
