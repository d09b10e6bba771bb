import { expect, test } from 'vitest';
import { runTally } from '../../src/agents/run-tally.ts';
import type { AgentEvent } from '../../src/model/event.ts';

const piece = (text: string): AgentEvent => ({ kind: 'message', text, partial: true });
const deeds: readonly AgentEvent[] = [
  { kind: 'tool-call', name: 'search', detail: 'todo' },
  { kind: 'file-read', path: 'a.ts' },
  { kind: 'file-change', path: 'a.ts' },
  { kind: 'command', command: 'ls', exit_code: 0 },
];

test.each(deeds)('what was said before a deed is not part of the answer: $kind', (deed) => {
  const tally = runTally();
  for (const event of [piece('I will look.'), deed, piece('Do '), piece('this.')]) tally.add(event);
  expect(tally.text()).toBe('Do this.');
});

test('what was said before a deed without a word after it is no answer', () => {
  const tally = runTally();
  for (const event of [piece('I will look.'), ...deeds.slice(0, 1)]) tally.add(event);
  expect(tally.text()).toBe('');
});

test('thoughts and warnings do not part an answer', () => {
  const tally = runTally();
  const between: AgentEvent[] = [
    { kind: 'thinking', text: 'Hm.' },
    { kind: 'warning', text: 'slow' },
  ];
  for (const event of [piece('Do '), ...between, piece('this.')]) tally.add(event);
  expect(tally.text()).toBe('Do this.');
});
