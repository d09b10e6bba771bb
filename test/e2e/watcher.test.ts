import { expect, test } from 'vitest';
import { survivors } from '../faults/three-rounds.ts';
import { ended } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, witnessed } from '../helpers/vendors.ts';

test(
  'agents end after the program that was killed, without anybody who resumes it',
  short,
  async () => {
    const rig = await todoRig();
    const slow = { propose: { delay_ms: 170_000 } };
    configureVendors(rig, { alpha: slow, beta: slow });
    const child = rig.start('plan', '--auto-yes', '--tools', 'alpha,beta', todoTask);
    const asked = () => ['alpha', 'beta'].map((name) => witnessed(rig, name).length);
    await expect.poll(asked).toEqual([1, 1]);
    expect(survivors(rig).length).toBeGreaterThan(2);
    child.kill('SIGKILL');
    await ended(child);
    await expect.poll(() => survivors(rig)).toEqual([]);
  },
);
