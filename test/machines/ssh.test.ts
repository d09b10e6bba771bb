// Tests agents on machines that are reached by a real sshd.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../agents/agent-room.ts';
import { having } from '../contract/processes.ts';
import { checkedPlan, workBy } from '../helpers/executed-rig.ts';
import { ended } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import {
  editScript,
  isClient,
  isWorker,
  overhear,
  overheard,
  placesOf,
  withMachines,
  witnessOf,
} from './machine-rig.ts';
import { hasSshd, startSshd } from './sshd.ts';

const numbers = [1, 2, 3, 4, 5];
const [first] = checkedPlan.tasks;

/** A plan whose tasks need nothing of each other. */
const fivePlan = {
  ...checkedPlan,
  tasks: numbers.map((number) => ({
    ...first,
    id: `TASK-00${number}`,
    source: { original_id: `T${number}` },
    title: `Write part ${number}`,
    description: `Write part ${number} into src/part${number}.js.`,
    files: [{ path: `src/part${number}.js`, action: 'create', change: 'The whole part.' }],
    test: undefined,
    checks: [
      { kind: 'text', path: `src/part${number}.js`, contains: `part${number}`, criterion: 0 },
    ],
  })),
};
const fiveEdits = Object.fromEntries(
  numbers.map((number) => [
    `TASK-00${number}`,
    { edits: { [`src/part${number}.js`]: `export const part${number} = 1;\n` } },
  ]),
);

describe.skipIf(!hasSshd)('by ssh', () => {
  test(
    'a plan with five tasks is made and carried out by agents on two machines, and the report names the machine of each run',
    short,
    async () => {
      const rig = await todoRig();
      workBy(rig, fiveEdits, { plan: fivePlan });
      const agents = { east: ['alpha'], west: ['beta'] };
      const { east, west } = await withMachines(rig, agents);
      if (east === undefined || west === undefined) throw new Error('no machines');
      for (const machine of [east, west]) await overhear(rig, machine, await startSshd());
      const base = await rig.git('rev-parse', 'HEAD');
      const planned = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(planned.stderr).toBe('');
      expect(planned.code).toBe(0);
      for (const task of ['.task/TASK-002.json', '.task/TASK-004.json']) {
        const meta = { execution_config: { method: 'cli', cli_tool: 'beta' } };
        editScript(`${rig.session()}/${task}`, (own) => ({ ...own, meta }));
      }
      expect((await rig.conclave('review', '--approve')).code).toBe(0);
      const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(placesOf(rig)).toEqual(['alpha on east', 'beta on west']);
      for (const number of numbers)
        expect(rig.read(`src/part${number}.js`)).toContain(`part${number}`);
      expect((await rig.conclave('report')).code).toBe(0);
      const report = readFileSync(`${rig.session()}/report.html`, 'utf8').replaceAll(
        /<style>.*?<\/style>|<[^>]*>/gs,
        '',
      );
      expect(report).toContain('TASK-001, TASK-003 and TASK-005 were done on east');
      expect(report).toContain('TASK-002 and TASK-004 were done on west');
      expect(report).toMatch(/alpha: .*on east/);
      expect(report).toMatch(/beta: .*on west/);
      for (const machine of [east, west]) {
        await until('the machine is empty', () => machine.processes().length === 0);
        expect(machine.kept('trees')).toEqual([]);
        expect(machine.kept('repositories')).toHaveLength(1);
        const bundles = overheard(machine).filter((order) => order.startsWith('bundle '));
        expect(bundles.filter((one) => one.includes(base.trim()))).toHaveLength(1);
        expect(new Set(bundles).size).toBe(bundles.length);
      }
    },
  );

  test.each(['worker', 'ssh client', 'owner'] as const)(
    'the session goes on where the %s is killed',
    async (who) => {
      const through = await startSshd();
      const rig = await twoVendors();
      const { east } = await withMachines(rig, { east: ['alpha', 'beta'] }, { through });
      if (east === undefined) throw new Error('no machine');
      editScript(`${east.home}/beta.json`, (script) => ({
        ...script,
        propose: { ...script['propose'], waits_for: ['told', 'yes'] },
      }));
      const owner = rig.start('plan', '--auto-yes', todoTask);
      await until(
        'beta was asked, and alpha has answered',
        () => witnessOf(east, 'beta').length > 0 && east.kept('answers').length > 0,
      );
      if (who === 'owner') owner.kill('SIGKILL');
      else if (who === 'worker')
        for (const pid of east.processes().filter(isWorker)) process.kill(pid, 'SIGKILL');
      else
        for (const pid of having(`HOME=${rig.home}`).filter(isClient)) process.kill(pid, 'SIGKILL');
      if (who === 'owner') await until('the machine is empty', () => east.processes().length === 0);
      writeFileSync(`${east.home}/told`, 'yes');
      const { code, stderr } =
        who === 'owner' ? await rig.conclave('resume', '-y') : await ended(owner);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(
        witnessOf(east, 'alpha').filter((line) => line.startsWith('start propose-1')),
      ).toHaveLength(1);
      await until('the machine is empty', () => east.processes().length === 0);
      await until('its trees are gone', () => east.kept('trees').length === 0);
    },
  );
});
