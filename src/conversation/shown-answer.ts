// Shortens the answer of a turn for whoever asked; the whole stays on disk.
import { headAndTail, longestShown, summaryBlock } from './short-text.ts';
import { summarize } from './summarize.ts';
import type { TurnFacts } from './turn-facts.ts';
import type { TurnRequest } from './turn-request.ts';

/** An answer as it is shown. */
export interface ShownAnswer extends Pick<TurnFacts, 'summary' | 'full_answer'> {
  readonly text: string;
  readonly notes: readonly string[];
}

/** In characters. */
const longAnswer = 10_000;

/**
 * The answer in short, where the settings want that: by the summarizer, else the summary that it
 * brings, else head and tail. The files go to `path`, relative to the folder of the conversation.
 */
export async function shortenAnswer(
  turn: TurnRequest,
  { text, path }: { readonly text: string; readonly path: string },
): Promise<ShownAnswer> {
  const { summarizes, summarizer, form, folder } = turn;
  const asIs = { text, summary: null, full_answer: null, notes: [] };
  const isLong = summarizes === 'always' || text.length > longAnswer;
  if (summarizes === 'never' || !isLong || form !== null || text.trim() === '') return asIs;
  const short =
    summarizer === null
      ? null
      : await summarize(turn, { of: 'answer', text, path: `${path}/summary` });
  const shown = short?.ok === true ? short.text : (summaryBlock(text) ?? headAndTail(text));
  const notes =
    summarizer === null || short === null || short.ok
      ? []
      : [`${summarizer.agent.name}, which summarizes, ${short.why}`];
  if (shown === text) return { ...asIs, notes };
  await folder.write(`${path}/answer.txt`, text);
  return {
    text: shown.slice(0, longestShown + 100),
    summary: short?.ok === true ? short.facts : null,
    full_answer: folder.absolute(`${path}/answer.txt`),
    notes,
  };
}
