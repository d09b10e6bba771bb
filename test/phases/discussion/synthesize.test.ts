import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { type RoundAnswer, synthesize } from '../../../src/phases/discussion/synthesize.ts';
import { checkProposal } from '../../../src/phases/discussion/check-references.ts';
import { repositoryOf } from '../../bench/planted-references.ts';
import { answer, checkedClaim, claim, inputOf, proposed, solution, task } from './make.ts';

const shared = (): RoundAnswer[] => [
  answer('codex', {
    checked: [solution('codex', 'bucket', { feasibility: 0.9 }), solution('codex', 'gateway')],
  }),
  answer('gemini', {
    checked: [solution('gemini', 'bucket', { feasibility: 0.7 }), solution('gemini', 'library')],
  }),
];

const named = (synthesis: Synthesis, part: string) =>
  synthesis.solutions.find(({ name }) => name.includes(part));
const labelOf = (synthesis: Synthesis, part: string) => named(synthesis, part)?.label ?? '?';

describe('round 1', () => {
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
    expect(others.map(({ source_cli: source }) => source)).toEqual([['codex'], ['gemini']]);
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
    const cites = (agent: string) => ({
      checked: ['a.ts', 'a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path, index) =>
        checkedClaim(agent, { path, line: 10 * (index + 1), found_line: 10 * (index + 1) }),
      ),
    });
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
});

describe('joining', () => {
  test('the best supported text is kept whole, and the other’s files and lists are united', () => {
    const weak = solution('codex', 'bucket', {
      name: 'Bucket',
      feasibility: 1,
      pros: ['No new dependency', 'Quick'],
      checked: [checkedClaim('codex', { status: 'failed', found_line: null })],
    });
    const strong = solution('gemini', 'bucket', { pros: ['no new dependency.'] });
    const extra = {
      file: 'test/http/bucket.test.ts',
      line: null,
      action: 'create' as const,
      status: 'planned' as const,
      note: '',
    };
    const [first] = weak.solution.implementation_plan.tasks;
    if (first === undefined) throw new Error('the solution has tasks');
    const more = [
      { ...first, files: [...first.files, { file: '../secret', action: 'modify' as const }] },
      { ...task('T2', [{ file: extra.file, action: 'create' }], ['T1']), name: 'Test refusals' },
    ];
    const plan = { ...weak.solution.implementation_plan, tasks: more };
    const wide = {
      ...weak,
      files: [...weak.files, extra],
      solution: { ...weak.solution, implementation_plan: plan },
    };
    const { solutions } = synthesize(
      inputOf([answer('codex', { checked: [wide] }), answer('gemini', { checked: [strong] })]),
    );
    expect(solutions).toMatchObject([
      {
        name: 'Token bucket middleware',
        pros: ['no new dependency.', 'Quick'],
        implementation_plan: {
          execution_flow: 'T1 → T2 → T3',
          tasks: [
            { id: 'T1', files: [{ file: 'src/http/bucket.ts' }, { file: 'src/http/app.ts' }] },
            { id: 'T2', files: [] },
            { id: 'T3', name: 'Test refusals', depends_on: ['T1'], files: [{ file: extra.file }] },
          ],
        },
      },
    ]);
    expect(solutions[0]?.affected_files.map(({ file }) => file)).toContain(extra.file);
  });

  test('a path out of the repository stays in the marked files, but leaves the tasks', async () => {
    const tasks = [task('T1', [{ file: '../../.bashrc', action: 'modify' }])];
    const plan = { approach: 'Do it.', tasks, execution_flow: 'T1', milestones: [] };
    const checked = await checkProposal({
      repository: repositoryOf([]),
      agent: 'codex',
      solution: proposed({ implementation_plan: plan }),
    });
    const { solutions } = synthesize(inputOf([answer('codex', { checked: [checked] })]));
    expect(solutions[0]?.implementation_plan.tasks[0]?.files).toEqual([]);
    expect(solutions[0]?.affected_files).toMatchObject([
      { file: '../../.bashrc', status: 'failed', note: 'the path leaves the repository' },
    ]);
  });
});

