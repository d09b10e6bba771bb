import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test(
  'a question in an empty folder starts no git, which would find no repository there',
  short,
  async () => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: { else: { answer: 'yes' } } });
    const log = join(rig.home, 'git.log');
    const bin = join(rig.home, 'own-bin');
    mkdirSync(bin);
    const script = `#!/bin/sh\necho "$@" >> '${log}'\nexec /usr/bin/git "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    rig.environment['PATH'] = `${bin}:${rig.environment['PATH']}`;
    expect(await rig.conclave('consult', '--agent', 'alpha', 'Is it so?')).toMatchObject({
      code: 0,
    });
    expect(existsSync(log)).toBe(false);
    await rig.conclave('work', '--agent', 'alpha', 'Say yes');
    expect(readFileSync(log, 'utf8')).not.toBe('');
  },
);
