// Takes over the terminal for a conversation, shows it, and gives the terminal back.
import type { TuiPorts } from '../ports.ts';
import { startingState, type TuiState } from '../screen-state.ts';
import { createStore, type Store, useStore } from '../store.ts';
import { renderScreens } from '../terminal.tsx';
import { chatCommands, chatMoves, type ChatMoves, commandsLike } from './chat-moves.ts';
import {
  type ChatState,
  runningTurn,
  type ChatEnd,
  type ChatPorts,
  type ChatTurn,
} from './chat-state.ts';
import { Box, useWindowSize } from 'ink';
import { useState } from 'react';
import {
  type Binding,
  helpRows,
  key,
  keyLine,
  minorKey,
  scrollKeys,
  useBindings,
} from '../key-bindings.ts';
import { listPage, rowsOfItem, scrollBy } from '../list-page.ts';
import { emptyRow, span, type Row, wrapText, cutTo, joinEnds, row } from '../screen-rows.ts';
import { Rows, useTools, useTui } from '../tools.tsx';
import { textField } from '../widgets/text-field/field.ts';
import { inputRows, useFieldKeys, useTextField } from '../widgets/text-field/field-view.tsx';
import { clockTime } from '../../../model/wording.ts';
import { turnBlocks } from '../../../phases/documents/turn-document.ts';
import { plainRows } from '../document-rows.ts';

const tick = 1000;

/** Shows the conversation until the person leaves it or hands it over. Rejects if drawing failed. */
export async function showChat({
  start,
  ports,
  terminal,
  environment,
  signal,
}: {
  readonly start: ChatState;
  readonly ports: ChatPorts;
  readonly terminal: TuiPorts;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the chat and the current turn. */
  readonly signal: AbortSignal;
}): Promise<ChatEnd> {
  const store = createStore<TuiState>(startingState({ kind: 'run' }, Date.now()));
  const chat = createStore<ChatState>(start);
  const { promise: ended, resolve, reject } = Promise.withResolvers<ChatEnd>();
  const moves = chatMoves(chat, { ports, end: resolve, fail: reject });
  const onAbort = () => {
    resolve({ kind: 'leave', session: chat.get().session });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const screen = <ChatScreen chat={chat} moves={moves} />;
  const app = renderScreens(screen, { store, ports: terminal, environment });
  const gone = app.waitUntilExit();
  gone.catch(reject);
  const clock = setInterval(() => {
    if (runningTurn(chat.get()) !== null) chat.gather((now) => ({ ...now, now: Date.now() }));
  }, tick);
  try {
    return await ended;
  } finally {
    await moves.close();
    signal.removeEventListener('abort', onAbort);
    clearInterval(clock);
    store.close();
    chat.close();
    app.unmount();
    await gone.catch(() => undefined);
  }
}

/** Columns before the field. */
const gutter = 2;
/** The most rows of the note under the turns. */
const mostNoteRows = 3;

function ChatScreen({
  chat,
  moves,
}: {
  readonly chat: Store<ChatState>;
  readonly moves: ChatMoves;
}) {
  const tools = useTools();
  const { store, ports } = tools;
  const copy = (copied: string) => tools.copy(copied);
  const { columns: width, rows: height } = useWindowSize();
  const state = useStore(chat, (now) => now);
  const overlay = useTui((now) => now.overlay);
  const notice = useTui((now) => now.notice);
  const [helpTop, setHelpTop] = useState(0);
  const field = useTextField();
  const text = useStore(field, (now) => now);
  const active = overlay === null;
  const isEmpty = text.text === '';
  useFieldKeys({
    field,
    active,
    width: width - gutter,
    lines: 'many',
    ...(isEmpty ? { leaves: ['?'] } : {}),
  });
  const input = inputRows(text, {
    width: width - gutter,
    height: Math.max(1, Math.min(6, Math.floor(height / 3))),
    placeholder: 'Type here · / lists commands',
    active,
  });
  const said: readonly Row[] =
    notice !== null
      ? [notice]
      : state.note === null || !active
        ? [emptyRow]
        : wrapText(state.note, { width, tone: 'warn' }).slice(0, mostNoteRows);
  const room = Math.max(1, height - 3 - said.length - input.length);
  const menu = menuRows(text.text, width);
  const pageHeight = Math.max(1, room - menu.length);
  const turns = turnRows(state, width);
  // An answer that does not fit is shown from its start.
  const begin = turns.length - Math.max(lastAnswerHeight(state, width), pageHeight);
  const page = listPage(rowsOfItem(null, turns), {
    top: state.top ?? (state.turns.length === 0 ? 0 : begin),
    height: pageHeight,
  });
  const helpPage = listPage(rowsOfItem(null, helpOfChat(width)), { top: helpTop, height: room });
  const setOverlay = (next: 'help' | null) => {
    setHelpTop(0);
    store.change((now) => ({ ...now, overlay: next }));
  };
  const send = () => {
    const typed = field.get().text.trim();
    if (typed !== '' && moves.send(typed, { copy, help: () => setOverlay('help') }))
      field.change(() => textField());
  };
  const scroll = (by: number) => () => chat.change((now) => ({ ...now, top: scrollBy(page, by) }));
  const atTop = page.first === 0;
  const isRunning = runningTurn(state) !== null;
  const leave = () => moves.stopOrLeave(field.get().text !== '');
  const bindings: readonly Binding[] = active
    ? [
        key(['enter'], isRunning ? 'send later' : 'send', send),
        key(['alt+enter', 'ctrl+j'], 'new line', () => undefined, minorKey),
        ...(isEmpty ? [key(['?'], 'all keys', () => setOverlay('help'))] : []),
        ...(page.most === 0
          ? []
          : [
              key(['pageup'], 'up', scroll(1 - page.height), atTop ? minorKey : {}),
              key(['pagedown'], 'down', scroll(page.height - 1), atTop ? {} : minorKey),
            ]),
        key(['ctrl+y'], 'copy the answer', () => moves.copyAnswer(copy), minorKey),
        key(['ctrl+z'], 'suspend', () => ports.suspend(), minorKey),
        key(['esc'], isRunning ? 'stop' : 'leave', leave),
        key(['ctrl+c'], isRunning ? 'stop' : 'leave', leave, minorKey),
      ]
    : [
        ...scrollKeys(helpPage, setHelpTop),
        key(['esc', '?', 'enter', 'q', 'ctrl+c'], 'closes this help', () => setOverlay(null)),
      ];
  useBindings(bindings);
  const body = active ? [...page.rows, ...menu] : helpPage.rows;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rows rows={chatHeader(state, width)} width={width} />
      <Box flexDirection="column" height={room} overflowY="hidden">
        <Rows rows={body.slice(0, room)} width={width} />
      </Box>
      <Rows rows={said} width={width} />
      <Rows
        rows={input.map((line): Row => [span('│ ', 'accent'), ...line])}
        width={width}
        top={height - 1 - input.length}
      />
      <Rows rows={[keyLine(bindings, width)]} width={width} />
    </Box>
  );
}

