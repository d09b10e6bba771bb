import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SolutionTask } from '../../../src/model/proposal.ts';
import type { Synthesis } from '../../../src/model/synthesis.ts';
import { buildContextPackage } from '../../../src/phases/planning/planning-input.ts';
import type { Candidate } from '../../../src/phases/discussion/candidate.ts';
import { neutralView } from '../../../src/phases/discussion/round-questions.ts';
import { collectAssumptions } from '../../../src/phases/discussion/remarks.ts';
import { codebaseContext } from '../../helpers/codebase-context.ts';
import { type Idea, answer, checkedClaim, joined, solution } from './make.ts';

const first = () =>
  joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
    answer('gemini', { candidates: [solution('gemini', 'gateway')] }),
  ]);
const labelOf = (synthesis: Synthesis, part: string) =>
  synthesis.solutions.find(({ name }) => name.includes(part))?.label ?? '?';
const idOf = (synthesis: Synthesis, part: string) =>
  synthesis.solutions.find(({ name }) => name.includes(part))?.id ?? '?';

type Kind = 'support' | 'oppose' | 'unsure';
const stance = (
  previous: Synthesis,
  part: string,
  kind: Kind,
  more: {
    readonly reasons?: readonly string[];
    readonly changes?: string[];
    readonly evidence?: ReturnType<typeof checkedClaim>[];
  } = {},
) => ({
  label: labelOf(previous, part),
  stance: kind,
  reasons: [...(more.reasons ?? [])],
  evidence: more.evidence ?? [],
  ...(more.changes === undefined ? {} : { changes: more.changes }),
});

const packageOf = (synthesis: Synthesis, part: string) =>
  buildContextPackage(
    {
      number: 1,
      task: 'Limit the rate',
      codebase: codebaseContext(),
      synthesis,
      decision: {
        kind: 'approve',
        solution: 1 + synthesis.solutions.findIndex(({ name }) => name.includes(part)),
        execution_method: 'Agent',
        code_review_tool: 'Skip',
        constraints: [],
        by: 'auto',
      },
      constraints: [],
      feedback: [],
      answers: [],
      uncertainty: null,
      proofs: null,
      planners: [],
      planner: null,
    },
    'MCP-x',
  );

const loses = 'bucket.ts loses its counters on restart (src/http/app.ts:12).';

test('objections, notes and changes keep an id, their evidence and who said them', () => {
  const previous = first();
  const second = joined(
    [
      answer('claude', {
        stances: [
          stance(previous, 'bucket', 'oppose', {
            reasons: [loses],
            evidence: [checkedClaim('claude')],
          }),
          stance(previous, 'nginx', 'support', {
            reasons: ['deploy/nginx.conf is reloaded by the container already.', 'LGTM'],
            changes: ['Return 429 instead of 503.'],
          }),
        ],
      }),
    ],
    previous,
  );
  expect(second.remarks).toMatchObject([
    {
      id: 'O1',
      kind: 'objection',
      solution: idOf(previous, 'bucket'),
      text: loses,
      agents: ['claude'],
      round: 2,
      state: 'open',
      evidence: [{ path: 'src/http/app.ts', status: 'verified' }],
    },
    { id: 'O2', kind: 'change', text: 'Return 429 instead of 503.' },
    { id: 'O3', kind: 'note' },
  ]);
  expect(second.remarks).toHaveLength(3);
});

test('an objection in the same words of another agent is the same one', () => {
  const previous = first();
  const held = stance(previous, 'bucket', 'oppose', { reasons: [loses] });
  const second = joined(
    [answer('claude', { stances: [held] }), answer('gemini', { stances: [held] })],
    previous,
  );
  expect(second.remarks).toMatchObject([{ id: 'O1', agents: ['claude', 'gemini'] }]);
});

