import { expect, test } from 'vitest';
import { synthesize } from '../../../src/phases/discussion/synthesize.ts';
import { answer, inputOf } from './make.ts';

test('agents take turns, alike questions come once, and four are the most', () => {
  const synthesis = synthesize(
    inputOf([
      answer('gemini', {
        questions: ['Is Redis allowed?', 'Which limit per minute?', 'g3', 'g4'],
      }),
      answer('codex', { questions: ['Is redis allowed', 'Shall limits survive a restart?'] }),
    ]),
  );
  expect(synthesis.clarification_questions).toEqual([
    'Is redis allowed',
    'Shall limits survive a restart?',
    'Which limit per minute?',
    'g3',
  ]);
  expect(synthesis.convergence.recommendation).toBe('user_input_needed');
});

test('a question that was asked before is not asked again', () => {
  const questions = ['Is Redis allowed?'];
  const first = synthesize(inputOf([answer('gemini', { questions })]));
  const second = synthesize(inputOf([answer('gemini', { questions })], first));
  expect(second.clarification_questions).toEqual([]);
  expect(second.convergence.recommendation).toBe('continue');
});

test('new search terms are united, those wanted by most agents first', () => {
  const first = synthesize(inputOf([answer('codex', { searchTerms: ['oldTerm'] })]));
  const second = synthesize(
    inputOf(
      [
        answer('codex', { searchTerms: ['oldTerm', 'alpha', ' rateLimit '] }),
        answer('gemini', { searchTerms: ['RATELIMIT', 'OLDTERM', ''] }),
      ],
      first,
    ),
  );
  expect(second.search_terms).toEqual(['RATELIMIT', 'alpha']);
});
