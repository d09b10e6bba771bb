import { expect, test } from 'vitest';
import { compareTexts } from '../../../src/model/wording.ts';
import { type Candidate, newCandidates } from '../../../src/phases/discussion/candidate.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

const authors = (groups: readonly (readonly Candidate[])[]) =>
  groups
    .map((group) =>
      group
        .flatMap(({ source_cli }) => source_cli)
        .toSorted()
        .join(' '),
    )
    .toSorted(compareTexts);

const drafting = (agent: string, ...paths: readonly string[]): Candidate => ({
  ...solution(agent, 'bucket', { kind: 'analyst' }),
  affected_files: paths.map((path) => {
    return { file: path, line: 1, action: 'modify', status: 'verified', note: '' };
  }),
});
const grouped = (...candidates: readonly Candidate[]) => newCandidates(candidates, () => false);

test('drafts that change a module more or less stay apart, whatever they say of tests', () => {
  const one = drafting('structure', 'src/one.ts');
  expect(grouped(one, drafting('history', 'src/one.ts', 'src/two.ts'))).toHaveLength(2);
  expect(grouped(one, drafting('history', 'src/one.ts', 'test/two.test.ts'))).toHaveLength(1);
  expect(grouped(one, drafting('structure', 'src/one.ts'))).toHaveLength(2);
});

test('files whose reference failed do not make drafts alike', () => {
  const [own] = [drafting('structure', 'src/one.ts', 'src/two.ts')];
  const failed = own.affected_files.map((one) => ({ ...one, status: 'failed' as const }));
  const more = {
    ...own,
    affected_files: [...drafting('structure', 'src/three.ts').affected_files, ...failed],
  };
  expect(grouped(more, drafting('history', 'src/one.ts', 'src/two.ts'))).toHaveLength(2);
});

test('solutions that no agent recommends stay apart, however alike they are', () => {
  expect(grouped(solution('codex', 'bucket'), solution('gemini', 'bucket'))).toHaveLength(2);
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
