// Shows the chat as rows: its header, the turns, and the commands.
import { clockTime } from '../../../model/wording.ts';

import { cutTo, emptyRow, joinEnds, row, span, type Row, wrapText } from '../screen-rows.ts';
import { marks } from '../theme.ts';
import { chatCommands, commandsLike } from './chat-commands.ts';
import type { ChatState, ChatTurn } from './chat-state.ts';

/** Two lines: who is asked, and a rule. */
export function chatHeader({ tool, who, role, session }: ChatState, width: number): readonly Row[] {
  const name = row(span(`conclave ${tool}`, 'strong'), span(`  ${who}`, 'accent'));
  const inRole: Row = role === 'default' ? [] : [span(` · role ${role}`)];
  const id = row(span(session ?? 'new conversation', 'quiet'));
  const left = [...name, ...inRole];
  const isRoomy = width >= 60;
  return [
    isRoomy ? joinEnds(left, id, width) : cutTo(left, width),
    row(span('─'.repeat(width), 'quiet')),
  ];
}

/** All turns, one after the other; without turns, how the chat works. */
export function turnRows(state: ChatState, width: number): readonly Row[] {
  const { turns, tool } = state;
  if (turns.length > 0) return turns.flatMap((turn) => rowsOfTurn(turn, { state, width }));
  const about =
    tool === 'work'
      ? 'It may edit files and run commands in this folder.'
      : 'It is asked for an opinion, and changes nothing.';
  return [
    ...wrapText('Type a task or a question. The conversation goes on with any agent.', { width }),
    ...wrapText(about, { width, tone: 'quiet' }),
    emptyRow,
    ...commandRows(chatCommands, width),
  ];
}

function rowsOfTurn(
  { tool, question, who, state: ended, answer, facts, doing, startedAt }: ChatTurn,
  { state, width }: { readonly state: ChatState; readonly width: number },
): readonly Row[] {
  const look = { width, indent: 2 };
  const mark = { running: marks.now, answered: marks.done, failed: marks.failed }[ended];
  const tone = { running: 'accent', answered: 'good', failed: 'bad' } as const;
  const clock = ended === 'running' ? `  ${clockTime(state.now - startedAt)}` : '';
  const kind = tool === 'work' ? ' · work' : '';
  return [
    row(span('▸ ', 'accent'), span('you', 'strong'), span(kind, 'quiet')),
    ...wrapText(question, look),
    row(span(`${mark} `, tone[ended]), span(who, 'strong'), span(clock, 'quiet')),
    ...doing.flatMap((one) => wrapText(one, { ...look, tone: 'quiet' }).slice(0, 1)),
    ...(answer === '' ? [] : wrapText(answer, look)),
    ...facts.flatMap((one) => wrapText(one, { ...look, tone: 'quiet' })),
    emptyRow,
  ];
}

/** The row at which the last answer starts, among the rows of all turns. */
export function lastAnswerAt(state: ChatState, width: number): number {
  const last = state.turns.at(-1);
  if (last === undefined) return 0;
  const before = { ...state, turns: state.turns.slice(0, -1) };
  const asked = wrapText(last.question, { width, indent: 2 }).length + 1;
  return (before.turns.length === 0 ? 0 : turnRows(before, width).length) + asked;
}

/** The commands that start like the typed text. */
export function menuRows(text: string, width: number): readonly Row[] {
  return commandRows(commandsLike(text), width);
}

export function commandRows(
  commands: readonly { readonly word: string; readonly does: string }[],
  width: number,
): readonly Row[] {
  return commands.map(({ word, does }) =>
    cutTo(row(span(word.padEnd(14), 'key'), span(does, 'quiet')), width),
  );
}
