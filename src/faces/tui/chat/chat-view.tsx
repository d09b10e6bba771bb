// Shows a conversation and takes what a person types into it.
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
import { emptyRow, span, type Row, wrapText } from '../screen-rows.ts';
import { type Store, useStore } from '../store.ts';
import { Rows, useTools, useTui } from '../tools.tsx';
import { useRedrawAfterResize } from '../use-redraw.ts';
import { textField } from '../widgets/text-field/field.ts';
import { inputRows, useFieldKeys, useTextField } from '../widgets/text-field/field-view.tsx';
import { chatCommands } from './chat-commands.ts';
import type { ChatMoves } from './chat-moves.ts';
import { chatHeader, commandRows, lastAnswerHeight, menuRows, turnRows } from './chat-rows.ts';
import { type ChatState, runningTurn } from './chat-state.ts';

/** Columns before the field. */
const gutter = 2;
/** The most rows of the note under the turns. */
const mostNoteRows = 3;

export function ChatScreen({
  chat,
  moves,
}: {
  readonly chat: Store<ChatState>;
  readonly moves: ChatMoves;
}) {
  useRedrawAfterResize();
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
