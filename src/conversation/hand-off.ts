// Chooses what of a conversation is handed on to an agent that does not know it yet.
import { tokensOf } from '../model/text-size.ts';
import { listed } from '../model/wording.ts';
import type { HistoryTurn } from '../store/history.ts';
import { turnFactsIn } from './turn-facts.ts';

/** Of the gists of older turns together, so that a long conversation still fits an agent. */
const mostGistTokens = 8000;

/**
 * The turns after `after` as one text: the newest whole within the tokens, of older ones the gist as
 * long as there is room, and how many are left out.
 */
export function handOffText(
  turns: readonly HistoryTurn[],
  { after, tokens }: { readonly after: number; readonly tokens: number },
): string {
  const newestFirst = turns
    .filter(({ number, state }) => number > after && state !== 'started')
    .toReversed();
  const whole = textsWithin(newestFirst.map(wholeText), tokens);
  const gists = textsWithin(newestFirst.slice(whole.length).map(gistOf), mostGistTokens);
  const left = newestFirst.length - whole.length - gists.length;
  const gap = left === 0 ? [] : [`[The oldest turns are left out for want of room: ${left}.]`];
  return [...whole, ...gists, ...gap].toReversed().join('\n\n');
}

/** The first texts that are together within the tokens; none after one that does not fit. */
function textsWithin(texts: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const end = texts.findIndex((text) => (left -= tokensOf(text)) < 0);
  return end === -1 ? texts : texts.slice(0, end);
}

function wholeText(turn: HistoryTurn): string {
  return `${headOf(turn)}\n${turn.question}\n\n${answerHead(turn)}\n${turn.answer.trim() || '(nothing)'}`;
}

/** The first lines alone, with the files that the turn changed. */
function gistOf(turn: HistoryTurn): string {
  const { files_changed: files } = turnFactsIn(turn.facts);
  const changed = files.length === 0 ? '' : `\nFiles changed: ${listed(files)}`;
  return `${headOf(turn)} (shortened)\n${firstLine(turn.question)}\n\n${answerHead(turn)}\n${firstLine(turn.answer)}${changed}`;
}

function headOf({ number }: HistoryTurn): string {
  return `## Turn ${number}: the user`;
}

function answerHead(turn: HistoryTurn): string {
  const { number, agent, state, facts } = turn;
  const model = turnFactsIn(facts).model;
  const who = model === null ? agent : `${agent} (${model})`;
  const ends = {
    answered: '',
    started: '',
    failed: ', which failed before it was complete',
    'broken-off': ', which was broken off',
  };
  return `## Turn ${number}: ${who}${ends[state]}`;
}

/** In characters. */
const longestLine = 300;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > longestLine ? `${line.slice(0, longestLine)} …` : line;
}
