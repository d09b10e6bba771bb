import { expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { changedSolutions } from '../../../src/phases/discussion/round-changes.ts';
import type { RoundAnswer } from '../../../src/phases/discussion/support.ts';
import { neutralLabels } from '../../../src/phases/discussion/synthesize.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

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
      'google and openai recommend “Token bucket middleware” independently of each other (codex, gemini).',
    ],
    disagreements: [],
    resolution: 'google and openai agree on “Token bucket middleware”, and nobody opposes it.',
  });
});

test('vendors without a common way disagree, and the user is offered the choice', () => {
  const synthesis = joined([
    answer('codex', { checked: [solution('codex', 'bucket')] }),
    answer('gemini', { checked: [solution('gemini', 'gateway')] }),
  ]);
  expect(synthesis.cross_verification.disagreements).toEqual([
    'No two vendors recommend the same: google recommends “Limit at the nginx gateway”; openai recommends “Token bucket middleware”.',
  ]);
  expect(synthesis.clarification_questions).toEqual([
    'Which better fits what you want: “Limit at the nginx gateway” or “Token bucket middleware”?',
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
});

test('what two vendors list and advise against wins over nothing', () => {
  const doubted = { feasibility: 0.3, summary: 'It should not be built.' };
  const synthesis = joined([
    answer('codex', {
      checked: [solution('codex', 'bucket'), solution('codex', 'quota', doubted)],
    }),
    answer('gemini', {
      checked: [solution('gemini', 'gateway'), solution('gemini', 'quota', doubted)],
    }),
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
  expect(synthesis.solutions.map(({ name, source_cli: by }) => [name, ...by])).toEqual([
    ['Limit at the nginx gateway', 'gemini'],
    ['Token bucket middleware', 'codex'],
    ['Monthly quota in the billing service', 'codex', 'gemini'],
  ]);
  expect(synthesis.cross_verification.agreements).toEqual([]);
});

const rival = (feasibility: number) =>
  joined([
    answer('codex', { checked: [solution('codex', 'bucket', { feasibility: 0.5 })] }),
    answer('gemini', { checked: [solution('gemini', 'bucket', { feasibility: 0.5 })] }),
    answer('claude', { checked: [solution('claude', 'gateway', { feasibility })] }),
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
    answer('codex', { checked: [solution('codex', 'bucket'), solution('codex', 'gateway')] }),
    answer('gemini', {
      checked: [
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

test('what somebody would build is kept beside the best three', () => {
  const ideas = ['bucket', 'gateway', 'library', 'quota'] as const;
  const { solutions } = joined(
    ideas.map((idea, index) => {
      const agent = `agent-${index}`;
      return answer(agent, { vendor: agent, checked: [solution(agent, idea)] });
    }),
  );
  expect(solutions.map(({ preferred_by: by }) => by?.length)).toEqual([1, 1, 1, 1]);
});

test('effort that is low for one author and high for another is a disagreement', () => {
  const synthesis = joined([
    answer('codex', { checked: [solution('codex', 'bucket', { effort: 'low' })] }),
    answer('gemini', { checked: [solution('gemini', 'bucket', { effort: 'high' })] }),
  ]);
  expect(synthesis.cross_verification.disagreements).toEqual([
    'The effort of “Token bucket middleware” is low for codex and high for gemini.',
  ]);
});

test('places that two vendors cite are named, but one for a file and three at most', () => {
  const { agreements } = joined([
    answer('codex', { checked: [solution('codex', 'gateway', cites('codex'))] }),
    answer('gemini', { checked: [solution('gemini', 'bucket', cites('gemini'))] }),
  ]).cross_verification;
  expect(agreements).toEqual([
    'google and openai cite a.ts:10: “app.use(router)”.',
    'google and openai cite b.ts:30: “app.use(router)”.',
    'google and openai cite c.ts:40: “app.use(router)”.',
  ]);
});

test('one vendor alone converges on nothing, and the resolution says so', () => {
  const synthesis = joined([
    answer('codex', { checked: [solution('codex', 'bucket')] }),
    answer('second', { vendor: 'OpenAI', checked: [solution('second', 'bucket')] }),
  ]);
  expect(synthesis.convergence).toMatchObject({
    score: 0.5,
    vendors: ['openai'],
    recommendation: 'continue',
  });
  expect(synthesis.cross_verification.agreements).toEqual([]);
  expect(synthesis.cross_verification.resolution).toContain('fewer than two known vendors');
});

test('unknown vendors are not distinct, and a note says what that means', () => {
  const synthesis = joined([
    answer('house', { checked: [solution('house', 'bucket')] }),
    answer('yard', { checked: [solution('yard', 'bucket')] }),
  ]);
  expect(synthesis.convergence).toMatchObject({ score: 0.5, vendors: [] });
  expect(synthesis.notes).toEqual([
    'The vendor of house, yard is unknown, so agreement with it does not count.',
  ]);
});

test('analysts alone give solutions, but no score', () => {
  const analysts = ['structure', 'history'].map((agent) =>
    answer(agent, { kind: 'analyst', checked: [solution(agent, 'bucket')] }),
  );
  const synthesis = joined(analysts);
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
  const synthesis = joined(lonely);
  expect(synthesis.solutions).toMatchObject([
    { name: 'Token bucket middleware', source_cli: ['codex', 'structure'], feasibility: 0.8 },
  ]);
  expect(synthesis.convergence.recommendation).toBe('continue');
});

test('no answer at all makes an empty synthesis', () => {
  const synthesis = joined([]);
  expect(Synthesis.parse(synthesis)).toMatchObject({
    solutions: [],
    convergence: { score: 0, new_insights: false },
    cross_verification: { resolution: 'No solution was proposed.' },
  });
});

test('agents take turns, alike questions come once, and four are the most', () => {
  const synthesis = joined([
    answer('gemini', {
      questions: ['Is Redis allowed?', 'Which limit per minute?', 'g3', 'g4'],
    }),
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

test('new search terms are united, those wanted by most agents first', () => {
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
  answer('codex', { checked: [solution('codex', 'bucket'), solution('codex', 'quota')] }),
]);
const [first, second] = solutions;
if (first === undefined || second === undefined) throw new Error('two solutions were expected');

test('in a first round nothing is new', () => {
  expect(changedSolutions(null, { solutions })).toEqual({
    new_solutions: [],
    revised_solutions: [],
    dropped_solutions: [],
  });
});

test('later a solution is new, revised or dropped by its id', () => {
  const plan = { ...first.implementation_plan, approach: 'Refill by a timer.' };
  const later = [
    { ...first, rank_score: 0.1, implementation_plan: plan },
    { ...second, id: 'S9', name: 'A third way' },
  ];
  expect(changedSolutions({ solutions }, { solutions: later })).toEqual({
    new_solutions: ['A third way'],
    revised_solutions: [first.name],
    dropped_solutions: [second.name],
  });
});

test('another rank or stance alone is no revision', () => {
  const later = solutions.map((one) => ({ ...one, rank_score: 0, label: 'Z', stances: [] }));
  expect(changedSolutions({ solutions }, { solutions: later }).revised_solutions).toEqual([]);
});

const ids = ['S1', 'S2', 'S3'];

test('every solution gets a letter of its own, the same on every replay', () => {
  const labels = neutralLabels({ sessionId: 'MCP-a', round: 1, ids });
  expect([...labels.values()].toSorted()).toEqual(['A', 'B', 'C']);
  expect([...labels.keys()].toSorted()).toEqual(ids);
  expect(neutralLabels({ sessionId: 'MCP-a', round: 1, ids: ids.toReversed() })).toEqual(labels);
});

test('the leading solution has each letter about as often', () => {
  const counts = new Map<string, number>();
  for (let session = 0; session < 600; session += 1) {
    const label = neutralLabels({ sessionId: `MCP-${session}`, round: 1, ids }).get('S1') ?? '';
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  for (const letter of ['A', 'B', 'C']) expect(counts.get(letter)).toBeGreaterThan(140);
});

test('the letters change from round to round', () => {
  const letters = Array.from({ length: 12 }, (_, round) =>
    neutralLabels({ sessionId: 'MCP-a', round: round + 1, ids }).get('S1'),
  );
  expect(new Set(letters).size).toBeGreaterThan(1);
});
