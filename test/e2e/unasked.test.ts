import { expect, test } from 'vitest';
import { z } from 'zod';
import { countedClis } from '../helpers/counted-clis.ts';
import { planning, proposing } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';

const Done = z.object({ spent: z.object({ waiting_ms: z.number(), since_start_ms: z.number() }) });

test.each([
  ['is carried out later', []],
  ['cannot be carried out, as its agent fails', ['--auto-execute', '--execution', 'alpha']],
])(
  'where a plan %s, --auto-yes probes no further agent, and waits for nobody',
  short,
  async (_, flags) => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: { propose: proposing(listSolution()), plan: planning } });
    const { probes, calls } = countedClis(rig);
    const args = ['plan', '--auto-yes', '--json', '--tools', 'alpha', '--depth', 'quick', todoTask];
    const { stdout } = await rig.conclave(...args, ...flags);
    const last =
      stdout
        .trim()
        .split('\n')
        .findLast((line) => line.includes('"waiting_ms"')) ?? '{}';
    expect({ probes: probes(), calls: calls() }).toEqual({ probes: [], calls: [] });
    const { spent } = Done.parse(JSON.parse(last));
    expect(spent.waiting_ms).toBe(0);
    expect(spent.since_start_ms).toBeGreaterThan(0);
  },
);