test('of two remarks of which one has each sentence of the other, the longer one stays', () => {
  const previous = first();
  const says = (agent: string, reason: string) =>
    answer(agent, { stances: [stance(previous, 'bucket', 'oppose', { reasons: [reason] })] });
  const whole = 'bucket.ts loses its counters on restart (src/http/app.ts:12). Keep them in Redis.';
  const of = (...reasons: readonly [string, string, string]) =>
    joined(
      [says('claude', reasons[0]), says('codex', reasons[1]), says('gemini', reasons[2])],
      previous,
    ).remarks;
  const part = 'Bucket.ts loses its counters on restart';
  expect(of(whole, '…', part)).toMatchObject([{ agents: ['claude', 'gemini'] }, { text: '…' }]);
  const negated = 'It is not so that bucket.ts loses its counters on restart.';
  for (const remarks of [of(part, whole, negated), of(whole, part, negated)]) {
    expect(remarks).toMatchObject([
      { id: 'O1', text: whole, agents: ['claude', 'codex'] },
      { id: 'O2', text: negated, agents: ['gemini'] },
    ]);
  }
});

test('what a revision answers is asked about in the next round, and met when its author says so', () => {
  const previous = first();
  const revised = solution('codex', 'bucket', {
    summary: 'Keep the counters of each key in Redis.',
  });
  const second = joined(
    [
      answer('codex', { candidates: [revised], preferred: labelOf(previous, 'bucket') }),
      answer('gemini', { stances: [stance(previous, 'bucket', 'oppose', { reasons: [loses] })] }),
    ],
    previous,
  );
  expect(second.remarks).toMatchObject([{ id: 'O1', state: 'revised' }]);
  const view = neutralView(second, 'codex').solutions.find(({ name }) => name.includes('bucket'));
  expect(view?.remarks).toMatchObject([{ id: 'O1', state: 'revised', text: loses }]);
  const third = (kind: Kind, reasons: readonly string[], verdict?: 'holds' | 'met' | 'wrong') =>
    joined(
      [
        answer('codex', { preferred: labelOf(second, 'bucket') }),
        answer('gemini', {
          stances: [stance(second, 'bucket', kind, { reasons })],
          verdicts: verdict === undefined ? [] : [{ id: 'O1', verdict, why: 'I read bucket.ts.' }],
        }),
      ],
      second,
    );
  const good = ['src/http/bucket.ts keeps them in Redis now.'];
  const met = third('support', good, 'met');
  expect(met.remarks).toMatchObject([
    { id: 'O1', state: 'met', replies: [{ agent: 'gemini', verdict: 'met' }] },
    { kind: 'note' },
  ]);
  expect(met.convergence.recommendation).toBe('converged');
  expect(met.cross_verification.resolution).toContain(
    'Objection O1 of gemini in round 2: met by a revision.',
  );
  const unsaid = third('support', good);
  expect(unsaid.remarks).toMatchObject([{ id: 'O1', state: 'revised' }, { kind: 'note' }]);
  expect(unsaid.cross_verification.resolution).toContain(
    'Objection O1 of gemini in round 2: the solution was revised since.',
  );
  expect(third('support', good, 'holds').remarks).toMatchObject([{ state: 'open' }, {}]);
  expect(third('support', good, 'wrong').remarks).toMatchObject([{ state: 'withdrawn' }, {}]);
  expect(third('oppose', [loses]).remarks).toMatchObject([{ id: 'O1', state: 'open' }]);
});

const opposing = (agent: string, previous: Synthesis, reasons: string[]) =>
  answer(agent, { stances: [stance(previous, 'bucket', 'oppose', { reasons })] });

test('an objection that is said again by its id stays one, is open, and counts as a vote', () => {
  const previous = first();
  const revised = solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' });
  const second = joined(
    [
      answer('codex', { candidates: [revised], preferred: labelOf(previous, 'bucket') }),
      opposing('gemini', previous, [loses]),
    ],
    previous,
  );
  const third = joined(
    [
      answer('codex', { preferred: labelOf(second, 'bucket') }),
      opposing('gemini', second, ['O1 still stands: Redis is flushed, too.']),
      opposing('claude', second, ['**O1** holds.', 'O9 still stands.']),
    ],
    second,
  );
  expect(third.remarks).toMatchObject([
    {
      id: 'O1',
      text: loses,
      state: 'open',
      agents: ['claude', 'gemini'],
      replies: [
        { agent: 'claude', verdict: 'holds', why: '' },
        { agent: 'gemini', verdict: 'holds', why: 'Redis is flushed, too.' },
      ],
    },
    { id: 'O2', text: 'O9 still stands.', agents: ['claude'] },
  ]);
  const stances = third.solutions.find(({ id }) => id === idOf(second, 'bucket'))?.stances ?? [];
  expect(stances.map(({ agent, reason }) => [agent, reason])).toEqual([
    ['claude', null],
    ['gemini', null],
  ]);
});

