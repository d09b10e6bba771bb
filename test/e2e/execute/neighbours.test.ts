import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, checkedEdits, checkedPlan } from '../../helpers/executed-rig.ts';
import { ended } from '../../helpers/rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { witnessed } from '../../helpers/vendors.ts';

const planFlags = ['plan', '--auto-yes', '--max-rounds', '3'];

test('two executions and a planning at once end well, and no session blames or mixes with another', async () => {
  // The executions are at work when the planning begins.
  const first001 = {
    ...checkedEdits['TASK-001'],
    waits_for: ['.alpha/witness', 'start propose-1'],
  };
  const work = { ...checkedEdits, 'TASK-001': first001 };
  const rig = await approvedRig(work, { plan: checkedPlan });
  const first = basename(rig.session());
  expect((await rig.conclave(...planFlags, todoTask)).code).toBe(0);
  const second = basename(rig.session());
  rmSync(join(rig.home, '.alpha/witness'));
  const all = await Promise.all(
    [
      ['execute', first, '--json'],
      ['execute', second, '--json'],
      [...planFlags, '--json', todoTask],
    ].map((args) => ended(rig.start(...args))),
  );
  for (const { code, stdout, stderr } of all) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('"tree.changed"');
    expect(stdout).not.toContain('"agent.failed"');
  }
  const starts = (word: string) =>
    witnessed(rig, 'alpha').flatMap((line) => {
      const [what, key = '', , at] = line.split(' ');
      const isMeant = what === word && /-work$|^propose/.test(key);
      return isMeant ? [{ key, at: Number(at) }] : [];
    });
  const proposed = starts('start').find(({ key }) => key.startsWith('propose'))?.at ?? 0;
  expect(starts('end').at(-1)?.at).toBeGreaterThan(proposed);
  for (const id of [first, second]) {
    const log = await rig.git(
      'log',
      `conclave/${id}`,
      '--format=%(trailers:key=Conclave-Task,valueonly)',
    );
    const tasks = log.split(/\s+/).filter((text) => text !== '');
    expect(tasks.toSorted()).toEqual([1, 2, 3].map((number) => `${id}/TASK-00${number}`));
  }
  expect((await rig.git('branch', '--list', 'conclave/*')).trim().split(/\s+/).length).toBe(2);
  expect(await rig.git('status', '--short')).toBe('');
});
