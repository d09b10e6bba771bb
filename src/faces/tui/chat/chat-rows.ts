// Shows the chat as rows: its header, the turns, and the commands.
import { clockTime } from '../../../model/wording.ts';
import { turnBlocks } from '../../../phases/documents/turn-document.ts';
import { plainRows } from '../document-rows.ts';
import { cutTo, emptyRow, joinEnds, row, span, type Row, wrapText } from '../screen-rows.ts';
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
  if (turns.length > 0) {
    return turns.flatMap((turn) => [...plainRows(blocksOf(turn, state), { width }), emptyRow]);
  }
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

function blocksOf(turn: ChatTurn, { now }: ChatState) {
  const clock = turn.state === 'started' ? `  ${clockTime(now - turn.startedAt)}` : '';
  return turnBlocks(turn, clock);
}

/** The number of rows from the start of the last answer on. */
export function lastAnswerHeight(state: ChatState, width: number): number {
  const last = state.turns.at(-1);
  return last === undefined ? 0 : plainRows([blocksOf(last, state)[1]], { width }).length + 1;
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