test('an objection is not met while its author asks for something in other words', () => {
  const previous = first();
  const revised = solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' });
  const second = joined(
    [
      answer('codex', { candidates: [revised], preferred: labelOf(previous, 'bucket') }),
      answer('gemini', { stances: [stance(previous, 'bucket', 'oppose', { reasons: [loses] })] }),
    ],
    previous,
  );
  const asks = stance(second, 'bucket', 'support', {
    reasons: ['src/http/bucket.ts is the right place.'],
    changes: ['Keep what was counted over a restart.'],
  });
  const third = joined([answer('gemini', { stances: [asks] })], second);
  expect(third.remarks[0]).toMatchObject({ id: 'O1', state: 'revised' });
});

test('evidence stands with the text that cites its line, and never with a wish by default', () => {
  const previous = first();
  const cited = checkedClaim('gemini');
  const other = checkedClaim('gemini', { path: 'src/router.ts', line: 3, found_line: 3 });
  const held = stance(previous, 'bucket', 'support', {
    reasons: ['The router is mounted once (src/http/app.ts:12).', 'Nothing else counts requests.'],
    changes: ['Document the header in docs/limits.md.'],
    evidence: [cited, other],
  });
  const { remarks } = joined([answer('gemini', { stances: [held] })], previous);
  expect(remarks.map(({ kind, evidence }) => [kind, evidence.map(({ path }) => path)])).toEqual([
    ['change', []],
    ['note', ['src/http/app.ts', 'src/router.ts']],
    ['note', []],
  ]);
});

test('a text cites a line by the name of its file and by a range of lines, too', () => {
  const previous = first();
  const claim = checkedClaim('gemini', { path: 'src/http/app.ts', line: 12, found_line: 12 });
  const changes = ['Say it in app.ts:12.', 'Move app.ts:10-14.', 'Keep app.ts:120 and xapp.ts:12.'];
  const reasons = ['The router is mounted once.'];
  const held = stance(previous, 'bucket', 'support', { reasons, changes, evidence: [claim] });
  const { remarks } = joined([answer('gemini', { stances: [held] })], previous);
  expect(remarks.map(({ evidence }) => evidence.length)).toEqual([1, 1, 0, 0]);
});

test('a part that two adopt with the same evidence is one, in the words of both', () => {
  const previous = first();
  const adopting = (agent: string, part: string) =>
    answer(agent, {
      adopted: [{ label: labelOf(previous, 'nginx'), part, evidence: [checkedClaim(agent)] }],
    });
  const { remarks } = joined(
    [adopting('codex', 'Refuse a plain string.'), adopting('claude', 'Check the type first.')],
    previous,
  );
  expect(remarks).toMatchObject([
    {
      text: 'Check the type first. (Also put so: Refuse a plain string.)',
      agents: ['claude', 'codex'],
    },
  ]);
});

const differs = (synthesis: Synthesis) => packageOf(synthesis, 'bucket').alternatives?.[0];

test('what set a solution apart in round 1 is no longer said once it is revised', () => {
  const previous = first();
  const [pair] = previous.compared;
  if (pair === undefined) throw new Error('a comparison was expected');
  const compared = [{ ...pair, difference: 'The bucket counts in memory.' }];
  const revision = solution('codex', 'bucket', { summary: 'Count in Redis.' });
  expect(differs({ ...previous, compared })).toMatchObject({
    differs: 'The bucket counts in memory.',
  });
  const later = joined([answer('codex', { candidates: [revision] })], { ...previous, compared });
  expect(differs(later)).not.toHaveProperty('differs');
});

test('nothing is settled in the round in which it was revised', () => {
  const previous = first();
  const round = (candidates: ReturnType<typeof solution>[]) =>
    joined(
      [
        answer('codex', { candidates, preferred: labelOf(previous, 'bucket') }),
        answer('gemini', {
          preferred: labelOf(previous, 'bucket'),
          stances: [
            stance(previous, 'bucket', 'support', { reasons: ['src/http/app.ts mounts it once.'] }),
          ],
        }),
      ],
      previous,
    );
  expect(round([]).convergence.recommendation).toBe('converged');
  const revised = round([solution('codex', 'bucket', { summary: 'Remove the old limits, too.' })]);
  expect(revised.convergence.recommendation).not.toBe('converged');
  expect(revised.solutions[0]?.revised_in).toBe(2);
  expect(revised.convergence.reasons.join(' ')).toContain('was about its earlier text');
});

