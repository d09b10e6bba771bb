import { expect, test } from 'vitest';
import { chatMoves } from '../../../../src/faces/tui/chat/chat-moves.ts';
import type { ChatState } from '../../../../src/faces/tui/chat/chat-state.ts';
import { createStore } from '../../../../src/faces/tui/store.ts';

const never = () => {
  throw new Error('nobody is asked');
};

test('a command that there is not is answered with those that there are', () => {
  const start: ChatState = {
    tool: 'consult',
    who: 'alpha',
    role: 'default',
    session: null,
    turns: [],
    top: null,
    note: null,
    now: 0,
  };
  const chat = createStore(start);
  const ports = { ask: never, whyUnknown: never, undo: never, whyNoRole: never };
  const moves = chatMoves(chat, { ports, end: never, fail: never });
  expect(moves.send('/nope', { copy: never, help: never })).toBe(false);
  expect(chat.get().note).toBe(
    'There is no command /nope; there are /model, /role, /work, /consult, /plan, /copy, /undo and /quit.',
  );
});
