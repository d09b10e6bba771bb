import { expect, test } from 'vitest';
import { SessionState } from '../../src/model/session.ts';
import { sessionStateText } from '../../src/faces/session-words.ts';
import { samplesOf } from '../helpers/samples.ts';

test('a result that was applied although a task is unproven did not fail in a code review that nobody held', () => {
  const state = SessionState.parse(samplesOf('session-state').good[0]);
  const failed = { ...state, status: 'failed', phase: 'code-review' } as const;
  expect(sessionStateText({ ...failed, applied: '3 files merged into main' })).toBe(
    'applied despite faults',
  );
  expect(sessionStateText({ ...failed, applied: null })).toBe('failed in code review');
});
