import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';

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

const reviewed = (findings: readonly object[], criteria: readonly object[] = met) => ({
  'code-review': {
    answer: { phase: 'code-review', summary: 'Read.', findings, criteria },
  },
});

const withReview = ['execute', '-y', '--review', 'agent'];

test('a review that finds nothing makes proven what it saw, and is kept for people', async () => {
  const rig = await approvedRig({ ...work, ...reviewed([]) });
  const { code, stdout } = await rig.conclave('execute', '-y', '--review', 'agent');
  expect({ code }).toEqual({ code: 0 });
  expect(stdout).toContain('no problems found by');
  expect(rig.json('execution-result.json')).toMatchObject({
    tasksSummary: '3 of 3 tasks completed',
  });
  expect(readFileSync(join(rig.session(), 'code-review.md'), 'utf8')).toContain('Read.');
});

test('what blocks is put right once, and is brought home then', short, async () => {
  const rig = await approvedRig({
    ...work,
    ...reviewed([finding]),
    'review-fix': { edits: { 'src/a.js': right } },
  });
  const { code } = await rig.conclave('execute', '-y', '--review', 'agent', '--apply');
  expect(code).toBe(0);
  expect(rig.json('code-review.json')).toMatchObject({ blocking: 0, fixed: true, again: true });
  expect(rig.json('code-review-before-fix.json')).toMatchObject({ blocking: 1 });
  expect(rig.read('src/a.js')).toBe(right);
  expect(await rig.git('log', '-1', '--format=%s')).toBe('Fix what the code review found\n');
});

test('what blocks and is not put right ends with 7, and is not brought home', async () => {
  const rig = await approvedRig({ ...work, ...reviewed([finding]) });
  const { code, stderr } = await rig.conclave('execute', '-y', '--review', 'agent', '--apply');
  expect(code).toBe(7);
  expect(stderr).toContain('src/a.js:1: It is wrong.');
  expect(await rig.git('status', '--short')).toBe('');
});

describe('a review decides', () => {
  test('where nobody answered who was to make it: 7, and nothing comes home but against it', async () => {
    const rig = await approvedRig({
      ...work,
      'code-review': { exit: 1, stderr: 'no model server' },
    });
    for (const flags of [
      [...withReview, '--apply'],
      ['execute', '-y', '--apply'],
    ]) {
      const { code, stderr } = await rig.conclave(...flags);
      expect({ code, stderr }).toEqual({
        code: 7,
        stderr: expect.stringContaining('no reviewer answered'),
      });
      expect(await rig.git('log', '--format=%s', '-1')).not.toContain('Merge');
      expect(existsSync(join(rig.repo, 'src/a.js'))).toBe(false);
    }
    await rig.conclave('execute', '-y', '--apply', '--against-review');
    expect(rig.read('src/a.js')).toBe(wrong);
  });

  test('where a criterion is not met: 7, said in every face, and nothing comes home', async () => {
    const [first, ...others] = met;
    const unmet = { ...first, verdict: 'not-met', evidence: 'nothing prints JSON' };
    const rig = await approvedRig({ ...work, ...reviewed([], [unmet, ...others]) });
    const { code, stdout, stderr } = await rig.conclave(...withReview, '--apply');
    expect(code).toBe(7);
    for (const text of [stdout, stderr]) {
      expect(text).toContain('TASK-001: criterion 1 is not met: nothing prints JSON');
    }
    expect(existsSync(join(rig.repo, 'src/a.js'))).toBe(false);
    const { stdout: json } = await rig.conclave('execute', '-y', '--apply', '--json');
    expect(json).toContain('criterion 1 is not met');
    expect(existsSync(join(rig.repo, 'src/a.js'))).toBe(false);
    await rig.conclave('execute', '-y', '--apply', '--against-review');
    expect(rig.read('src/a.js')).toBe(wrong);
  });

  test('once more, after what blocks was to be put right', async () => {
    const rig = await approvedRig({
      ...work,
      ...reviewed([finding]),
      'review-fix': { edits: { 'README.md': '# todo\n\nAll is safe.\n' } },
    });
    const { code, stderr } = await rig.conclave(...withReview, '--apply');
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('src/a.js:1: It is wrong.'),
    });
    expect(rig.json('code-review.json')).toMatchObject({ blocking: 1, fixed: true, again: true });
    expect(await rig.git('status', '--short')).toBe('');
    expect(existsSync(join(rig.repo, 'src/a.js'))).toBe(false);
  });

  test('by what is there: evidence of a file that is not in the commit meets nothing', async () => {
    const made = met.map((one) => ({ ...one, evidence: 'test/list-json.test.js:9 covers it' }));
    const rig = await approvedRig({ ...work, ...reviewed([], made) });
    const { code } = await rig.conclave(...withReview);
    expect(code).toBe(7);
    expect(rig.json('execution-result.json')).toMatchObject({
      tasksSummary: '0 of 3 tasks completed, 3 unproven',
    });
    expect(rig.json('code-review.json')).toMatchObject({
      criteria: [
        { verdict: 'unclear', evidence: expect.stringContaining('is not in the commit') },
        {},
        {},
      ],
    });
  });

  test('and a finding whose reference failed is marked, and blocks nothing', async () => {
    const invented = { ...finding, quote: 'export const invented = 1;' };
    const rig = await approvedRig({ ...work, ...reviewed([invented]) });
    const { code, stdout } = await rig.conclave(...withReview);
    expect(code).toBe(0);
    const mark = 'not found there, so it blocks nothing';
    expect(stdout).toContain(`blocking, src/a.js:1 (${mark}): It is wrong.`);
    expect((await rig.conclave('report')).code).toBe(0);
    expect(readFileSync(join(rig.session(), 'report.html'), 'utf8')).toContain(mark);
  });
});
