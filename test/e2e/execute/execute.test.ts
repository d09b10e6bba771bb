import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, checkedEdits, checkedPlan, todoEdits } from '../../helpers/executed-rig.ts';
import { planFiles } from '../../helpers/planned-rig.ts';

test('where nobody can be asked, nothing is carried out, applied or removed by a part of an id', async () => {
  const rig = await approvedRig(checkedEdits, { plan: checkedPlan });
  const id = basename(rig.session());
  const before = rig.contents('.workflow');
  for (const [words, does] of [
    [[], 'carry out'],
    [[id.slice(-4)], 'carry out'],
    [['--discard'], 'remove the result of'],
    [['--replan'], 'plan again'],
  ] as const) {
    const { code, stdout, stderr } = await rig.conclave('execute', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`This would ${does} “Add a --json flag to the list command`);
    expect(stderr).toContain('Add -y, or give the whole id.');
  }
  expect(rig.contents('.workflow')).toEqual(before);
  expect((await rig.conclave('execute', id)).code).toBe(0);
  const { code, stderr } = await rig.conclave('execute', '--apply');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('apply the result'),
  });
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  expect((await rig.conclave('sessions')).stdout).toContain('  applied  ');
});

test('an approved plan is carried out apart, and brought home by --apply; what is unproven, once it is accepted', async () => {
  const rig = await approvedRig(todoEdits);
  const planText = () => planFiles(rig)['plan.md'];
  const next = (flags = '') => `conclave execute ${basename(rig.session())}${flags}`;
  expect(planText()).toContain(next());
  // Nothing was carried out yet, so that there is nothing to take away.
  const facts = async () =>
    (await rig.conclave('sessions', 'show')).stdout.replaceAll(/\(.* ago\)/g, '');
  const before = await facts();
  expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
  expect(await facts()).toBe(before);
  const { code, stdout, stderr } = await rig.conclave('execute', '-y');
  expect(code).toBe(7);
  expect(stderr).toContain('0 of 3 tasks completed, 3 unproven');
  expect(stderr).toContain(`${next()} --accept TASK-001 TASK-003 TASK-002 --because`);
  expect(stdout).toContain('--apply');
  expect(await rig.git('status', '--short')).toBe('');
  expect(planText()).toContain('## What was done');
  expect(planText()).toContain('- **unproven**, TASK-001');
  expect(planText()).toContain(next(' --apply'));
  expect((await rig.conclave('sessions', 'show')).stdout).toContain(next(' --apply'));

  const accept = (...words: string[]) => rig.conclave('execute', '-y', '--accept', ...words);
  for (const [words, why] of [
    [['TASK-001'], 'needs a reason'],
    [['TASK-004', '--because', 'seen'], 'only an unproven task'],
  ] as const) {
    const refused = await accept(...words);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(why),
    });
  }
  const some = await accept('TASK-001', '--because', 'I ran it');
  expect({ code: some.code, stderr: some.stderr }).toEqual({
    code: 7,
    stderr: expect.stringContaining('TASK-003 is unproven'),
  });
  const all = await accept('TASK-002', 'TASK-003', '--because', 'I read it');
  expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' });
  expect(all.stdout).toContain('accepted: TASK-001 (I ran it)');
  expect(planText()).toContain('accepted: I ran it');
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ status: 'unproven' });

  const applied = await rig.conclave('execute', '-y', '--apply');
  expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
  expect(rig.read('src/commands/list.js')).toBe(
    todoEdits['TASK-001'].edits['src/commands/list.js'],
  );
  expect(await rig.git('worktree', 'list')).not.toContain('trees');
  const { stdout: shown } = await rig.conclave('sessions', 'show');
  for (const text of [planText(), shown]) {
    expect(text).toContain('merged into ');
    // Its branch is gone.
    expect(text).not.toContain(`conclave/${basename(rig.session())}`);
    expect(text).not.toContain('--apply');
    expect(text).not.toContain(next(' --discard'));
  }

  expect((await rig.conclave('execute', '-y', '--discard')).code).toBe(0);
  expect(planText()).not.toContain('## What was done');
  expect(planText()).toContain(next());
  expect(rig.json('.task/TASK-001.json')).not.toHaveProperty('status');
});
