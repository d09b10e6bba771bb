import { expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { findChangedSolutions } from '../../../src/phases/discussion/round.ts';
import type { RoundAnswer } from '../../../src/phases/discussion/votes.ts';
import { neutralLabels } from '../../../src/phases/discussion/labels.ts';
import { answer, joined, solution } from './make.ts';

const shared = (): RoundAnswer[] => [
  answer('codex', {
    candidates: [solution('codex', 'bucket', { feasibility: 0.9 }), solution('codex', 'gateway')],
  }),
  answer('gemini', {
    candidates: [solution('gemini', 'bucket', { feasibility: 0.7 }), solution('gemini', 'library')],
  }),
];

test('what two vendors propose is one solution with both as its source, and leads', () => {
  const synthesis = joined(shared());
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
      'The vendors google and openai recommend “Token bucket middleware” independently of each other (codex, gemini); judge finds their solutions the same.',
    ],
    disagreements: [],
    resolution:
      'The vendors google and openai agree on “Token bucket middleware”, and nobody opposes it.',
  });
});

test('vendors without a common way disagree, and the user is asked nothing before they have examined it', () => {
  const synthesis = joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
    answer('gemini', { candidates: [solution('gemini', 'gateway')] }),
  ]);
  expect(synthesis.cross_verification.disagreements).toEqual([
    'No two vendors recommend the same: google recommends “Limit at the nginx gateway”; openai recommends “Token bucket middleware”.',
  ]);
  expect(synthesis.clarification_questions).toEqual([]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
});

test('what two vendors list and advise against wins over nothing', () => {
  const doubted = { feasibility: 0.3, summary: 'It should not be built.' };
  const synthesis = joined([
    answer('codex', {
      candidates: [solution('codex', 'bucket'), solution('codex', 'quota', doubted)],
    }),
    answer('gemini', {
      candidates: [solution('gemini', 'gateway'), solution('gemini', 'quota', doubted)],
    }),
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
  expect(synthesis.solutions.map(({ name, source_cli: by }) => [name, ...by])).toEqual([
    ['Limit at the nginx gateway', 'gemini'],
    ['Token bucket middleware', 'codex'],
    ['Monthly quota in the billing service', 'codex'],
  ]);
  expect(synthesis.cross_verification.agreements).toEqual([]);
});

const rival = (feasibility: number) =>
  joined([
    answer('codex', { candidates: [solution('codex', 'bucket', { feasibility: 0.5 })] }),
    answer('gemini', { candidates: [solution('gemini', 'bucket', { feasibility: 0.5 })] }),
    answer('claude', { candidates: [solution('claude', 'gateway', { feasibility })] }),
  ]).solutions.map(({ source_cli: source, rank_score: score }) => [source.length, score]);

test('another vendor behind a solution outweighs nearly half the scale of feasibility', () => {
  expect(rival(0.9)).toEqual([
    [2, 75],
    [1, 71],
  ]);
  expect(rival(1)).toEqual([
    [1, 75],
    [2, 75],
  ]);
});

test('at most three solutions are kept, and the notes name the others and their authors', () => {
  const synthesis = joined([
    answer('codex', { candidates: [solution('codex', 'bucket'), solution('codex', 'gateway')] }),
    answer('gemini', {
      candidates: [
        solution('gemini', 'library'),
        solution('gemini', 'quota', { feasibility: 0.1, risk: 'high' }),
      ],
    }),
  ]);
  expect(synthesis.solutions).toHaveLength(3);
  expect(synthesis.notes).toEqual([
    'Not among the best 3: “Monthly quota in the billing service”, proposed by gemini.',
  ]);
});

test('one vendor alone converges on nothing, and the resolution says so', () => {
  const synthesis = joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
    answer('second', { vendor: 'OpenAI', candidates: [solution('second', 'bucket')] }),
  ]);
  expect(synthesis.convergence).toMatchObject({
    score: 0.5,
    vendors: ['openai'],
    recommendation: 'continue',
  });
  expect(synthesis.cross_verification.agreements).toEqual([]);
  expect(synthesis.cross_verification.resolution).toContain('fewer than two known vendors');
});

