import { expect, test } from 'vitest';
import { checkProposal } from '../../../src/phases/discussion/check-references.ts';
import {
  answer,
  checkedClaim,
  claim,
  joined,
  proposed,
  repositoryOf,
  solution,
  task,
} from './make.ts';

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
  const { solutions } = joined([
    answer('codex', { checked: [wide] }),
    answer('gemini', { checked: [strong] }),
  ]);
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

test('a file whose reference failed is not taken over from another author', () => {
  const theirs = solution('codex', 'bucket', { feasibility: 0.1 });
  const wrong = { file: 'src/wrong.ts', action: 'modify' as const };
  const [first] = theirs.solution.implementation_plan.tasks;
  first?.files.push(wrong);
  theirs.files.push({ ...wrong, line: null, status: 'failed', note: 'no such file' });
  const { solutions } = joined([
    answer('codex', { checked: [theirs] }),
    answer('gemini', { checked: [solution('gemini', 'bucket')] }),
  ]);
  const planned = solutions[0]?.implementation_plan.tasks.flatMap(({ files }) => files);
  expect(planned?.map(({ file }) => file)).not.toContain(wrong.file);
  expect(solutions[0]?.affected_files).toContainEqual(expect.objectContaining(wrong));
});

test('a path out of the repository stays in the marked files, but leaves the tasks', async () => {
  const tasks = [task('T1', [{ file: '../../.bashrc', action: 'modify' }])];
  const plan = { approach: 'Do it.', tasks, execution_flow: 'T1', milestones: [] };
  const checked = await checkProposal({
    repository: repositoryOf([]),
    agent: 'codex',
    solution: proposed({ implementation_plan: plan }),
  });
  const { solutions } = joined([answer('codex', { checked: [checked] })]);
  expect(solutions[0]?.implementation_plan.tasks[0]?.files).toEqual([]);
  expect(solutions[0]?.affected_files).toMatchObject([
    { file: '../../.bashrc', status: 'failed', note: 'the path leaves the repository' },
  ]);
});

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
  const synthesis = joined(answers);
  const [solved] = synthesis.solutions;
  const planted = solved?.claims.filter(({ line, path }) => line !== 41 || path.includes('other'));
  expect(planted?.map(({ agent, status }) => [agent, status]).toSorted()).toEqual([
    ['claude', 'moved'],
    ['codex', 'failed'],
    ['gemini', 'failed'],
  ]);
  expect(solved?.feasibility).toBe(0.64);
  expect(synthesis.convergence.score).toBe(0.8);
  const clean = joined(
    await Promise.all(['codex', 'gemini', 'claude'].map((who) => answered(who, [right]))),
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
  const { convergence } = joined(answers);
  expect(convergence.score).toBeLessThanOrEqual(0.667);
  expect(convergence.recommendation).toBe('continue');
});
