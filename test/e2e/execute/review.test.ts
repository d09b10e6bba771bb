import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';

const wrong = 'export const wrong = 1;\n';
const right = 'export const right = 1;\n';

const work = {
  'TASK-001': { edits: { 'src/a.js': wrong } },
  'TASK-002': { edits: { 'src/b.js': right } },
  'TASK-003': { edits: { 'src/c.js': right } },
};

const finding = {
  severity: 'blocking',
  file: 'src/a.js',
  line: 1,
  quote: 'export const wrong = 1;',
  problem: 'It is wrong.',
  suggestion: 'Make it right.',
};

const met = ['TASK-001', 'TASK-002', 'TASK-003'].map((task) => ({
  task,
  criterion: 0,
  verdict: 'met',
  evidence: 'src/b.js:1',
}));

const reviewed = (findings: readonly object[]) => ({
  'code-review': {
    answer: { phase: 'code-review', summary: 'Read.', findings, criteria: met },
  },
});

test('a review that finds nothing makes proven what it saw, and is kept for people', async () => {
  const rig = await approvedRig({ ...work, ...reviewed([]) });
  const { code, stdout } = await rig.conclave('execute', '--review', 'agent');
  expect({ code }).toEqual({ code: 0 });
  expect(stdout).toContain('nothing found by');
  expect(rig.json('execution-result.json')).toMatchObject({
    tasksSummary: '3 of 3 tasks completed',
  });
  expect(readFileSync(join(rig.session(), 'code-review.md'), 'utf8')).toContain('Read.');
});

test('what blocks is put right once, and is brought home then', async () => {
  const rig = await approvedRig({
    ...work,
    ...reviewed([finding]),
    'review-fix': { edits: { 'src/a.js': right } },
  });
  const { code } = await rig.conclave('execute', '--review', 'agent', '--apply');
  expect(code).toBe(0);
  expect(rig.json('code-review.json')).toMatchObject({ blocking: 0, fixed: true, again: true });
  expect(rig.json('code-review-before-fix.json')).toMatchObject({ blocking: 1 });
  expect(rig.read('src/a.js')).toBe(right);
  expect(await rig.git('log', '-1', '--format=%s')).toBe('Put right what the code review found\n');
});

test('what blocks and is not put right ends with 7, and is not brought home', async () => {
  const rig = await approvedRig({ ...work, ...reviewed([finding]) });
  const { code, stderr } = await rig.conclave('execute', '--review', 'agent', '--apply');
  expect(code).toBe(7);
  expect(stderr).toContain('src/a.js:1: It is wrong.');
  expect(await rig.git('status', '--short')).toBe('');
});
