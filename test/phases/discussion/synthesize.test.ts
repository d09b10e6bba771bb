import { expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { synthesize } from '../../../src/phases/discussion/synthesize.ts';
import type { RoundAnswer } from '../../../src/phases/discussion/support.ts';
import { answer, checkedClaim, inputOf, solution } from './make.ts';

const shared = (): RoundAnswer[] => [
  answer('codex', {
    checked: [solution('codex', 'bucket', { feasibility: 0.9 }), solution('codex', 'gateway')],
  }),
  answer('gemini', {
    checked: [solution('gemini', 'bucket', { feasibility: 0.7 }), solution('gemini', 'library')],
  }),
];

const cites = (agent: string) => ({
  checked: ['a.ts', 'a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path, index) =>
    checkedClaim(agent, { path, line: 10 * (index + 1), found_line: 10 * (index + 1) }),
  ),
});

test('what two vendors propose is one solution with both as its source, and leads', () => {
  const synthesis = synthesize(inputOf(shared()));
  expect(Synthesis.parse(synthesis)).toEqual(synthesis);
  const [first, ...others] = synthesis.solutions;
  expect(first).toMatchObject({
    id: 'S1',
    source_cli: ['codex', 'gemini'],
    feasibility: 0.8,
    effort: 'medium',
    risk: 'low',
  });
  // Equal in every value, so by name: “Adopt a package…” before “Limit at the…”.
  expect(others.map(({ source_cli: source }) => source)).toEqual([['gemini'], ['codex']]);
  expect(synthesis.convergence).toMatchObject({ score: 1, recommendation: 'converged' });
  expect(synthesis.cross_verification).toEqual({
    agreements: [
      'google and openai propose “Token bucket middleware” independently of each other (codex, gemini).',
    ],
    disagreements: [],
    resolution: 'google and openai agree on “Token bucket middleware”, and nobody opposes it.',
  });
});

test('vendors without a common way disagree, and the user is offered the choice', () => {
  const synthesis = synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'bucket')] }),
      answer('gemini', { checked: [solution('gemini', 'gateway')] }),
    ]),
  );
  expect(synthesis.cross_verification.disagreements).toEqual([
    'No two vendors propose the same: google proposes “Limit at the nginx gateway”; openai proposes “Token bucket middleware”.',
  ]);
  expect(synthesis.clarification_questions).toEqual([
    'Which way fits better what you want: “Limit at the nginx gateway” or “Token bucket middleware”?',
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
});

const rival = (feasibility: number) =>
  synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'bucket', { feasibility: 0.4 })] }),
      answer('gemini', { checked: [solution('gemini', 'bucket', { feasibility: 0.4 })] }),
      answer('claude', { checked: [solution('claude', 'gateway', { feasibility })] }),
    ]),
  ).solutions.map(({ source_cli: source, rank_score: score }) => [source.length, score]);

test('another vendor behind a solution outweighs nearly half the scale of feasibility', () => {
  expect(rival(0.8)).toEqual([
    [2, 71],
    [1, 67],
  ]);
  expect(rival(1)).toEqual([
    [1, 75],
    [2, 71],
  ]);
});

test('at most three solutions are kept, and the notes name the others and their authors', () => {
  const synthesis = synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'bucket'), solution('codex', 'gateway')] }),
      answer('gemini', {
        checked: [
          solution('gemini', 'library'),
          solution('gemini', 'quota', { feasibility: 0.1, risk: 'high' }),
        ],
      }),
    ]),
  );
  expect(synthesis.solutions).toHaveLength(3);
  expect(synthesis.notes).toEqual([
    'Not among the best 3: “Monthly quota in the billing service”, proposed by gemini.',
  ]);
});

test('effort that is low for one author and high for another is a disagreement', () => {
  const synthesis = synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'bucket', { effort: 'low' })] }),
      answer('gemini', { checked: [solution('gemini', 'bucket', { effort: 'high' })] }),
    ]),
  );
  expect(synthesis.cross_verification.disagreements).toEqual([
    'The effort of “Token bucket middleware” is low for codex and high for gemini.',
  ]);
});

test('places that two vendors cite are named, but one for a file and three at most', () => {
  const { agreements } = synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'gateway', cites('codex'))] }),
      answer('gemini', { checked: [solution('gemini', 'bucket', cites('gemini'))] }),
    ]),
  ).cross_verification;
  expect(agreements).toEqual([
    'google and openai cite a.ts:10: “app.use(router)”.',
    'google and openai cite b.ts:30: “app.use(router)”.',
    'google and openai cite c.ts:40: “app.use(router)”.',
  ]);
});

test('one vendor alone converges on nothing, and the resolution says so', () => {
  const synthesis = synthesize(
    inputOf([
      answer('codex', { checked: [solution('codex', 'bucket')] }),
      answer('second', { vendor: 'OpenAI', checked: [solution('second', 'bucket')] }),
    ]),
  );
  expect(synthesis.convergence).toMatchObject({
    score: 0.5,
    vendors: ['openai'],
    recommendation: 'continue',
  });
  expect(synthesis.cross_verification.agreements).toEqual([]);
  expect(synthesis.cross_verification.resolution).toContain('fewer than two known vendors');
});

test('unknown vendors are not distinct, and a note says what that means', () => {
  const synthesis = synthesize(
    inputOf([
      answer('house', { checked: [solution('house', 'bucket')] }),
      answer('yard', { checked: [solution('yard', 'bucket')] }),
    ]),
  );
  expect(synthesis.convergence).toMatchObject({ score: 0.5, vendors: [] });
  expect(synthesis.notes).toEqual([
    'The vendor of house, yard is unknown, so agreement with it does not count.',
  ]);
});

test('analysts alone give solutions, but no score', () => {
  const analysts = ['structure', 'history'].map((agent) =>
    answer(agent, { kind: 'analyst', checked: [solution(agent, 'bucket')] }),
  );
  const synthesis = synthesize(inputOf(analysts));
  expect(synthesis.solutions[0]?.source_cli).toEqual(['history', 'structure']);
  expect(synthesis.convergence).toMatchObject({ score: 0, recommendation: 'continue' });
  expect(synthesis.cross_verification.resolution).toContain('built-in analysts');
  expect(synthesis.cross_verification.agreements).toEqual([]);
});

test('an analyst joins a solution of models, but neither writes its text nor converges it', () => {
  const wordy = solution('structure', 'bucket', { name: 'Ranked files', feasibility: 1 });
  const lonely = [
    answer('codex', { checked: [solution('codex', 'bucket', { feasibility: 0.6 })] }),
    answer('structure', { kind: 'analyst', checked: [wordy] }),
  ];
  const synthesis = synthesize(inputOf(lonely));
  expect(synthesis.solutions).toMatchObject([
    { name: 'Token bucket middleware', source_cli: ['codex', 'structure'], feasibility: 0.8 },
  ]);
  expect(synthesis.convergence.recommendation).toBe('continue');
});

test('no answer at all makes an empty synthesis', () => {
  const synthesis = synthesize(inputOf([]));
  expect(Synthesis.parse(synthesis)).toMatchObject({
    solutions: [],
    convergence: { score: 0, new_insights: false },
    cross_verification: { resolution: 'No solution was proposed.' },
  });
});
