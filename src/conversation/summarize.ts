// Lets the summarizer shorten a long answer, or turns that do not fit into a request.
import { randomBytes } from 'node:crypto';
import { redactTokens } from '../model/secrets.ts';
import { summaryPrompt } from '../prompts/summary.ts';
import { callOnce } from './call-once.ts';
import { longestShown } from './short-text.ts';
import type { TurnFacts } from './turn-facts.ts';
import type { TurnRequest } from './turn-request.ts';

type Summary =
  | {
      readonly ok: true;
      readonly text: string;
      readonly facts: NonNullable<TurnFacts['summary']>;
    }
  /** `why` follows the name of the summarizer. */
  | { readonly ok: false; readonly why: string };

/** A summary is not waited for longer, in ms. */
const longestWait = 120_000;

const watchNothing: TurnRequest['watch'] = {
  begin: async () => async () => ({ written: [], others: [] }),
};

/** Asks for a summary; one that was interrupted failed. The files go to `path`. */
export async function summarize(
  turn: TurnRequest,
  {
    of,
    text,
    path,
  }: { readonly of: 'answer' | 'turns'; readonly text: string; readonly path: string },
): Promise<Summary> {
  const { summarizer, limits, signal } = turn;
  if (summarizer === null) return { ok: false, why: 'is not set' };
  const { agent, model, cwd } = summarizer;
  const nonce = randomBytes(8).toString('hex');
  const call = callOnce({
    ...turn,
    agent,
    cwd,
    extraDirs: [],
    watch: watchNothing,
    limits: { ...limits, totalMs: Math.min(limits.totalMs, longestWait) },
    request: {
      permission: 'read-only',
      prompt: summaryPrompt({ of, text: redactTokens(text), nonce }),
      role: null,
      schema: null,
      model,
      resume: null,
    },
    path,
    suffix: '',
    onEvent: () => undefined,
  });
  const attempt = await call.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return null;
  });
  if (attempt === null) return { ok: false, why: 'was interrupted' };
  if (attempt.ended !== 'answered') return { ok: false, why: `failed: ${attempt.failure.detail}` };
  const short = redactTokens(attempt.value.trim());
  const isShort = short !== '' && short.length < Math.min(text.length, longestShown);
  if (!isShort) return { ok: false, why: 'wrote nothing shorter' };
  const { tokens, cost_usd } = attempt.receipt;
  return { ok: true, text: short, facts: { by: agent.name, tokens, cost_usd } };
}
