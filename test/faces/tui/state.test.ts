import { expect, test } from 'vitest';
import { type Stage, startingState, withStage, withTime } from '../../../src/faces/tui/state.ts';

const run: Stage = { kind: 'run' };
const asked: Stage = {
  kind: 'clarify',
  question: { round: 1, questions: [], backgrounds: [], goesOn: true },
  answer: () => undefined,
};

test('no clock moves while a person thinks', () => {
  const start = startingState(run, 0);
  const begun = { ...start, progress: { ...start.progress, startedAt: 1000 } };
  const working = withTime(begun, 5000);
  expect(working.now).toBe(5000);
  const thinking = withStage(working, asked);
  const stopped = withTime(thinking, 99_000);
  expect(stopped.now).toBe(5000);
  const further = withTime(withTime(withStage(stopped, run), 100_000), 101_000);
  expect(further.now - further.waited).toBe(6000);
});
