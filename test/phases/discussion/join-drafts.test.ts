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

const planned = (file: string) =>
  ({ file, line: null, action: 'create', status: 'planned', note: '' }) as const;

test('the best supported text is kept whole, and the other’s files and lists are united', () => {
  const base = solution('codex', 'bucket');
  const [first] = base.implementation_plan.tasks;
  if (first === undefined) throw new Error('the solution has tasks');
  const more = [
    { ...first, files: [...first.files, { file: 'src/http/keys.ts', action: 'create' as const }] },
    {
      ...task('T2', [{ file: 'test/http/bucket.test.ts', action: 'create' }]),
      name: 'Test refusals',
    },
  ];
  const weak = solution('codex', 'bucket', {
    name: 'Bucket',
    feasibility: 1,
    pros: ['No new dependency', 'Quick'],
    claims: [checkedClaim('codex', { status: 'failed', found_line: null })],
    implementation_plan: { ...base.implementation_plan, tasks: more },
    affected_files: [
      ...base.affected_files,
      planned('src/http/keys.ts'),
      planned('test/http/bucket.test.ts'),
    ],
  });
  const strong = solution('gemini', 'bucket', { pros: ['no new dependency.'] });
  const [result] = joined([
    answer('codex', { drafts: [weak] }),
    answer('gemini', { drafts: [strong] }),
  ]).solutions;
  expect(result).toMatchObject({
    name: 'Token bucket middleware',
    pros: ['no new dependency.', 'Quick'],
    implementation_plan: {
      execution_flow: 'T1 → T2 → T3',
      tasks: [
        {
          id: 'T1',
          files: [
            { file: 'src/http/bucket.ts' },
            { file: 'src/http/app.ts' },
            { file: 'src/http/keys.ts' },
          ],
        },
        { id: 'T2', files: [] },
        { id: 'T3', name: 'Test refusals', depends_on: ['T1', 'T2'] },
      ],
    },
  });
  expect(result?.affected_files.map(({ file }) => file)).toContain('test/http/bucket.test.ts');
});

test('a file whose reference failed is not taken over from another author, but shown', () => {
  const theirs = solution('codex', 'bucket', { feasibility: 0.1 });
  const wrong = { file: 'src/wrong.ts', action: 'modify' as const };
  theirs.implementation_plan.tasks[0]?.files.push(wrong);
  theirs.affected_files.push({ ...wrong, line: null, status: 'failed', note: 'no such file' });
  const [result] = joined([
    answer('codex', { drafts: [theirs] }),
    answer('gemini', { drafts: [solution('gemini', 'bucket')] }),
  ]).solutions;
  const files = result?.implementation_plan.tasks.flatMap((one) => one.files);
  expect(files?.map(({ file }) => file)).not.toContain(wrong.file);
  expect(result?.affected_files).toContainEqual(expect.objectContaining(wrong));
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
const right = claim('src/http/app.ts', 41, 'app.use(publicRouter);');
const answered = async (agent: string, claims: ReturnType<typeof claim>[]) => {
  const author = { agent, kind: 'model', vendor: agent } as const;
  const told = proposed({ claims });
  const draft = await checkProposal({ repository, author, solution: told });
  return answer(agent, { drafts: [draft] });
};

test('a wrong line and a wrong file fail, a moved line is moved, and failures count', async () => {
  const answers = await Promise.all([
    answered('codex', [right, claim('src/http/app.ts', 12, 'app.use(privateRouter);')]),
    answered('gemini', [right, claim('src/http/other.ts', 41, 'app.use(publicRouter);')]),
    answered('claude', [right, claim('src/http/app.ts', 70, 'app.use(publicRouter);')]),
  ]);
  const synthesis = joined(answers);
  const [solved] = synthesis.solutions;
  expect(solved?.claims.map(({ agent, status }) => `${agent} ${status}`).toSorted()).toEqual([
    'claude moved',
    'claude verified',
    'codex failed',
    'codex verified',
    'gemini failed',
    'gemini verified',
  ]);
  expect(solved?.feasibility).toBe(0.64);
  expect(synthesis.convergence.score).toBe(0.8);
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
