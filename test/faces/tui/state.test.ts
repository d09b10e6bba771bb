import { expect, test } from 'vitest';
import { type Stage, startingState, withStage, withTime } from '../../../src/faces/tui/state.ts';

const run: Stage = { kind: 'run' };
const asked: Stage = {
  kind: 'clarify',
  question: { round: 1, questions: [], backgrounds: [] },
  answer: () => undefined,
};

test('the clock of the session stops while a person thinks', () => {
  const start = startingState(run, 0);
  const begun = { ...start, progress: { ...start.progress, startedAt: 1000 } };
  const clock = ({ now, waited }: typeof start) => now - waited - 1000;
  const working = withTime(begun, 5000);
  expect(clock(working)).toBe(4000);
  const thinking = withTime(withTime(withStage(working, asked), 6000), 99_000);
  expect(clock(thinking)).toBe(4000);
  const further = withTime(withTime(withStage(thinking, run), 100_000), 101_000);
  expect(clock(further)).toBe(5000);
});
