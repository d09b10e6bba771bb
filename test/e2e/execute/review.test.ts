import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  approvedRig,
  checkedEdits,
  checkedPlan,
  checkedReview,
  executedRig,
} from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { titleOf } from '../../../src/model/wording.ts';

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

const inFormat = { file: 'src/format.js', quote: 'export const formatJson' };

const met = ['TASK-001', 'TASK-002', 'TASK-003'].map((task) => ({
  task,
  criterion: 0,
  verdict: 'met',
  file: 'src/b.js',
  line: 1,
  quote: 'export const right = 1;',
  evidence: 'It is right.',
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
  expect(stdout).toMatch(/TASK-001 +unproven,[^]*TASK-001 +completed, .*its reviewer shows/);
  expect(rig.json('execution-result.json')).toMatchObject({
    tasksSummary: '3 of 3 tasks completed',
    reviewed_by: 'beta',
  });
  expect(stdout).toContain('3 of 3 tasks completed, reviewed by beta; the result is on branch');
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
  test('where nobody answered who was to make it: 7, never by who did it, and nothing comes home but against it', async () => {
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
        stderr: expect.stringMatching(/reviewed by nobody;[^]* but no agent gave a usable review/),
      });
      expect(readdirSync(join(rig.session(), 'review/1'))).toEqual(['beta']);
      expect(existsSync(join(rig.session(), 'code-review.json'))).toBe(false);
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

  test('by what is there: a criterion is met only where its quote is found', async () => {
    const [first, ...others] = met;
    const made = [{ ...first, file: 'test/list-json.test.js', line: 9 }, ...others];
    const rig = await approvedRig({ ...work, ...reviewed([], made) });
    const { code } = await rig.conclave(...withReview);
    expect(code).toBe(7);
    expect(rig.json('execution-result.json')).toMatchObject({
      tasksSummary: '2 of 3 tasks completed, 1 unproven',
    });
    expect(rig.json('code-review.json')).toMatchObject({
      criteria: [
        { verdict: 'unclear', evidence: expect.stringContaining('its quote was not found') },
        { verdict: 'met', reference: 'verified' },
        { verdict: 'met', reference: 'verified' },
      ],
    });
  });

  test('only where a criterion was judged: all else is no review, and says so', async () => {
    const made = met.map((one) => ({ ...one, quote: '', file: '' }));
    const rig = await approvedRig({ ...work, ...reviewed([], made) });
    const { code, stdout, stderr } = await rig.conclave(...withReview);
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('3 unproven, reviewed by nobody;'),
    });
    expect(stdout).toContain('beta judged no criterion by a quote that is there');
  });

  test('and who fixed what it found is never the one that reviewed it', async () => {
    const rig = await approvedRig({
      ...work,
      ...reviewed([finding]),
      'review-fix': { exit: 1, stderr: 'no model server' },
    });
    const { code } = await rig.conclave(...withReview);
    expect(code).toBe(7);
    expect(
      readdirSync(join(rig.session(), 'review/1')).filter((one) => one.startsWith('fix')),
    ).toEqual(['fix-alpha']);
  });

  test('and what was fixed counts only where every check that passed is green again', async () => {
    const rig = await approvedRig(
      {
        ...checkedEdits,
        'code-review': {
          answer: { ...checkedReview, findings: [{ ...finding, ...inFormat }] },
        },
        'review-fix': { edits: { 'src/format.js': 'export const right = 1;\n' } },
      },
      { plan: checkedPlan },
    );
    const { code, stderr } = await rig.conclave(...withReview, '--apply');
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('src/format.js:1: It is wrong.'),
    });
    expect(rig.json('code-review.json')).toMatchObject({ fixed: false });
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

test('that nobody reviewed a result is said wherever it is shown, and the next command is one that works', async () => {
  const rig = await executedRig(checkedEdits, { plan: checkedPlan });
  const text = '3 of 3 tasks completed, reviewed by nobody';
  expect((await rig.conclave('sessions', 'show')).stdout).toContain(`Execution ${text}`);
  expect(readFileSync(join(rig.session(), 'plan.md'), 'utf8')).toContain(`${text}. The result is`);
  await rig.conclave('report');
  expect(readFileSync(join(rig.session(), 'report.html'), 'utf8')).toContain(text);
  const { stdout } = await rig.conclave('execute', '-y', '--apply', 'squash', '--json');
  expect(stdout).toContain(`${text}; 4 files merged into`);
  expect(await rig.git('log', '-1', '--format=%s')).toBe(`${titleOf(todoTask)}\n`);
});

test('after a refusal no command is named that would refuse again, and the form is kept', async () => {
  const rig = await approvedRig({ ...work, ...reviewed([finding]) });
  const { stdout, stderr } = await rig.conclave(...withReview, '--apply', 'squash', '--json');
  const apply = `${basename(rig.session())} --apply squash --against-review`;
  expect(stderr + stdout).toContain(`To apply it all the same: conclave execute ${apply}`);
  expect(stdout).toContain('"next":null');
  const shown = (await rig.conclave('sessions', 'show')).stdout;
  expect(shown).not.toMatch(/--apply {2}/);
  expect(shown).toContain('--apply --against-review  apply it against the code review');
});