describe('three vendors with planted references', () => {
  const content = [
    ...Array.from({ length: 40 }, (_, index) => `const before${index} = ${index};`),
    'app.use(publicRouter);',
    ...Array.from({ length: 40 }, (_, index) => `const after${index} = ${index};`),
  ].join('\n');
  const repository = repositoryOf([
    { path: 'src/http/app.ts', content },
    { path: 'src/http/other.ts', content: 'export const other = 1;\n' },
  ]);
  const plan = {
    approach: 'Refill tokens over time and answer 429 when the bucket is empty.',
    tasks: [task('T1', [{ file: 'src/http/app.ts', line: 41, action: 'modify' as const }])],
    execution_flow: 'T1',
    milestones: [],
  };
  const right = claim('src/http/app.ts', 41, 'app.use(publicRouter);');
  const answered = async (agent: string, claims: ReturnType<typeof claim>[]) =>
    answer(agent, {
      checked: [
        await checkProposal({
          repository,
          agent,
          solution: proposed({ implementation_plan: plan, claims }),
        }),
      ],
    });

  test('a wrong line and a wrong file fail, a moved line is moved, and failures count', async () => {
    const answers = await Promise.all([
      answered('codex', [right, claim('src/http/app.ts', 12, 'app.use(privateRouter);')]),
      answered('gemini', [right, claim('src/http/other.ts', 41, 'app.use(publicRouter);')]),
      answered('claude', [right, claim('src/http/app.ts', 70, 'app.use(publicRouter);')]),
    ]);
    const synthesis = synthesize(inputOf(answers));
    const [solved] = synthesis.solutions;
    const planted = solved?.claims.filter(({ line, path }) => line !== 41 || path.includes('other'));
    expect(planted?.map(({ agent, status }) => [agent, status]).toSorted()).toEqual([
      ['claude', 'moved'],
      ['codex', 'failed'],
      ['gemini', 'failed'],
    ]);
    expect(solved?.feasibility).toBe(0.64);
    expect(synthesis.convergence.score).toBe(0.8);
    const clean = synthesize(
      inputOf(await Promise.all(['codex', 'gemini', 'claude'].map((who) => answered(who, [right])))),
    );
    expect(clean.solutions[0]?.feasibility).toBe(0.8);
    expect(clean.convergence.score).toBe(1);
  });

  test('an author whose references mostly fail does not count as a supporter', async () => {
    const lies = ['a', 'b', 'c'].map((name) => claim(`src/${name}.ts`, 1, 'const invented = 1;'));
    const answers = await Promise.all([
      answered('codex', [right]),
      answered('gemini', [right]),
      answered('claude', lies),
    ]);
    const { convergence } = synthesize(inputOf(answers));
    expect(convergence.score).toBeLessThanOrEqual(0.667);
    expect(convergence.recommendation).toBe('continue');
  });
});