test('a copy of another solution is no revision, and the own one stays', () => {
  const previous = first();
  const second = joined(
    [answer('gemini', { candidates: [solution('gemini', 'bucket')] })],
    previous,
  );
  expect(second.solutions.map(({ name }) => name).toSorted()).toEqual(
    previous.solutions.map(({ name }) => name).toSorted(),
  );
  expect(second.notes.join(' ')).toContain('gemini sent “Token bucket middleware” of others');
});

test('who recommended another solution and fails later stays named', () => {
  const previous = first();
  const second = joined([answer('codex', { preferred: labelOf(previous, 'bucket') })], previous);
  expect(second.cross_verification.disagreements).toEqual([
    'gemini would build “Limit at the nginx gateway”, and did not answer in round 2.',
  ]);
});

test('two against one in round 1 is a disagreement', () => {
  const { cross_verification: verification } = joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
    answer('gemini', { candidates: [solution('gemini', 'bucket')] }),
    answer('claude', { candidates: [solution('claude', 'gateway')] }),
  ]);
  expect(verification.disagreements).toEqual([
    'The vendors do not agree: google and openai recommend “Token bucket middleware”; anthropic recommends “Limit at the nginx gateway”.',
  ]);
});

/** Both support both; codex and gemini prefer these. Each solution is tested and asked for changes alike. */
function afterTie(
  codex: string,
  gemini: string,
  changes: string[] = [],
  tested?: Pick<SolutionTask, 'name' | 'key_point' | 'files'>,
): Synthesis {
  const planOf = ({ implementation_plan: plan, name }: Candidate) => ({
    implementation_plan: {
      ...plan,
      tasks: [
        ...plan.tasks,
        ...(tested === undefined
          ? []
          : [{ id: 'T9', depends_on: [], ...tested, name: `${tested.name} of ${name}` }]),
      ],
    },
  });
  const by = (agent: string, idea: Idea) => {
    const plain = solution(agent, idea);
    return answer(agent, { candidates: [{ ...plain, ...planOf(plain) }] });
  };
  const previous = joined([by('codex', 'bucket'), by('gemini', 'gateway')]);
  const prefers = (part: string) => ({
    preferred: labelOf(previous, part),
    stances: ['bucket', 'nginx'].map((one) =>
      stance(previous, one, 'support', {
        reasons: ['src/http/app.ts mounts it once.', 'deploy/nginx.conf is there.'],
        changes,
      }),
    ),
  });
  return joined([answer('codex', prefers(codex)), answer('gemini', prefers(gemini))], previous);
}

test.each([
  ['bucket', 'nginx'],
  ['nginx', 'bucket'],
] as const)(
  'where both support both, codex prefers %s and gemini %s, a rule chooses and says so',
  (codex, gemini) => {
    const second = afterTie(codex, gemini);
    const { chosen_by_rule: rule, recommendation } = second.convergence;
    const [best, other] = second.solutions;
    expect(recommendation).toBe('converged');
    expect(rule).toMatchObject({ solution: best?.id, over: [other?.id] });
    expect(rule?.why).toMatch(/^Chosen by rule: the agents support “.*” and “.*”, and nobody/);
    expect(second.cross_verification.resolution).toContain('Chosen by rule');
    expect(second.clarification_questions).toEqual([]);
    expect(second.cross_verification.disagreements.join(' ')).toContain(
      'No two vendors prefer the same',
    );
  },
);

test('what was asked of the other solution, and its tests, come along with the one that a rule chose', () => {
  const second = afterTie('nginx', 'bucket', ['Answer 429.'], {
    name: 'Test the limit',
    key_point: 'Two calls in one second.',
    files: [{ file: 'test/limit.test.js', action: 'create' }],
  });
  const [best, other] = second.solutions;
  const along = second.remarks.filter(({ from }) => from !== undefined);
  expect(along).toMatchObject([
    { kind: 'change', solution: best?.id, from: other?.id, state: 'open' },
    { kind: 'change', solution: best?.id, from: other?.id, state: 'open' },
  ]);
  expect(along.map(({ text }) => text)).toEqual([
    `As asked of “${other?.name}”: Answer 429.`,
    `Test what “${other?.name}” tests: Test the limit of ${other?.name}: Two calls in one second. (test/limit.test.js)`,
  ]);
  const packed = packageOf(second, best?.name ?? '').remarks ?? [];
  expect(packed.filter(({ from }) => from === other?.name)).toHaveLength(2);
});