/** Everything that can be typed and pressed; what does not fit is scrolled. */
function helpOfChat(width: number): readonly Row[] {
  return [
    ...commandRows(chatCommands, width),
    ...helpRows(keysOfChat, { width, height: Infinity }),
  ];
}

const nothing = () => undefined;

const keysOfChat: readonly Binding[] = [
  key(['enter'], 'send', nothing),
  key(['alt+enter', 'ctrl+j'], 'new line', nothing),
  key(['pageup', 'pagedown'], 'scroll', nothing),
  key(['ctrl+y'], 'copy the last answer', nothing),
  key(['ctrl+z'], 'suspend', nothing),
  key(['esc', 'ctrl+c'], 'stop it, or leave', nothing),
];

/** Two lines: who is asked, and a rule. */
function chatHeader({ tool, who, role, session }: ChatState, width: number): readonly Row[] {
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
function turnRows(state: ChatState, width: number): readonly Row[] {
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
function lastAnswerHeight(state: ChatState, width: number): number {
  const last = state.turns.at(-1);
  return last === undefined ? 0 : plainRows([blocksOf(last, state)[1]], { width }).length + 1;
}

/** The commands that start like the typed text. */
function menuRows(text: string, width: number): readonly Row[] {
  return commandRows(commandsLike(text), width);
}

function commandRows(
  commands: readonly { readonly word: string; readonly does: string }[],
  width: number,
): readonly Row[] {
  return commands.map(({ word, does }) =>
    cutTo(row(span(word.padEnd(14), 'key'), span(does, 'quiet')), width),
  );
}
