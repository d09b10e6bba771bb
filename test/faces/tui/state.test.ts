import { expect, test } from 'vitest';
import { type Bill, emptyBill } from '../../../src/model/bill.ts';
import type { Event } from '../../../src/model/event.ts';
import {
  type Stage,
  startingState,
  withEvent,
  withStage,
  withTime,
} from '../../../src/faces/tui/screen-state.ts';

const run: Stage = { kind: 'run' };
const asked: Stage = {
  kind: 'clarify',
  question: { round: 1, questions: [], backgrounds: [], goesOn: true },
  answer: () => undefined,
};

const head = { seq: 1, replayed: false } as const;
const counted = (at: number, spent: Partial<Bill>): Event => ({
  ...head,
  type: 'usage.counted',
  at: new Date(at).toISOString(),
  spent: { ...emptyBill, ...spent },
});

test('no clock moves while a person thinks, and that time is counted once', () => {
  const start = startingState(run, 0);
  const begun = { ...start, progress: { ...start.progress, startedAt: 1000 } };
  const working = withTime(withEvent(begun, counted(1000, { since_start_ms: 500 })), 5000);
  expect(working.now).toBe(5000);
  expect(working.clocks.sinceStart).toBe(4500);
  const stopped = withTime(withStage(working, asked), 99_000);
  expect([stopped.now, stopped.clocks.sinceStart]).toEqual([5000, 4500]);
  const spent = { since_start_ms: 4500, waiting_ms: 95_000 };
  const answered = withEvent(stopped, counted(100_000, spent));
  const further = withTime(withTime(withStage(answered, run), 100_000), 101_000);
  expect(further.clocks).toMatchObject({ sinceStart: 5500, waiting: 95_000 });
});

test('the clocks of a resumed session stand until a step runs, and begin where they were', () => {
  const start = startingState(run, 0);
  const begun = { ...start, progress: { ...start.progress, startedAt: 1000 } };
  const before = { since_start_ms: 9000, waiting_ms: 7000 };
  const resumed = withEvent(begun, { ...counted(1000, before), replayed: true });
  expect(withTime(resumed, 60_000).clocks).toMatchObject({ sinceStart: 9000, waiting: 7000 });
  const key = 'round-2/open';
  const at = new Date(60_000).toISOString();
  const live = withEvent(resumed, { ...head, type: 'step.finished', key, at });
  expect(withTime(live, 61_000).clocks).toMatchObject({ sinceStart: 10_000, waiting: 7000 });
});

test('a bill that knows of less time than the clocks show does not set them back', () => {
  const start = startingState(run, 0);
  const begun = { ...start, progress: { ...start.progress, startedAt: 0 } };
  const working = withTime(withEvent(begun, counted(0, {})), 5000);
  const corrected = withEvent(working, counted(5100, { since_start_ms: 4800 }));
  expect(corrected.clocks.sinceStart).toBe(5000);
});