test('where only built-in analysts answered, the resolution says so', () => {
  const candidates = [solution('local', 'bucket', { kind: 'analyst' })];
  const synthesis = joined([answer('local', { kind: 'analyst', vendor: null, candidates })]);
  expect(synthesis.cross_verification.resolution).toBe(
    'No model answered, so nothing could be cross-checked; “Token bucket middleware” comes from the built-in analysts.',
  );
});

test('unknown vendors are not distinct, and a note says what that means', () => {
  const synthesis = joined([
    answer('house', { candidates: [solution('house', 'bucket')] }),
    answer('yard', { candidates: [solution('yard', 'bucket')] }),
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0, vendors: [] });
  expect(synthesis.notes).toEqual([
    'The vendor of house, yard is unknown, so agreement with it does not count.',
  ]);
});

test('analysts alone give solutions, but no score', () => {
  const analysts = ['structure', 'history'].map((agent) =>
    answer(agent, {
      kind: 'analyst',
      candidates: [solution(agent, 'bucket', { kind: 'analyst' })],
    }),
  );
  const synthesis = joined(analysts);
  expect(synthesis.solutions[0]?.source_cli).toEqual(['history', 'structure']);
  expect(synthesis.convergence).toMatchObject({ score: 0, recommendation: 'continue' });
  expect(synthesis.cross_verification.agreements).toEqual([]);
});

test('alike questions come once, and four are the most', () => {
  const synthesis = joined([
    answer('gemini', { questions: ['Is Redis allowed?', 'Which limit per minute?', 'g3', 'g4'] }),
    answer('codex', { questions: ['Is redis allowed', 'Shall limits survive a restart?'] }),
  ]);
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
  const first = joined([answer('gemini', { questions })]);
  const second = joined([answer('gemini', { questions })], first);
  expect(second.clarification_questions).toEqual([]);
  expect(second.convergence.recommendation).toBe('continue');
});

test('new search terms come once, whatever their case', () => {
  const first = joined([answer('codex', { searchTerms: ['oldTerm'] })]);
  const second = joined(
    [
      answer('codex', { searchTerms: ['oldTerm', 'alpha', ' rateLimit '] }),
      answer('gemini', { searchTerms: ['RATELIMIT', 'OLDTERM', ''] }),
    ],
    first,
  );
  expect(second.search_terms).toEqual(['RATELIMIT', 'alpha']);
});

const { solutions } = joined([
  answer('codex', { candidates: [solution('codex', 'bucket'), solution('codex', 'quota')] }),
]);
const [first, second] = solutions;
if (first === undefined || second === undefined) throw new Error('two solutions were expected');

test('later a solution is new, revised or dropped by its id', () => {
  const plan = { ...first.implementation_plan, tasks: [] };
  const later = [
    { ...first, rank_score: 0.1, implementation_plan: plan, revised_in: 2 },
    { ...second, id: 'S9', name: 'A third way' },
  ];
  const nothing = { new_solutions: [], revised_solutions: [], dropped_solutions: [] };
  expect(findChangedSolutions(null, { round: 1, solutions })).toEqual(nothing);
  const reworded = solutions.map((one) => ({ ...one, rank_score: 0, summary: 'Z', stances: [] }));
  expect(findChangedSolutions({ solutions }, { round: 2, solutions: reworded })).toEqual(nothing);
  expect(findChangedSolutions({ solutions }, { round: 2, solutions: later })).toEqual({
    new_solutions: ['A third way'],
    revised_solutions: [first.name],
    dropped_solutions: [second.name],
  });
});

test('each solution gets a letter of its own, by chance but the same on every replay', () => {
  const ids = ['S1', 'S2', 'S3'];
  const lettersIn = (session: number) =>
    neutralLabels({ sessionId: `MCP-${session}`, round: 1, ids });
  const labels = lettersIn(0);
  expect([...labels.values()].toSorted()).toEqual(['A', 'B', 'C']);
  expect(neutralLabels({ sessionId: 'MCP-0', round: 1, ids: ids.toReversed() })).toEqual(labels);
  const leading = Array.from({ length: 600 }, (_, session) => lettersIn(session).get('S1'));
  for (const letter of ['A', 'B', 'C']) {
    expect(leading.filter((one) => one === letter).length).toBeGreaterThan(140);
  }
});
