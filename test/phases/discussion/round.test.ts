import { expect, test } from 'vitest';
import { moveAfterRound } from '../../../src/phases/discussion/round.ts';
import { settlesDispute } from '../../../src/phases/discussion/clarify.ts';
import type { RoundAnswer } from '../../../src/phases/discussion/votes.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

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

const first = () => joined([codex, gemini]);
const labelOf = (name: string) => first().solutions.find((one) => one.name.includes(name))?.label;
const [bucket = '?', nginx = '?'] = [labelOf('bucket'), labelOf('nginx')];
const says = (
  label: string,
  stance: 'support' | 'oppose',
  evidence: ReturnType<typeof checkedClaim>[] = [],
) => ({ label, stance, reasons: ['src/http/app.ts and deploy/nginx.conf: T1.'], evidence });
const examining = (agent: string, own: string, other: string, more: Partial<RoundAnswer> = {}) =>
  answer(agent, { preferred: own, stances: [says(other, 'oppose')], ...more });
const found = (agent: string) => [checkedClaim(agent)];

const moveAfterSecond = (answers: readonly RoundAnswer[]) =>
  moveAfterRound({
    synthesis: joined(answers, first()),
    maxRounds: 3,
    requireConvergence: false,
    models: 2,
  });

test('a third round is held only for what nobody has examined or answered yet', () => {
  const settled = answer('gemini', { preferred: nginx });
  const unsure = answer('codex', { preferred: bucket });
  expect(moveAfterSecond([unsure, settled])).toBe('best-options');
  const revision = solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' });
  const revised = answer('codex', { preferred: bucket, candidates: [revision] });
  expect(moveAfterSecond([revised, settled])).toBe('another-round');
  const objecting = (evidence: ReturnType<typeof checkedClaim>[]) =>
    answer('gemini', { preferred: nginx, stances: [says(bucket, 'oppose', evidence)] });
  expect(moveAfterSecond([unsure, objecting(found('gemini'))])).toBe('another-round');
  expect(moveAfterSecond([unsure, objecting([])])).toBe('best-options');
});

test('a dispute goes to the user once, and a choice ends it where nothing else is said', () => {
  const both = [examining('codex', bucket, nginx), examining('gemini', nginx, bucket)];
  expect(moveAfterSecond(both)).toBe('ask-user');
  const disputed = joined(both, first());
  const [question = ''] = disputed.clarification_questions;
  expect(question).toContain('Does it fit what you want?');
  const said = (answered: string, feedback = '') =>
    settlesDispute({
      answers: [{ question, answer: answered }],
      feedback,
      skipped: false,
      by: 'user',
    });
  expect([said('Yes'), said('No'), said('Only with Redis'), said('Yes', 'Use Redis')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const [labelA = '', labelB = ''] = ['bucket', 'nginx'].map(
    (name) => disputed.solutions.find((one) => one.name.includes(name))?.label,
  );
  const third = joined(
    [examining('codex', labelA, labelB), examining('gemini', labelB, labelA)],
    disputed,
  );
  expect(third.clarification_questions).toEqual([]);
  expect(third.convergence.recommendation).toBe('continue');
});