describe('from round 2 on', () => {
  const apart = () =>
    synthesize(
      inputOf([
        answer('codex', {
          checked: [
            solution('codex', 'bucket', {
              checked: [checkedClaim('codex', { status: 'failed', found_line: null })],
            }),
          ],
        }),
        answer('gemini', { checked: [solution('gemini', 'gateway')] }),
        answer('claude', { checked: [solution('claude', 'library')] }),
      ]),
    );
  const stance = (
    previous: Synthesis,
    part: string,
    kind: 'support' | 'oppose' | 'unsure',
    reasons: readonly string[] = ['It reuses the existing router.'],
  ) => ({ label: labelOf(previous, part), stance: kind, reasons, evidence: [] });

  test('support of all vendors converges, and the solution keeps its id', () => {
    const previous = apart();
    const synthesis = synthesize(
      inputOf(
        [
          answer('codex'),
          answer('gemini', { stances: [stance(previous, 'bucket', 'support')] }),
          answer('claude', { stances: [stance(previous, 'bucket', 'support')] }),
        ],
        previous,
      ),
    );
    expect(synthesis.convergence.recommendation).toBe('converged');
    expect(synthesis.solutions[0]?.id).toBe(named(previous, 'bucket')?.id);
    expect(synthesis.solutions[0]?.stances.map(({ agent }) => agent)).toEqual(['claude', 'gemini']);
    expect(synthesis.cross_verification.agreements).toEqual([
      'anthropic, google and openai support “Token bucket middleware”, and nobody opposes it.',
    ]);
  });

  test('support, opposition and doubt on one solution make a disagreement with its reasons', () => {
    const previous = apart();
    const synthesis = synthesize(
      inputOf(
        [
          answer('codex'),
          answer('gemini', {
            stances: [stance(previous, 'bucket', 'oppose', ['Counters are lost on restart.'])],
          }),
          answer('claude', { stances: [stance(previous, 'bucket', 'unsure')] }),
        ],
        previous,
      ),
    );
    expect(synthesis.cross_verification).toMatchObject({
      agreements: [],
      disagreements: [
        '“Token bucket middleware”: openai supports it; google opposes it (Counters are lost on restart).',
      ],
    });
    expect(synthesis.convergence).toMatchObject({ recommendation: 'continue', new_insights: true });
    expect(synthesis.clarification_questions[0]).toBe(
      'The agents dispute “Token bucket middleware”. Does it fit what you want? One objection: Counters are lost on restart.',
    );
  });

  test('doubt of one vendor keeps two others from being an agreement', () => {
    const previous = apart();
    const { cross_verification: verification } = synthesize(
      inputOf(
        [
          answer('codex'),
          answer('gemini', { stances: [stance(previous, 'bucket', 'support')] }),
          answer('claude', { stances: [stance(previous, 'bucket', 'unsure')] }),
        ],
        previous,
      ),
    );
    expect(verification.agreements).toEqual([]);
    expect(verification.disagreements).toEqual([]);
  });

  test('a revision replaces its author’s text and claims under the same id', () => {
    const previous = apart();
    const before = named(previous, 'bucket');
    const revised = solution('codex', 'bucket', {
      name: 'Token bucket middleware with a store',
      checked: [checkedClaim('codex')],
    });
    const synthesis = synthesize(inputOf([answer('codex', { checked: [revised] })], previous));
    const after = named(synthesis, 'bucket');
    expect(after).toMatchObject({ id: before?.id, name: 'Token bucket middleware with a store' });
    expect(after?.claims).toMatchObject([{ status: 'verified' }]);
    expect(after?.feasibility).toBeGreaterThan(before?.feasibility ?? 1);
    expect(synthesis.solutions).toHaveLength(3);
  });

  test('a revision of a shared solution keeps what the co-author said', () => {
    const previous = synthesize(
      inputOf([
        answer('codex', {
          checked: [solution('codex', 'bucket', { checked: [checkedClaim('codex')] })],
        }),
        answer('gemini', {
          checked: [solution('gemini', 'bucket', { feasibility: 0.4, checked: [checkedClaim('gemini')] })],
        }),
      ]),
    );
    const revised = solution('codex', 'bucket', { name: 'Token bucket, second form', feasibility: 1 });
    const synthesis = synthesize(inputOf([answer('codex', { checked: [revised] })], previous));
    expect(synthesis.solutions).toMatchObject([
      {
        id: 'S1',
        name: 'Token bucket, second form',
        source_cli: ['codex', 'gemini'],
        feasibility: 0.7,
        claims: [{ agent: 'gemini' }],
      },
    ]);
  });

  test('a revision like another agent’s solution joins it', () => {
    const previous = apart();
    const revised = solution('codex', 'gateway');
    const without = { ...previous, solutions: previous.solutions.filter((s) => !s.name.includes('bucket')) };
    const synthesis = synthesize(inputOf([answer('codex', { checked: [revised] })], without));
    expect(named(synthesis, 'gateway')).toMatchObject({
      id: named(previous, 'gateway')?.id,
      source_cli: ['codex', 'gemini'],
    });
  });

  test('a revision like nothing before is a new solution with an id of its round', () => {
    const previous = apart();
    const synthesis = synthesize(
      inputOf(
        [answer('codex', { checked: [solution('codex', 'quota', { feasibility: 1 })] })],
        previous,
      ),
    );
    expect(named(synthesis, 'quota')?.id).toBe('S2.1');
    expect(synthesis.convergence.new_insights).toBe(true);
    expect(synthesis.solutions).toHaveLength(3);
    expect(synthesis.notes).toHaveLength(1);
  });

  test('a stance on a label that nobody was asked about is ignored with a note', () => {
    const previous = apart();
    const stances = [{ label: 'Q', stance: 'oppose' as const, reasons: [], evidence: [] }];
    const synthesis = synthesize(inputOf([answer('codex', { stances })], previous));
    expect(synthesis.solutions.flatMap((one) => one.stances)).toEqual([]);
    expect(synthesis.notes).toEqual([
      'codex took a stance on “Q”, which names no solution; it was ignored.',
    ]);
  });

  test('a stance holds until its agent takes another one', () => {
    const first = apart();
    const second = synthesize(
      inputOf([answer('gemini', { stances: [stance(first, 'bucket', 'oppose')] })], first),
    );
    const third = synthesize(
      inputOf([answer('claude', { stances: [stance(second, 'bucket', 'support')] })], second),
    );
    expect(named(third, 'bucket')?.stances).toMatchObject([
      { agent: 'claude', stance: 'support' },
      { agent: 'gemini', stance: 'oppose' },
    ]);
    expect(third.convergence.recommendation).not.toBe('converged');
    const fourth = synthesize(
      inputOf([answer('gemini', { stances: [stance(third, 'bucket', 'support')] })], third),
    );
    expect(named(fourth, 'bucket')?.stances.map((held) => held.stance)).toEqual([
      'support',
      'support',
    ]);
  });

  test('a round that repeats itself brings no new insight', () => {
    const previous = apart();
    const again = (before: Synthesis) =>
      synthesize(
        inputOf(
          [
            answer('codex', { stances: [stance(before, 'gateway', 'oppose')] }),
            answer('gemini', { stances: [stance(before, 'bucket', 'oppose')] }),
          ],
          before,
        ),
      );
    const second = again(previous);
    expect(second.convergence.new_insights).toBe(true);
    expect(again(second).convergence.new_insights).toBe(false);
  });

  test.each([
    ['a support without evidence', 'support', [], false],
    ['a doubt', 'unsure', [], false],
    ['an opposition', 'oppose', [], true],
    ['a support with new evidence', 'support', [checkedClaim('gemini')], true],
    [
      'a support with failed evidence',
      'support',
      [checkedClaim('gemini', { status: 'failed', found_line: null })],
      false,
    ],
  ] as const)('%s is a new insight: %s, %j, %s', (_, kind, evidence, expected) => {
    const previous = apart();
    const stances = [{ ...stance(previous, 'bucket', kind), evidence }];
    const synthesis = synthesize(inputOf([answer('gemini', { stances })], previous));
    expect(synthesis.convergence.new_insights).toBe(expected);
  });
});

