// Tells an agent the turns that it does not know, older ones by the summarizer where there is one.
import type { HistoryTurn } from '../store/history.ts';
import { gistsOf, olderText, splitTurns } from './hand-off.ts';
import { summarize } from './summarize.ts';
import type { TurnRequest } from './turn-request.ts';

/** Of older turns, given to the summarizer. */
const mostRead = 60_000;

/** The turns after `after` as one text; a note says where the summarizer failed. */
export async function tellTurns(
  turn: TurnRequest,
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
        `${name}, which summarizes older turns, ${short.why}; of those only the first lines were sent`,
      ],
    };
  }
  const head = `## Turns ${first.number} to ${last.number}, summarized by ${name}`;
  return { text: [`${head}\n${short.text}`, ...whole].join('\n\n'), notes: [] };
}