const recommendationWith = (questions: string[]) =>
  joined([
    answer('codex', { candidates: [solution('codex', 'bucket')], questions }),
    answer('gemini', { candidates: [solution('gemini', 'bucket')] }),
  ]).convergence.recommendation;

test('a question that is still open keeps round 1 from ending the discussion', () => {
  expect(recommendationWith([])).toBe('converged');
  expect(recommendationWith(['Per key or per address?'])).toBe('user_input_needed');
});

test.each([
  ['LGTM', false],
  ['I agree with the other engineer.', false],
  ['Limit each API key by a token bucket in a middleware.', false],
  ['src/http/app.ts mounts it once.', true],
  ['Do it as T2 says: bucket.ts refills lazily.', true],
  ['因为 src/http/bucket.ts 很简单', true],
])('the reason “%s” makes a vote: %s', (reason, expected) => {
  const previous = first();
  const second = joined(
    [
      answer('codex', { preferred: labelOf(previous, 'bucket') }),
      answer('gemini', {
        preferred: labelOf(previous, 'bucket'),
        stances: [stance(previous, 'bucket', 'support', { reasons: [reason] })],
      }),
    ],
    previous,
  );
  expect(second.convergence.recommendation === 'converged').toBe(expected);
});

test('what an agent assumes later takes the place of what it assumed before', () => {
  const question = 'Per key?';
  const before = [
    { question, assumption: 'yes', agents: ['claude', 'gemini'] },
    { question: 'Log it?', assumption: 'no', agents: ['gemini'] },
  ];
  const answered = answer('gemini', { assumptions: [{ question, assumption: 'per address' }] });
  expect(collectAssumptions(before, [answered])).toEqual([
    { question, assumption: 'yes', agents: ['claude'] },
    before[1],
    { question, assumption: 'per address', agents: ['gemini'] },
  ]);
});

test('the package names what speaks for and against, what is adopted, and what was assumed', () => {
  const previous = first();
  const adopt = (agent: string) => ({
    adopted: [
      { label: labelOf(previous, 'nginx'), part: 'Answer 429 with Retry-After.', evidence: [] },
    ],
    assumptions: [{ question: 'Per key?', assumption: `yes` }],
    preferred: labelOf(previous, 'bucket'),
    stances: [
      stance(previous, 'nginx', 'oppose', {
        reasons: [`deploy/nginx.conf knows no keys.`],
        evidence: [checkedClaim(agent, { path: 'deploy/nginx.conf' })],
      }),
      stance(previous, 'bucket', 'support', { changes: ['Check after the onRoute hooks.'] }),
    ],
  });
  const second = joined(
    [answer('codex', adopt('codex')), answer('gemini', adopt('gemini'))],
    previous,
  );
  const packed = packageOf(second, 'bucket');
  expect(packed.remarks).toMatchObject([
    { kind: 'change', text: 'Check after the onRoute hooks.', agents: ['codex', 'gemini'] },
    { kind: 'adopted', text: 'Answer 429 with Retry-After.', from: 'Limit at the nginx gateway' },
  ]);
  expect(packed.alternatives).toMatchObject([
    { decided_against: { kind: 'objection', evidence: [{ status: 'verified' }] } },
  ]);
  expect(packed.assumptions).toEqual([
    { question: 'Per key?', assumption: 'yes', agents: ['codex', 'gemini'] },
  ]);
});

