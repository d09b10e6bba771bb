import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compareTexts } from '../../../src/model/wording.ts';
import {
  type Candidate,
  codeInCommon,
  groupSame,
  isLike,
  newCandidates,
} from '../../../src/phases/discussion/candidate.ts';
import { ToldSolution, answer, checkedClaim, candidateOf, joined, solution } from './make.ts';

const groupCandidates = (candidates: readonly Candidate[]) => groupSame(candidates, isLike);

const authors = (groups: readonly (readonly Candidate[])[]) =>
  groups
    .map((group) =>
      group
        .flatMap(({ source_cli }) => source_cli)
        .toSorted()
        .join(' '),
    )
    .toSorted(compareTexts);

const Scenario = z.object({ task: z.string(), solutions: z.array(ToldSolution) });
const file = new URL('./grouping-scenarios.json', import.meta.url);
const scenarios = Scenario.array().parse(JSON.parse(readFileSync(file, 'utf8')));

test.each(scenarios)('$task: what means the same is grouped, what differs is not', (scenario) => {
  const ideas = new Map(
    scenario.solutions.map((told) => [`${told.agent} ${told.name}`, told.idea]),
  );
  const ideaOf = ({ source_cli, name }: Candidate) => ideas.get(`${source_cli.join()} ${name}`);
  const groups = groupCandidates(scenario.solutions.map(candidateOf));
  for (const group of groups) expect(new Set(group.map(ideaOf)).size).toBe(1);
  const groupOf = (candidate: Candidate) => groups.findIndex((group) => group.includes(candidate));
  const all = groups.flat();
  for (const a of all) {
    const same = all.filter((b) => ideaOf(a) === ideaOf(b) && codeInCommon(a, b) >= 0.75);
    expect(new Set(same.map(groupOf)).size).toBe(1);
  }
});

const changing = (agent: string, ...paths: readonly string[]): Candidate => ({
  ...solution(agent, 'bucket'),
  affected_files: paths.map((path) => {
    return { file: path, line: 1, action: 'modify', status: 'verified', note: '' };
  }),
});

test('two that change a module more or less stay apart, however alike their words are', () => {
  const one = changing('codex', 'src/one.ts');
  expect(groupCandidates([one, changing('gemini', 'src/one.ts', 'src/two.ts')])).toHaveLength(2);
  expect(groupCandidates([one, changing('gemini', 'src/one.ts', 'test/two.test.ts')])).toHaveLength(
    1,
  );
});

test('files whose reference failed do not make solutions alike', () => {
  const codex = changing('codex', 'src/one.ts', 'src/two.ts');
  const failed = codex.affected_files.map((one) => ({ ...one, status: 'failed' as const }));
  const more = {
    ...codex,
    affected_files: [...changing('codex', 'src/three.ts').affected_files, ...failed],
  };
  expect(groupCandidates([more, changing('gemini', 'src/one.ts', 'src/two.ts')])).toHaveLength(2);
});

test('the order of solutions and agents makes no difference', () => {
  const rounds = fc.constantFrom(...scenarios).chain(({ solutions }) =>
    fc.record({
      inOrder: fc.constant(solutions),
      shuffled: fc.shuffledSubarray(solutions, { minLength: solutions.length }),
    }),
  );
  fc.assert(
    fc.property(rounds, ({ inOrder, shuffled }) => {
      const group = (all: typeof inOrder) => groupCandidates(all.map(candidateOf));
      expect(group(shuffled)).toEqual(group(inOrder));
    }),
    { numRuns: 60 },
  );
});

test('two solutions of one agent never meet, however alike they are', () => {
  const twice = [solution('codex', 'bucket'), solution('codex', 'bucket', { name: 'Again' })];
  expect(groupCandidates(twice)).toHaveLength(2);
  expect(authors(groupCandidates([...twice, solution('gemini', 'bucket')]))).toEqual([
    'codex',
    'codex gemini',
  ]);
});

test('what analysts draft is joined with what other analysts draft, never with a model’s', () => {
  const candidates = [
    solution('codex', 'bucket'),
    solution('structure', 'bucket', { kind: 'analyst' }),
    solution('history', 'bucket', { kind: 'analyst' }),
  ];
  expect(authors(newCandidates(candidates, () => false).map((candidate) => [candidate]))).toEqual([
    'codex',
    'history structure',
  ]);
});

const toldIn = (agent: string, name: string, approach: string) =>
  candidateOf({ agent, name, summary: approach, approach, tasks: [[name, null]], files: [] });

test('solutions in Chinese are grouped by what they say', () => {
  const groups = groupCandidates([
    toldIn('codex', '令牌桶中间件', '在中间件中为每个密钥维护令牌桶，令牌不足时返回 429。'),
    toldIn('gemini', '令牌桶限流', '为每个密钥维护一个令牌桶，在中间件中检查，令牌不足返回 429。'),
    toldIn('claude', '网关限流', '在 nginx 网关配置 limit_req，应用代码保持不变。'),
  ]);
  expect(authors(groups)).toEqual(['claude', 'codex gemini']);
});

const created = (path: string, status: 'planned' | 'failed') =>
  ({ file: path, line: null, action: 'create', status, note: '' }) as const;

test('of the same solutions the soundest gives the words, and the others keep theirs', () => {
  const base = solution('codex', 'bucket');
  const weak = solution('codex', 'bucket', {
    feasibility: 1,
    pros: ['Quick'],
    cons: ['Counters are lost on restart.'],
    claims: [checkedClaim('codex', { status: 'failed', found_line: null })],
    affected_files: [...base.affected_files, created('test/bucket.test.ts', 'planned')],
  });
  const strong = solution('gemini', 'bucket', { pros: ['No new dependency'] });
  const [result] = joined([
    answer('codex', { candidates: [weak] }),
    answer('gemini', { candidates: [strong] }),
  ]).solutions;
  expect(result).toMatchObject({
    source_cli: ['codex', 'gemini'],
    pros: ['No new dependency'],
    cons: [],
    technical_concerns: [],
    implementation_plan: strong.implementation_plan,
    affected_files: strong.affected_files,
  });
  expect(result?.versions).toMatchObject([
    {
      source_cli: ['codex'],
      pros: ['Quick'],
      cons: ['Counters are lost on restart.'],
      affected_files: weak.affected_files,
    },
  ]);
});

const twice = () => [
  answer('codex', { candidates: [solution('codex', 'bucket')] }),
  answer('gemini', { candidates: [solution('gemini', 'bucket')] }),
];

test.each(['variant', 'different', 'unclear'] as const)(
  'recommended solutions that were found %s stay apart, however alike their words are',
  (relation) => {
    const { solutions, convergence } = joined(twice(), null, relation);
    expect(solutions.map(({ source_cli: by }) => by)).toEqual([['codex'], ['gemini']]);
    expect(convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
  },
);

const revised = (agent: string, name: string, feasibility: number) =>
  answer(agent, { candidates: [solution(agent, 'bucket', { name, feasibility })] });

test('of two revisions of one solution the sounder one takes its place, the other stands apart', () => {
  const first = joined(twice());
  const { solutions } = joined(
    [
      revised('codex', 'Token bucket, refilled by a timer', 0.5),
      revised('gemini', 'Token bucket, refilled lazily', 0.9),
    ],
    first,
  );
  expect(solutions.map(({ id, name }) => [id, name])).toEqual([
    ['S1', 'Token bucket, refilled lazily'],
    ['S2.1', 'Token bucket, refilled by a timer'],
  ]);
});
