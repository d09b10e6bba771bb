// A login that a vendor refused is refused for the whole session.
import { expect, test } from 'vitest';
import { calmVendor } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, witnessed } from '../helpers/vendors.ts';

test(
  'an agent whose login was refused neither plans nor reads the plan: it is asked once in a session',
  short,
  async () => {
    const rig = await todoRig();
    const refused = { exit: 1, stderr: 'Error: 401 Unauthorized' };
    const chosen = '[phases.planning]\nagent = "beta"\n';
    configureVendors(rig, { alpha: calmVendor, beta: { else: refused } }, chosen);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('"category":"not-logged-in"');
    const starts = witnessed(rig, 'beta').filter((line) => line.startsWith('start'));
    expect(starts).toEqual([expect.stringContaining('propose-1')]);
  },
);
