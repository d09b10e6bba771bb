// Lists how an agent run can end badly.
import { z } from 'zod';

/** Why an agent run ended without a usable answer. */
export const FailureCategory = z.enum([
  'not-installed',
  'not-logged-in',
  /** It passes by itself. */
  'rate-limited',
  /** The user’s plan or credit is used up: waiting does not help. */
  'quota-used-up',
  /** It said nothing at all within the time for that. */
  'silent',
  'timed-out',
  'crashed',
  'network',
  'empty-answer',
  'invalid-answer',
  /** For another round or session. */
  'wrong-answer',
  /** It reached the model's limit of output. */
  'answer-cut',
  /** The model would not answer. */
  'refused',
  /** The provider withheld the answer. */
  'content-filtered',
  'permission-refused',
  /** The request cannot be met: an unknown model, too long a prompt. */
  'request-refused',
  /** The agent does not know its session any more; a new one may be begun. */
  'session-lost',
  'wrote-while-planning',
  'cancelled',
  /** It is switched off, or failed too often in this session. */
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

/** That a program is not there matters less than why one that is there did not answer. */
export function tellingFirst<T extends Pick<AgentFailure, 'category'>>(
  failures: readonly T[],
): readonly T[] {
  const isAbsent = ({ category }: T) => category === 'not-installed' || category === 'not-asked';
  return [...failures.filter((one) => !isAbsent(one)), ...failures.filter(isAbsent)];
}