test('an objection whose author now supports the same text is withdrawn, and blocks no plan', () => {
  const before = first();
  const said = (kind: Kind, reason: string) => [
    stance(before, 'bucket', kind, {
      reasons: [reason],
      ...(kind === 'oppose' ? { evidence: [checkedClaim('gemini')] } : {}),
    }),
  ];
  const opposed = joined(
    [
      answer('gemini', { stances: said('oppose', 'src/http/app.ts mounts it too late.') }),
      answer('codex', { stances: said('support', 'src/http/app.ts mounts it once.') }),
    ],
    before,
  );
  expect(opposed.remarks[0]).toMatchObject({ kind: 'note' });
  const objection = opposed.remarks.find(({ kind }) => kind === 'objection');
  expect(objection).toMatchObject({ state: 'open', agents: ['gemini'] });
  const label = labelOf(opposed, 'bucket');
  const agreed = said('support', 'src/http/app.ts mounts it first.').map((one) => {
    return { ...one, label };
  });
  const later = joined([answer('gemini', { stances: agreed })], opposed);
  const state = later.remarks.find(({ id }) => id === objection?.id)?.state;
  expect(state).toBe('withdrawn');
  expect(packageOf(later, 'bucket').remarks?.map(({ id }) => id)).toContain(objection?.id);
});

