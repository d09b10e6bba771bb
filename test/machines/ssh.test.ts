// Tests agents on machines that are reached by a real sshd.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../agents/agent-room.ts';
import { having } from '../contract/processes.ts';
import { checkedEdits, checkedPlan, workBy } from '../helpers/executed-rig.ts';
import { ended } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { editScript, isWorker, placesOf, withMachines, witnessOf } from './machine-rig.ts';
import { hasSshd, startSshd } from './sshd.ts';

const isClient = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('ssh\0');

describe.skipIf(!hasSshd)('by ssh', () => {
  test(
    'a plan is made and carried out by agents on two machines, and each gets the base once',
    short,
    async () => {
      const through = await startSshd();
      const rig = await todoRig();
      workBy(rig, checkedEdits, { plan: checkedPlan });
      const agents = { east: ['alpha'], west: ['beta'] };
      const { east, west } = await withMachines(rig, agents, { through });
      const planned = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(planned.stderr).toBe('');
      expect(planned.code).toBe(0);
      const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(placesOf(rig)).toEqual(['alpha on east', 'beta on west']);
      expect(rig.read('src/format.js')).toContain('export const formatJson');
      for (const machine of [east, west]) {
        await until('the machine is empty', () => machine?.processes().length === 0);
        expect(machine?.kept('trees')).toEqual([]);
        expect(machine?.kept('repositories')).toHaveLength(1);
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
        propose: { ...script['propose'], waits_for: ['go', 'yes'] },
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
      writeFileSync(`${east.home}/go`, 'yes');
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
