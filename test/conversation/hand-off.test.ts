import { expect, test } from 'vitest';
import { handOffText } from '../../src/conversation/hand-on.ts';
import { tokensOf } from '../../src/model/text-size.ts';
import type { HistoryTurn } from '../../src/store/history.ts';

function turnOf(number: number, more: Partial<HistoryTurn> = {}): HistoryTurn {
  const facts = JSON.stringify({ model: 'm-1', files_changed: [`file${number}.ts`] });
  const text = { question: `question ${number}\nmore of it`, answer: `answer ${number}\nand more` };
  const rest = { tool: 'work', state: 'answered', started_at: '', facts } as const;
  return { number, agent: 'claude', ...text, ...rest, ...more };
}

const tenTurns = Array.from({ length: 10 }, (_, index) => turnOf(index + 1));
const all = { after: 0, tokens: 10_000 };

test('every turn since the last known one is handed on once, in order', () => {
  const text = handOffText(tenTurns, { ...all, after: 7 });
  expect(text.match(/question \d+/g)).toEqual(['question 8', 'question 9', 'question 10']);
  expect(text).toContain('## Turn 10: claude (m-1)\nanswer 10\nand more');
});

test('without room, the newest are whole, and of older ones the first lines and the files stay', () => {
  const text = handOffText(tenTurns, { ...all, tokens: 60 });
  expect(text).toContain('answer 10\nand more');
  expect(text).toContain('## Turn 1: the user (shortened)\nquestion 1\n');
  expect(text).toContain('answer 1\nFiles changed: file1.ts');
  expect(text).not.toContain('answer 1\nand more');
});

test('a turn that fits after one that did not is shortened, too, so that nothing seems missing', () => {
  const turns = [turnOf(1), turnOf(2, { answer: 'word '.repeat(3000) }), turnOf(3)];
  const text = handOffText(turns, { ...all, tokens: 100 });
  expect(text.match(/\(shortened\)/g)).toHaveLength(2);
});

test('a turn that failed or was broken off says so, and an open one is left out', () => {
  const turns = [
    turnOf(1, { state: 'failed', answer: 'half' }),
    turnOf(2, { state: 'broken-off', answer: '', facts: '{"mark":"7."}' }),
    turnOf(3, { state: 'started' }),
  ];
  const text = handOffText(turns, all);
  expect(text).toContain('## Turn 1: claude (m-1), which failed before it was complete\nhalf');
  expect(text).toContain('## Turn 2: claude, which was broken off\n(nothing)');
  expect(text).not.toContain('Turn 3');
});

test('a first line without end is cut', () => {
  const turns = [turnOf(1, { answer: 'x'.repeat(100_000) }), turnOf(2)];
  expect(handOffText(turns, { ...all, tokens: 100 }).length).toBeLessThan(700);
});

test('of a conversation without end the newest gists are handed on, and how many turns are left out', () => {
  const turns = Array.from({ length: 10_000 }, (_, index) => turnOf(index + 1));
  const text = handOffText(turns, { ...all, tokens: 1000 });
  expect(tokensOf(text)).toBeLessThan(9_500);
  const numbers = Array.from(text.matchAll(/## Turn (\d+): the user/g), ([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(turns.slice(-numbers.length).map(({ number }) => number));
  const left = turns.length - numbers.length;
  expect(text.startsWith(`[The oldest turns are left out for lack of room: ${left}.]`)).toBe(true);
});