test('an objection or a change that is asked for is in the package of its solution, in any words', () => {
  const parts = ['bucket', 'nginx'] as const;
  const drawn = fc.array(
    fc.array(
      fc.record({
        agent: fc.constantFrom('codex', 'gemini', 'claude'),
        part: fc.constantFrom(...parts),
        kind: fc.constantFrom('oppose', 'support', 'unsure' as const),
        text: fc.constantFrom(
          'It breaks the counters of src/http/app.ts.',
          'It is slower.',
          'It deadlocks.',
          'It needs a new dependency.',
          'Standard nicht ändern.',
        ),
        change: fc.constantFrom(undefined, 'Make it an option.', 'Add a test.', 'Umbenennen.'),
        revises: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(drawn, (rounds) => {
      let synthesis = first();
      const raised: { readonly part: string; readonly text: string }[] = [];
      for (const stances of rounds) {
        const before = synthesis;
        const byAgent = Object.entries(Object.groupBy(stances, ({ agent }) => agent));
        const answers = byAgent.map(([agent, own]) =>
          answer(agent, {
            stances: own.map(({ part, kind, text, change }) => {
              if (kind === 'oppose') raised.push({ part, text });
              const wishes = kind === 'support' && change !== undefined ? [change] : [];
              raised.push(...wishes.map((wish) => ({ part, text: wish })));
              return stance(before, part, kind, { reasons: [text], changes: wishes });
            }),
            candidates:
              agent === 'codex' && own.some(({ revises }) => revises)
                ? [solution('codex', 'bucket', { summary: `Form ${before.round}.` })]
                : [],
          }),
        );
        synthesis = joined(answers, before);
      }
      for (const { part, text } of raised) {
        const id = idOf(synthesis, part);
        const remark = synthesis.remarks.find((one) => one.solution === id && one.text === text);
        expect(remark).toBeDefined();
        const packed = packageOf(synthesis, part).remarks?.map((one) => one.id) ?? [];
        expect(packed).toContain(remark?.id);
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['oppose', 'It is slower.', true],
  ['oppose', 'Das dauert länger.', true],
  ['oppose', 'It deadlocks.', true],
  ['support', 'LGTM', false],
  ['support', 'Good idea!', false],
  ['support', 'It also covers restarts.', true],
] as const)('any objection is kept, and a note of some words: %s, %s', (held, text, isKept) => {
  const previous = first();
  const reasons = [text];
  const second = joined(
    [answer('gemini', { stances: [stance(previous, 'bucket', held, { reasons })] })],
    previous,
  );
  expect(second.remarks.map((one) => one.text)).toEqual(isKept ? [text] : []);
});

test('who opposed the text before a revision is named until it says more', () => {
  const previous = first();
  const revised = solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' });
  const second = joined(
    [
      answer('codex', { candidates: [revised], preferred: labelOf(previous, 'bucket') }),
      answer('gemini', { stances: [stance(previous, 'bucket', 'oppose', { reasons: [loses] })] }),
    ],
    previous,
  );
  const name = second.solutions.find((one) => one.name.includes('bucket'))?.name;
  expect(second.cross_verification.disagreements).toContain(
    `gemini opposed “${name}” as it was before the revision of round 2 (O1).`,
  );
  expect(second.convergence.reasons.join(' ')).not.toContain('nobody opposes it');
});

test('evidence of an own stance that failed is told to its agent', () => {
  const previous = first();
  const evidence = [checkedClaim('gemini', { status: 'failed', note: 'no such line' })];
  const second = joined(
    [
      answer('gemini', {
        stances: [stance(previous, 'bucket', 'support', { reasons: ['Fine.'], evidence })],
      }),
    ],
    previous,
  );
  const view = neutralView(second, 'gemini');
  expect(view.failedClaims.own).toMatchObject([{ path: 'src/http/app.ts', note: 'no such line' }]);
  expect(view.saidBefore.map(({ no_vote: why }) => why)).toContain('its evidence failed the check');
  expect(neutralView(second, 'codex').failedClaims.own).toEqual([]);
});

const remarkTexts = (of: readonly { readonly remarks: readonly { readonly text: string }[] }[]) =>
  of.flatMap(({ remarks }) => remarks.map(({ text }) => text));

test('what an agent alone said stands once in its next request, with what it said before', () => {
  const previous = first();
  const second = joined(
    [
      answer('gemini', { stances: [stance(previous, 'bucket', 'oppose', { reasons: [loses] })] }),
      answer('codex', {
        stances: [stance(previous, 'bucket', 'support', { changes: ['Test the restart.'] })],
      }),
    ],
    previous,
  );
  const texts = (agent: string) => {
    const { solutions, saidBefore } = neutralView(second, agent);
    return { others: remarkTexts(solutions), own: remarkTexts(saidBefore) };
  };
  expect(texts('gemini').own).toContain(loses);
  expect(texts('gemini').others).not.toContain(loses);
  expect(texts('gemini').others).toContain('Test the restart.');
  expect(texts('codex').others).toContain(loses);
  expect(texts('codex').own).toContain('Test the restart.');
});

test.each([
  ['is taken over', {}, true],
  ['is left where somebody calls it wrong', { verdict: 'wrong' }, false],
  ['is left where nothing that it cites was found', { status: 'failed' }, false],
] as const)('a part that two vendors adopt %s', (_, { verdict, status }: Adopted, isTaken) => {
  const previous = first();
  const adopting = (agent: string) => {
    const evidence = status === undefined ? [] : [checkedClaim(agent, { status })];
    const part = { label: labelOf(previous, 'nginx'), part: 'Name it in README.md.', evidence };
    return answer(agent, { adopted: [part], preferred: labelOf(previous, 'bucket') });
  };
  const second = joined([adopting('codex'), adopting('gemini')], previous);
  const id = second.remarks.find(({ kind }) => kind === 'adopted')?.id ?? '?';
  const why = 'README.md is generated.';
  const verdicts = verdict === undefined ? [] : [{ id, verdict, why }];
  const third = joined([answer('claude', { verdicts })], second);
  expect(packageOf(third, 'bucket').remarks?.map((one) => one.id) ?? []).toEqual(
    isTaken ? [id] : [],
  );
});

test('a part that one vendor adopts and another says holds is taken over', () => {
  const previous = first();
  const adopted = [{ label: labelOf(previous, 'nginx'), part: 'Unwrap brackets.', evidence: [] }];
  const second = joined([answer('codex', { adopted })], previous);
  const [part] = second.remarks;
  expect(packageOf(second, 'bucket').remarks).toEqual([]);
  const verdicts = [{ id: part?.id ?? '?', verdict: 'holds' as const, why: 'It raises.' }];
  const third = joined([answer('gemini', { verdicts })], second);
  expect(packageOf(third, 'bucket').remarks).toMatchObject([{ kind: 'adopted', id: part?.id }]);
});

interface Adopted {
  readonly verdict?: 'wrong';
  readonly status?: 'failed';
}

test('a part that is taken over brings the objections to its place along', () => {
  const previous = first();
  const adopting = (agent: string) =>
    answer(agent, {
      adopted: [{ label: labelOf(previous, 'nginx'), part: 'Name it in README.md.', evidence: [] }],
    });
  const generated = 'README.md is generated.';
  const evidence = [checkedClaim('claude', { path: 'README.md' })];
  const against = stance(previous, 'nginx', 'oppose', { reasons: [generated], evidence });
  const second = joined(
    [adopting('codex'), adopting('gemini'), answer('claude', { stances: [against] })],
    previous,
  );
  expect(packageOf(second, 'bucket').remarks).toMatchObject([
    { kind: 'adopted', objections: [`claude: ${generated}`] },
  ]);
});
