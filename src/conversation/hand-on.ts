// Chooses which part of a conversation is passed to an agent that does not know it yet.
import { tokensOf } from '../model/text-size.ts';
import { listed } from '../model/wording.ts';
import type { HistoryTurn } from '../store/history.ts';
import { turnFactsIn } from './turn-facts.ts';

/** The most tokens of all gists of older turns, so that a long conversation still fits an agent. */
const mostGistTokens = 8000;

/** Turns that an agent does not know yet: the newest whole, the older ones shortened. */
export interface HandOff {
  /** The texts in the order of the turns, the newest last. */
  readonly whole: readonly string[];
  /** The turns before them, which do not fit. */
  readonly older: readonly HistoryTurn[];
}

/** Splits the turns after `after`: as many of the newest as fit into the tokens, and the older ones. */
export function splitTurns(
  turns: readonly HistoryTurn[],
  { after, tokens }: { readonly after: number; readonly tokens: number },
): HandOff {
  const wanted = turns.filter(({ number, state }) => number > after && state !== 'started');
  const whole = textsWithin(wanted.toReversed().map(wholeText), tokens).toReversed();
  return { whole, older: wanted.slice(0, wanted.length - whole.length) };
}

/**
 * Writes the turns after `after` as one text: the newest whole within the tokens, older ones as
 * gists while there is room, and how many are left out.
 */
export function handOffText(
  turns: readonly HistoryTurn[],
  wanted: { readonly after: number; readonly tokens: number },
): string {
  const { whole, older } = splitTurns(turns, wanted);
  return [...gistsOf(older), ...whole].join('\n\n');
}

/** Lists the gists while there is room, after a line that says how many are left out. */
export function gistsOf(older: readonly HistoryTurn[]): readonly string[] {
  const gists = textsWithin(older.toReversed().map(gistOf), mostGistTokens);
  const left = older.length - gists.length;
  const gap = left === 0 ? [] : [`[The oldest turns are left out for lack of room: ${left}.]`];
  return [...gap, ...gists.toReversed()];
}

/** Joins the newest of the turns whole into the text for a summarizer. */
export function olderText(older: readonly HistoryTurn[], tokens: number): string {
  return textsWithin(older.toReversed().map(wholeText), tokens).toReversed().join('\n\n');
}

/** Takes the first texts that fit into the tokens together, and none after one that does not fit. */
function textsWithin(texts: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const end = texts.findIndex((text) => (left -= tokensOf(text)) < 0);
  return end === -1 ? texts : texts.slice(0, end);
}

function wholeText(turn: HistoryTurn): string {
  return `${headOf(turn)}\n${turn.question}\n\n${answerHead(turn)}\n${turn.answer.trim() || '(nothing)'}`;
}

/** The gist of a turn: only the first lines, with the files that it changed. */
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

/** The longest line of a gist, in characters. */
const longestLine = 300;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > longestLine ? `${line.slice(0, longestLine)} …` : line;
}
