// Shortens a long answer, or turns that do not fit into a request: with the summarizer or without a model.
import { randomBytes } from 'node:crypto';
import { redactTokens } from '../model/secrets.ts';
import { summaryPrompt } from '../prompts/turn-prompt.ts';
import { callAgent, markWith } from '../agents/call.ts';
import { textWorkspace } from '../agents/agent.ts';
import type { AgentCall } from '../agents/attempt.ts';
import type { TurnFacts } from './turn-facts.ts';
import type { Turn } from './turn-request.ts';
import type { HistoryTurn } from '../store/history.ts';
import { gistsOf, olderText, splitTurns } from './hand-on.ts';

type Summary =
  | {
      readonly ok: true;
      readonly text: string;
      readonly facts: NonNullable<TurnFacts['summary']>;
    }
  /** `why` follows the name of the summarizer. */
  | { readonly ok: false; readonly why: string };

const readOnly = {
  permission: 'read-only',
  about: null,
  role: null,
  schema: null,
  resume: null,
} as const;

/** The longest wait for a summary, in ms. */
const longestWait = 120_000;

/** Asks for a summary; an interrupted one counts as failed. The files go to `path`. */
export async function summarize(
  turn: Turn,
  {
    of,
    text,
    path,
  }: { readonly of: 'answer' | 'turns'; readonly text: string; readonly path: string },
): Promise<Summary> {
  const { summarizer, folder, limits, signal } = turn;
  if (summarizer === null) return { ok: false, why: 'is not set' };
  const { agent, model, cwd } = summarizer;
  const nonce = randomBytes(8).toString('hex');
  const prompt = summaryPrompt({ of, text: redactTokens(text), nonce });
  const call: AgentCall<string> = {
    agent,
    request: { ...readOnly, prompt, model },
    form: null,
    workspace: textWorkspace({ cwd, extraDirs: [] }),
    files: { folder, path, suffix: '' },
    limits: { ...limits, totalMs: Math.min(limits.totalMs, longestWait) },
    mark: markWith(turn.markPrefix),
  };
  const attempt = await callAgent(call, signal).catch((error: unknown) => {
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

/** The most characters of an answer that are shown. */
export const longestShown = 20_000;

/** Cuts the middle out of a text that is too long to be shown, and says how much is missing. */
export function headAndTail(text: string, longest = longestShown): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return `${head}\n\n[… ${text.length - 2 * half} characters are cut here …]\n\n${tail}`;
}

/** Finds the part of an answer that its agent wrote as the summary, or null. */
export function summaryBlock(text: string): string | null {
  const block = /<SUMMARY>([^]*?)<\/SUMMARY>/i.exec(text)?.[1]?.trim() ?? '';
  return block === '' ? null : block;
}

/** The most tokens of older turns for a summarizer. */
const mostRead = 60_000;

/** Writes the turns after `after` as one text; a note says if the summarizer failed. */
export async function tellTurns(
  turn: Turn,
  {
    before,
    after,
    path,
  }: { readonly before: readonly HistoryTurn[]; readonly after: number; readonly path: string },
): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const { summarizer, handOffTokens: tokens } = turn;
  const { whole, older } = splitTurns(before, { after, tokens });
  const cut = { text: [...gistsOf(older), ...whole].join('\n\n'), notes: [] };
  const first = older[0];
  const last = older.at(-1);
  if (summarizer === null || first === undefined || last === undefined) return cut;
  const text = olderText(older, mostRead);
  const name = summarizer.agent.name;
  const short =
    text === ''
      ? { ok: false as const, why: 'takes no turn that long' }
      : await summarize(turn, { of: 'turns', text, path: `${path}/older` });
  turn.signal.throwIfAborted();
  if (!short.ok) {
    return {
      ...cut,
      notes: [
        `${name}, which summarizes older turns, ${short.why}; only the first lines of those turns were sent`,
      ],
    };
  }
  const head = `## Turns ${first.number} to ${last.number}, summarized by ${name}`;
  return { text: [`${head}\n${short.text}`, ...whole].join('\n\n'), notes: [] };
}
