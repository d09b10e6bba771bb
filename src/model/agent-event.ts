// Defines the events that agents report while they run, and how a run can end badly.
import { z } from 'zod';

/** Why an agent run ended without a usable answer. */
export const FailureCategory = z.enum([
  'not-installed',
  'not-logged-in',
  /** A limit that ends without any action. */
  'rate-limited',
  /** The user’s plan or credit is used up: waiting does not help. */
  'quota-used-up',
  /** The agent produced no output at all within the time limit for that. */
  'silent',
  'timed-out',
  'crashed',
  'network',
  /** The machine on which it ran was lost. */
  'dropped',
  'empty-answer',
  'invalid-answer',
  /** The answer is for another round or session. */
  'wrong-answer',
  /** The answer reached the model's output limit. */
  'answer-cut',
  /** The model refused to answer. */
  'refused',
  /** The provider withheld the answer. */
  'content-filtered',
  'permission-refused',
  /** The request cannot be fulfilled: an unknown model, or too long a prompt. */
  'request-refused',
  /** The agent no longer knows its session; a new one may be started. */
  'session-lost',
  'wrote-while-planning',
  'cancelled',
  /** The agent is switched off, or failed too often in this session. */
  'not-asked',
  'unknown',
]);
export type FailureCategory = z.infer<typeof FailureCategory>;

/** The expected bad end of one agent run. Times in ms. */
export const AgentFailure = z.object({
  category: FailureCategory,
  agent: z.string(),
  detail: z.string().describe('What happened, in one line, already safe to display.'),
  retry_after_ms: z.int().min(0).nullable(),
  retried: z.boolean().optional().describe('The CLI had tried again by itself.'),
});
export type AgentFailure = z.infer<typeof AgentFailure>;

/** Puts failures of installed agents first: why one did not answer tells more than a missing program. */
export function tellingFirst<T extends Pick<AgentFailure, 'category'>>(
  failures: readonly T[],
): readonly T[] {
  const isAbsent = ({ category }: T) => category === 'not-installed' || category === 'not-asked';
  return [...failures.filter((one) => !isAbsent(one)), ...failures.filter(isAbsent)];
}

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
const textOrNull = z.string().nullable().default(null);
const numberOrNull = z.number().nullable().default(null);

function event<const Type extends string, Fields extends z.ZodRawShape>(
  name: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(name), ...fields });
}

/** The progress of a tool call: started, still running, or ended (whether it succeeded or not). */
export const CallState = z.enum(['started', 'updated', 'completed']);
export type CallState = z.infer<typeof CallState>;

const id = z
  .string()
  .nullable()
  .optional()
  .describe('The agent’s own id of the tool call, unique in the run; all its events share it.');

// Both are absent in events of programs that do not know ids.
const call = {
  id,
  state: CallState.optional().describe('The state of the call after this event.'),
};

/**
 * Something that an agent does while it runs, in one vocabulary for the dialects of all agents. A
 * tool call begins with `tool_call` or `file_read` and ends, under the same id, with its outcome:
 * `tool_call` with its output, `command`, `file_change`, `warning`, `approval_needed` or
 * `cancelled`. A call that succeeded without output has no event for its end.
 */
export const AgentEvent = z.discriminatedUnion('type', [
  // Emitted when the agent reports its session, model or version; again when it knows more of them.
  event('started', {
    agentSession: textOrNull,
    model: textOrNull,
    version: textOrNull,
    machine: z.string().exactOptional().describe('Where it runs, if not on this machine.'),
  }),
  // Emitted for each message of the model once it is whole, and before that for its pieces.
  event('message', { content: z.string(), partial: z.boolean().default(false) }),
  // Emitted for each piece of its reasoning that the agent shows.
  event('thinking', { content: z.string() }),
  // Emitted when a tool call begins, or only at its end by CLIs that do not report its beginning;
  // and again with its output, if there is any.
  event('tool_call', {
    ...call,
    name: z.string(),
    input: z.unknown().default(null).describe('As text if it is long, and then shortened.'),
    detail: z.string().default('').describe('The most telling part of its input, e.g. a path.'),
    diff: diff.describe('What it would change, if no later event shows it.'),
    output,
  }),
  // Emitted when a file is read: at the end of the call, or at its start if only that has the path.
  event('file_read', { ...call, path: z.string() }),
  // Emitted for each file that a call has changed.
  event('file_change', {
    ...call,
    path: z.string(),
    change: z.enum(['add', 'change', 'delete']).optional(),
    diff,
  }),
  // Emitted when a shell command has ended; its start is a `tool_call`.
  event('command', {
    ...call,
    command: z.string().describe('Empty if only the earlier tool call named it.'),
    exitCode: z.int().nullable().default(null),
    output,
  }),
  // Emitted when a tool call was denied, by the end of the run at the latest.
  event('approval_needed', {
    id,
    tool: textOrNull,
    description: z.string().describe('Briefly, what it was for, or why it was denied.'),
    options: z
      .array(z.string())
      .describe('What a person could say. It was denied: permissions are settled beforehand.'),
  }),
  // Emitted when a tool call was broken off, and last of all when a run was cancelled.
  event('cancelled', {
    id,
    what: textOrNull.describe('The tool call that was under way, if any; else the run.'),
  }),
  // Emitted when the agent reports its usage since the last report: per step, per turn, or at its end.
  event('usage', {
    inputTokens: z.int(),
    outputTokens: z.int(),
    cachedTokens: z.int().default(0),
    estimated: tokenCounts.shape.estimated,
    costUsd: numberOrNull,
  }),
  // Emitted when the agent sends a request to its model again.
  event('retrying', { reason: z.string(), delay: numberOrNull.describe('In ms, if it is known.') }),
  // Emitted when a tool call failed (then with its id) or the agent warns; the run continues.
  event('warning', { id, message: z.string() }),
  // Emitted when the agent reports why it has no answer; a later `completed` overrides it.
  event('error', {
    message: z.string(),
    recoverable: z.boolean().describe('True if the same request may succeed later.'),
    category: FailureCategory,
    retryAfter: numberOrNull.describe('The wait that was asked for, in ms.'),
  }),
  // Emitted when the answer is complete. The process may continue for a while.
  event('completed', {
    summary: textOrNull.describe('The final text where the agent repeats it; else null.'),
    model: z.string().nullish().describe('Who answered, if it becomes known only now.'),
  }),
  // Emitted for a line that the adapter cannot read.
  event('unknown', { line: z.string() }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;

/** The event of one type. */
export type AgentEventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
