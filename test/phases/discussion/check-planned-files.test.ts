import { expect, test } from 'vitest';
import { checkProposal } from '../../../src/phases/discussion/check-references.ts';
import { proposed, repositoryOf, task } from './make.ts';

const lines = Array.from({ length: 50 }, (_, index) => `const line${index} = ${index};`);
const repository = repositoryOf([
  { path: 'src/http/app.ts', content: `${lines.join('\n')}\n` },
  { path: 'src/empty.ts', content: '' },
]);

async function checkTasks(...tasks: readonly ReturnType<typeof task>[]) {
  const plan = { approach: 'Do it.', tasks: [...tasks], execution_flow: '', milestones: [] };
  const solution = proposed({ implementation_plan: plan });
  const { files } = await checkProposal({ repository, agent: 'codex', solution });
  return files.map(({ status, note }) => `${status} ${note}`.trim());
}

test.each([
  ['modify', 'src/http/app.ts', undefined, 'verified'],
  ['modify', 'src/http/app.ts', 50, 'verified'],
  ['modify', 'src/http/app.ts', 51, 'failed line 51 is beyond the end (50 lines)'],
  ['modify', 'src/empty.ts', 1, 'verified'],
  ['modify', 'src/http/none.ts', undefined, 'failed no such file'],
  ['delete', 'src/http/app.ts', undefined, 'verified'],
  ['delete', 'src/http/none.ts', undefined, 'failed no such file'],
  ['create', 'src/http/none.ts', undefined, 'planned'],
  ['create', 'src/http/app.ts', undefined, 'failed exists already'],
  [
    'create',
    'src/http/App.ts',
    undefined,
    'failed no such file; src/http/app.ts differs only by case',
  ],
  ['create', '../none.ts', undefined, 'failed the path leaves the repository'],
] as const)('to %s %s at line %s is %s', async (action, file, line, expected) => {
  const found = await checkTasks(
    task('T1', [{ file, action, ...(line === undefined ? {} : { line }) }]),
  );
  expect(found).toEqual([expected]);
});

const creation = [{ file: 'src/new.ts', action: 'create' as const }];
const change = [{ file: './src/new.ts', action: 'modify' as const }];

test('a missing file may be changed where the solution creates it, in whatever order', async () => {
  const planned = 'planned the solution creates it';
  expect(await checkTasks(task('T1', creation), task('T2', change))).toEqual(['planned', planned]);
  expect(await checkTasks(task('T1', change), task('T2', creation))).toEqual([planned, 'planned']);
  expect(await checkTasks(task('T1', [...creation, ...change]))).toEqual(['planned', planned]);
});

test('a file may be created anew where the solution deletes it', async () => {
  const found = await checkTasks(
    task('T1', [{ file: 'src/http/app.ts', action: 'delete' }]),
    task('T2', [{ file: 'src/http/app.ts', action: 'create' }]),
  );
  expect(found).toEqual(['verified', 'planned the solution deletes it']);
});
