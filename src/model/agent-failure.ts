// Lists how an agent run can end badly.
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
