import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readJournalText } from '../../../src/store/journal-record.ts';
import { approvedRig, executedRig, workBy } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [1], ['b.txt']), task(3, [], ['c.txt'])]);
const doing = (a: string) => ({
  'TASK-001': { edits: { 'a.txt': a } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
  'TASK-003': { edits: { 'c.txt': 'c\n' } },
});

/** The tasks for whose work an agent was called, in order. */
function paid(rig: Rig): readonly string[] {
  const text = readFileSync(join(rig.session(), 'journal.jsonl'));
  return readJournalText(text, basename(rig.session())).records.flatMap((record) =>
    record.type === 'started' && record.kind === 'work'
      ? (/^execution-\d+\/(TASK-\d+)\//.exec(record.key)?.[1] ?? [])
      : [],
  );
}

test('--retry does a task again with the words of the user, and what builds on it, and nothing else', async () => {
  const rig = await executedRig(doing('first\n'), { plan });
  expect(paid(rig).toSorted()).toEqual(['TASK-001', 'TASK-002', 'TASK-003']);
  for (const [words, why] of [
    [['--note', 'x'], '--note needs --retry TASK'],
    [['--retry', 'TASK-009'], 'there is no such task; the plan has TASK-001'],
    [['--retry', 'TASK-001', '--discard'], '--retry and --discard exclude each other'],
  ] as const) {
    const { code, stderr } = await rig.conclave('execute', '-y', ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  }

  workBy(rig, doing('second\n'), { plan });
  const again = ['execute', '-y', '--retry', 'TASK-001', '--note', 'Say second, please.'];
  const { code, stderr } = await rig.conclave(...again);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(paid(rig).slice(3)).toEqual(['TASK-001', 'TASK-002']);
  const work = join(rig.session(), 'execution/1/TASK-001/work-alpha');
  // The second of this step.
  expect(readFileSync(join(work, 'prompt-2.md'), 'utf8')).toContain('Say second, please.');
  expect(readdirSync(work)).toContain('prompt.md');

  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  expect([rig.read('a.txt'), rig.read('b.txt'), rig.read('c.txt')]).toEqual([
    'second\n',
    'b\n',
    'c\n',
  ]);
  const late = await rig.conclave(...again);
  expect({ code: late.code, stderr: late.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('its work was applied already'),
  });
});

test('--retry of one task leaves another that failed as it is, and says of a blocked one what to retry', async () => {
  const rig = await approvedRig({ 'TASK-002': doing('')['TASK-002'] }, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(7);
  const blocked = await rig.conclave('execute', '-y', '--retry', 'TASK-002');
  expect({ code: blocked.code, stderr: blocked.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('it never began, because it needs TASK-001'),
  });
  const before = paid(rig).filter((id) => id === 'TASK-003').length;
  workBy(rig, doing('x\n'), { plan });
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-001')).code).toBe(7);
  expect(rig.json('execution-result.json')).toMatchObject({
    tasksSummary: '2 of 3 tasks completed, 1 failed',
  });
  expect(paid(rig).filter((id) => id === 'TASK-003')).toHaveLength(before);
  // It stays as it is until somebody says so.
  expect((await rig.conclave('execute', '-y')).code).toBe(7);
  expect(paid(rig).filter((id) => id === 'TASK-003')).toHaveLength(before);
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-003')).code).toBe(0);
});

const checksWith = (contains: string) =>
  `TASK-001.checks=${JSON.stringify([has('a.txt', contains)])}`;

test('a task done whose checks were changed runs only these again, and no agent is paid', async () => {
  const rig = await executedRig(doing('first\n'), { plan });
  const set = async (contains: string) =>
    (await rig.conclave('review', '--set', checksWith(contains), '--approve')).code;
  expect(await set('first')).toBe(0);
  const good = await rig.conclave('execute', '-y');
  expect({ code: good.code, stderr: good.stderr }).toEqual({ code: 0, stderr: '' });
  expect(good.stdout).toContain('only its checks ran again');
  expect(paid(rig)).toHaveLength(3);

  expect(await set('second')).toBe(0);
  const bad = await rig.conclave('execute', '-y');
  expect({ code: bad.code, stderr: bad.stderr }).toEqual({
    code: 7,
    stderr: expect.stringContaining('--retry TASK-001'),
  });
  expect(paid(rig)).toHaveLength(3);
  workBy(rig, doing('second\n'), { plan });
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-001')).code).toBe(0);
  expect(paid(rig).slice(3)).toEqual(['TASK-001', 'TASK-002']);
});

test('a completed task of which a check is left to a person can be accepted', async () => {
  const manual = { kind: 'manual', describes: 'It looks good', criterion: 0 };
  const looked = planOf([
    task(1, [], ['a.txt'], [has('a.txt', 'x'), manual]),
    task(2, [], ['b.txt']),
  ]);
  const rig = await approvedRig(doing('x\n'), { plan: looked });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  const accept = (id: string) =>
    rig.conclave('execute', '-y', '--accept', id, '--because', 'I looked');
  expect((await accept('TASK-002')).stderr).toContain('these are: TASK-001');
  const { code, stdout } = await accept('TASK-001');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('accepted: TASK-001 (I looked)'),
  });
});

test('a flag that would count for nothing ends with 2 and says so', async () => {
  const rig = await executedRig(doing('first\n'), { plan });
  for (const [words, why] of [
    [['--apply', '--jobs', '3'], '--apply carries no task out, so leave out --jobs.'],
    [['--apply', '--force'], '--apply carries no task out, so leave out --force.'],
    [['--apply', '--at', 'plan'], '--apply carries no task out, so leave out --at.'],
    [['--retry', 'TASK-001', '--at', 'plan'], '--at: the work has begun already'],
    [['--retry', 'TASK-001', '--force'], 'so leave out --force.'],
  ] as const) {
    const { code, stderr } = await rig.conclave('execute', '-y', ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  }
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
});

test('--at ends with 2 where an execution goes on that was broken off', short, async () => {
  const slow = { 'TASK-001': { edits: { 'a.txt': 'first\n' }, delay_ms: 600_000 } };
  const rig = await approvedRig(slow, { plan });
  const running = rig.start('execute', '-y', '--json');
  running.stdout?.on('data', (said) => {
    if (String(said).includes('"type":"task.started"')) running.kill('SIGINT');
  });
  expect(await once(running, 'exit')).toEqual([130, null]);
  const { code, stderr } = await rig.conclave('execute', '-y', '--at', 'plan');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--at: the work has begun already'),
  });
});

test('a comment on a line of the result is saved without a screen, and a retry sends it along', async () => {
  const one = { plan: planOf([task(1, [], ['a.txt'])]) };
  const rig = await executedRig({ 'TASK-001': { edits: { 'a.txt': 'first\n' } } }, one);
  const { stdout } = await rig.conclave('sessions', 'show', '--anchors');
  const [, anchor = ''] = /^(diff\.a\.txt\.\S+) {2}\+first$/m.exec(stdout) ?? [];
  const saved = await rig.conclave('review', '--comment', `${anchor}=Say second.`);
  expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('--retry TASK-001') });
  const comment = { on: 'result', task: 'TASK-001', anchor, quote: '+first', text: 'Say second.' };
  expect(rig.json('comments.json')).toMatchObject([{ ...comment, sent: null }]);
  workBy(rig, { 'TASK-001': { edits: { 'a.txt': 'second\n' } } }, one);
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-001')).code).toBe(0);
  expect(rig.json('comments.json')).toMatchObject([{ ...comment, sent: 1 }]);
  const work = join(rig.session(), 'execution/1/TASK-001/work-alpha');
  const prompt = readFileSync(join(work, 'prompt-2.md'), 'utf8');
  expect(prompt).toContain('a.txt, on the line “+first”: Say second.');
});
