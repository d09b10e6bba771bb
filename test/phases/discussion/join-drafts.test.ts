import { expect, test } from 'vitest';
import { checkProposal } from '../../../src/phases/discussion/check-references.ts';
import { answer, checkedClaim, claim, joined, proposed, repositoryOf, solution } from './make.ts';

test('text and tasks of the soundest are kept whole, and the lists of all are united', () => {
  const further = (file: string, status: 'planned' | 'failed') =>
    ({ file, line: null, action: 'create', status, note: '' }) as const;
  const base = solution('codex', 'bucket');
  const weak = solution('codex', 'bucket', {
    name: 'Bucket',
    feasibility: 1,
    pros: ['No new dependency', 'Quick'],
    claims: [checkedClaim('codex', { status: 'failed', found_line: null })],
    affected_files: [
      ...base.affected_files,
      further('test/bucket.test.ts', 'planned'),
      further('../wrong.ts', 'failed'),
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
    implementation_plan: strong.implementation_plan,
    affected_files: strong.affected_files,
    technical_concerns: ['codex would also create test/bucket.test.ts.'],
  });
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
