// Tells a turn of a conversation: what was asked, and the answer.
import { turnFactsIn } from '../../conversation/turn-facts.ts';
import { type Block, type Piece, list, prose, section } from '../../model/document.ts';
import { listed } from '../../model/wording.ts';
import type { HistoryTurn } from '../../store/history.ts';
import { badge } from './badges.ts';

/** A turn as people read it. */
export interface ToldTurn extends Pick<HistoryTurn, 'number' | 'tool' | 'question' | 'state'> {
  /** The agent, with its model if that is known. */
  readonly who: string;
  /** What the agent said, in Markdown. */
  readonly answer: string;
  /** Facts such as the time it took and the files it changed, or what the agent does now. */
  readonly facts: readonly string[];
}

/** A turn of the history as people read it. */
export function tellTurn({ facts, agent, ...turn }: HistoryTurn): ToldTurn {
  const { model, files_changed: files } = turnFactsIn(facts);
  const changed = files.length === 0 ? [] : [`Changed: ${listed(files)}`];
  return { ...turn, who: model === null ? agent : `${agent} (${model})`, facts: changed };
}

const ends = {
  started: badge('accent', '●', ''),
  answered: badge('good', '✓', ''),
  failed: badge('bad', '✗', ', failed'),
  'broken-off': badge('warn', '!', ', broken off'),
} as const;

/** Tells the question and the answer; `clock` is told beside the name of the agent. */
export function turnBlocks(turn: ToldTurn, clock = ''): readonly [Block | null, Block | null] {
  const { number, tool, question, who, state, answer, facts } = turn;
  const { badge: how, ...end } = ends[state];
  const said = answer.trim() || (state === 'started' ? '…' : '(nothing)');
  return [
    section(
      '',
      [badge('accent', '▸', 'you'), quiet(`, turn ${number}, ${tool}`)],
      [prose(question.trim())],
    ),
    section(
      '',
      [{ ...end, badge: who }, quiet(`${how}${clock}`)],
      [prose(said), list(facts.map((text) => [quiet(text)]))],
    ),
  ];
}

const quiet = (text: string): Piece => ({ text, tone: 'quiet' });
