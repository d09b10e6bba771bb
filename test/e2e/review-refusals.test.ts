import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planAnswer } from '../faults/three-rounds.ts';
import { analysedRig, planFiles, planWith, plannedRig } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

describe('conclave review', () => {
  test('says that nobody can revise where no planning agent is ready, and changes nothing', async () => {
    const rig = await analysedRig('--auto-yes');
    rig.config('[workflow]\nfallback_chain = []\n');
    const before = planFiles(rig);
    const refused = await rig.conclave('review', '--comment', 'smaller');
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/No planning agent can revise .* --set TASK\.field=value/);
    expect(planFiles(rig)).toEqual(before);
  });

  test('refuses what cannot be in one sentence', short, async () => {
    const rig = await plannedRig();
    const before = planFiles(rig);
    const wrong = [
      [['--approve', '--reject'], '--approve and --reject exclude each other'],
      [['--approve', '--comment', 'x'], 'look at the new version first'],
      [['--set', 'title=x'], '--set takes TASK.field=value'],
      [['--comment', ' '], '--comment needs some text'],
      [['--comment', 'TASK-077: x'], '--comment names TASK-077, but the tasks of this plan are'],
      [
        ['--set', 'TASK-001.titel=x'],
        'TASK-001 has no field "titel"; "conclave schema task" lists the built-in ones',
      ],
    ] as const;
    for (const [flags, why] of wrong) {
      const { code, stdout, stderr } = await rig.conclave('review', ...flags);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(why);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(planFiles(rig)).toEqual(before);
  });

  test('says so where there is no plan yet', async () => {
    const rig = await todoRig();
    const none = await rig.conclave('review');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('No session here has a plan');
    planWith(rig, { answer: planAnswer });
    await rig.conclave('plan', ...leavingFlags.with(1, '99'), todoTask);
    const early = await rig.conclave('review', basename(rig.session()));
    expect(early).toMatchObject({ code: 2, stdout: '' });
    expect(early.stderr).toContain('has no plan yet');
  });

  test('names what makes the files unreadable, and what can be done then, until it is mended', async () => {
    const rig = await plannedRig();
    const id = basename(rig.session());
    const file = join(rig.session(), 'plan.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, '{ broken');
    const shown = await rig.conclave('review');
    expect(shown).toMatchObject({ code: 6, stderr: '' });
    expect(shown.stdout).toMatch(/^ +- blocking plan\.json is not JSON: line 1, column 3/m);
    expect(shown.stdout.split('Next: ')[1]).toBe(
      'fix these files in an editor and look again, or have a new plan written in a fork:\n' +
        `  conclave review ${id}\n  conclave sessions fork ${id}\n`,
    );
    for (const flags of [['--approve'], ['--set', 'TASK-001.title=x'], ['--comment', 'smaller']]) {
      const refused = await rig.conclave('review', ...flags);
      expect(refused).toMatchObject({ code: 6, stdout: '' });
      expect(refused.stderr).toMatch(
        /^conclave: The plan of MCP-\S+ cannot be read, so fix its files in an editor first: plan\.json is not JSON: [^\n]*\n$/,
      );
    }
    writeFileSync(file, text);
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
  });

  test('without a name shows the latest plan also where its plan.json is gone', async () => {
    const rig = await plannedRig();
    const older = basename(rig.session());
    await rig.conclave('plan', ...leavingFlags, todoTask);
    const latest = basename(rig.session());
    expect(latest).not.toBe(older);
    rmSync(join(rig.session(), 'plan.json'));
    const shown = await rig.conclave('review');
    expect(shown).toMatchObject({ code: 6, stderr: '' });
    expect(shown.stdout).toContain(`Session:  ${latest}`);
    expect(shown.stdout).toContain('no plan.json');
    expect(shown.stdout).toContain(`conclave sessions fork ${latest}`);
  });
});