describe('questions and terms', () => {
  test('agents take turns, alike questions come once, and four are the most', () => {
    const synthesis = synthesize(
      inputOf([
        answer('gemini', { questions: ['Is Redis allowed?', 'Which limit per minute?', 'g3', 'g4'] }),
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
});

describe('laws of the synthesis', () => {
  const idea = fc.constantFrom('bucket', 'gateway', 'library', 'quota' as const);
  const told = fc.record({
    idea,
    feasibility: fc.double({ min: 0, max: 1, noNaN: true }),
    effort: fc.constantFrom('low', 'medium', 'high' as const),
    failed: fc.nat({ max: 3 }),
  });
  const round = fc.dictionary(
    fc.constantFrom('codex', 'gemini', 'claude', 'house'),
    fc.uniqueArray(told, { maxLength: 2, selector: (one) => one.idea }),
  );
  const answersOf = (drawn: Record<string, readonly (typeof told extends fc.Arbitrary<infer T> ? T : never)[]>) =>
    Object.entries(drawn).map(([agent, all]) =>
      answer(agent, {
        checked: all.map(({ idea: which, failed, ...parts }) =>
          solution(agent, which, {
            ...parts,
            checked: Array.from({ length: failed }, (_, line) =>
              checkedClaim(agent, { line: line + 1, status: 'failed', found_line: null }),
            ),
          }),
        ),
      }),
    );

  test('the order of the answers makes no difference', () => {
    const shuffled = round.chain((drawn) => {
      const all = answersOf(drawn);
      return fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      );
    });
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        expect(synthesize(inputOf(other))).toEqual(synthesize(inputOf(given)));
      }),
      { numRuns: 100 },
    );
  });

  test('an analyst never makes a round converge or changes its score', () => {
    fc.assert(
      fc.property(round, fc.uniqueArray(idea, { minLength: 1, maxLength: 2 }), (drawn, ideas) => {
        const given = answersOf(drawn);
        const analyst = answer('structure', {
          kind: 'analyst',
          checked: ideas.map((which) => solution('structure', which)),
        });
        const before = synthesize(inputOf(given)).convergence;
        const after = synthesize(inputOf([...given, analyst])).convergence;
        expect([after.score, after.recommendation, after.vendors]).toEqual([
          before.score,
          before.recommendation,
          before.vendors,
        ]);
      }),
      { numRuns: 100 },
    );
  });

  test('every synthesis fits its shape, and the best solution is the one converged on', () => {
    fc.assert(
      fc.property(round, (drawn) => {
        const synthesis = synthesize(inputOf(answersOf(drawn)));
        Synthesis.parse(synthesis);
        const scores = synthesis.solutions.map((one) => one.rank_score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        if (synthesis.convergence.recommendation !== 'converged') return;
        expect(synthesis.solutions[0]?.source_cli.length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 100 },
    );
  });
});
