import { expect, test } from 'vitest';
import { moveAfterRound } from '../../../src/phases/discussion/round.ts';
import { answer, joined, solution } from './make.ts';

const codex = answer('codex', { candidates: [solution('codex', 'bucket')] });
const gemini = answer('gemini', { candidates: [solution('gemini', 'gateway')] });
const second = answer('second', { ...gemini, agent: 'second', vendor: 'openai' });
const agreeing = answer('gemini', { candidates: [solution('gemini', 'bucket')] });
const asking = answer('codex', { ...codex, questions: ['Is Redis allowed?'] });

const moveAfter = (
  answers: Parameters<typeof joined>[0],
  limits: { readonly maxRounds?: number; readonly requireConvergence?: boolean } = {},
) =>
  moveAfterRound({
    synthesis: joined(answers),
    maxRounds: 3,
    requireConvergence: false,
    models: answers.length,
    ...limits,
  });

test('vendors that recommend different solutions examine them before the discussion ends', () => {
  expect(moveAfter([codex, gemini])).toBe('another-round');
  expect(moveAfter([codex, agreeing])).toBe('converged');
  expect(moveAfter([codex, gemini], { maxRounds: 1 })).toBe('best-options');
});

test('one vendor alone is not asked again by itself, however many agents it has', () => {
  expect(moveAfter([codex])).toBe('best-options');
  expect(moveAfter([codex, second])).toBe('best-options');
  expect(moveAfter([codex], { requireConvergence: true })).toBe('not-converged');
});

test('questions go to the user, whoever asks', () => {
  expect(moveAfter([asking, gemini])).toBe('ask-user');
  expect(moveAfter([asking])).toBe('ask-user');
  // After the last round too, unless the options ask the same already.
  expect(moveAfter([asking, gemini], { maxRounds: 1 })).toBe('ask-at-end');
  const strict = { maxRounds: 1, requireConvergence: true };
  expect(moveAfter([asking, gemini], strict)).toBe('not-converged');
});
