// Tests agents on other machines over a pipe: what travels, what comes back, what is left.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExecutionResult } from '../../src/model/execution.ts';
import { approvedRig, checkedEdits, checkedPlan } from '../helpers/executed-rig.ts';
import { until } from '../agents/agent-room.ts';
import { ended } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import {
  editScript,
  type FakeMachine,
  isWorker,
  placesOf,
  setUpRig,
  withMachines,
  witnessOf,
} from './machine-rig.ts';

/** Kills the worker of a machine. */
function killWorker(machine: FakeMachine): void {
  for (const pid of machine.processes().filter(isWorker)) process.kill(pid, 'SIGKILL');
}

test(
  'a plan is made by agents on two machines, to each of which the base goes once',
  short,
  async () => {
    const rig = await twoVendors();
    rig.write('src/new.js', 'export const fresh = 1;\n');
    rig.write('.env', 'API_KEY=abcdefgh12345678abcdefgh\n');
    const { east, west } = await withMachines(rig, { east: ['alpha'], west: ['beta'] });
    const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(placesOf(rig)).toEqual(['alpha on east', 'beta on west']);
    for (const machine of [east, west]) {
      expect(machine?.kept('repositories')).toHaveLength(1);
      expect(machine?.kept('trees')).toEqual([]);
      expect(machine?.kept('answers')).toEqual([]);
      await until('the machine is empty', () => machine?.processes().length === 0);
    }
  },
);

test('tasks are done on a machine, and come home as work done here does', async () => {
  const rig = await approvedRig(checkedEdits, { plan: checkedPlan });
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(placesOf(rig)).toContain('alpha on east');
  expect(rig.read('src/commands/list.js')).toContain('--json');
  expect(rig.read('src/format.js')).toContain('export const formatJson');
  await until('the machine is empty', () => east?.processes().length === 0);
});

test('work that is larger than one line comes home', async () => {
  const large = randomBytes(1_500_000).toString('base64');
  const [task] = ['TASK-001'] as const;
  const { edits } = checkedEdits[task];
  const work = { ...checkedEdits, [task]: { edits: { ...edits, 'src/large.txt': large } } };
  const rig = await approvedRig(work, { plan: checkedPlan });
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
  expect(code, stdout).toBe(0);
  expect(rig.read('src/large.txt')).toBe(large);
  await until('the machine is empty', () => east?.processes().length === 0);
});

test('an owner that is killed takes its agents on the machine with it, and pays for no answer twice', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  if (east === undefined) throw new Error('no machine');
  // Beta waits, so that the owner dies with an answer of alpha on its way, and a run of beta under way.
  editScript(`${east.home}/beta.json`, (script) => ({
    ...script,
    propose: { ...script['propose'], waits_for: ['told', 'yes'] },
  }));
  const owner = rig.start('plan', '--auto-yes', todoTask);
  await until('alpha has answered', () => east.kept('answers').length > 0);
  await until('beta was asked', () =>
    witnessOf(east, 'beta').some((line) => line.startsWith('start propose')),
  );
  owner.kill('SIGKILL');
  await until('the machine is empty', () => east.processes().length === 0);
  await until('its trees are gone', () => east.kept('trees').length === 0);
  writeFileSync(`${east.home}/told`, 'yes');
  const { code, stderr } = await rig.conclave('resume', '-y');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(
    witnessOf(east, 'alpha').filter((line) => line.startsWith('start propose-1')),
  ).toHaveLength(1);
});

test('a worker that is killed is started again, and its run is made once more', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  if (east === undefined) throw new Error('no machine');
  editScript(`${east.home}/beta.json`, (script) => ({
    ...script,
    propose: { ...script['propose'], waits_for: ['told', 'yes'] },
  }));
  const owner = rig.start('plan', '--auto-yes', todoTask);
  await until('beta was asked', () => witnessOf(east, 'beta').length > 0);
  killWorker(east);
  await until('beta is asked again', () => witnessOf(east, 'beta').length > 1);
  writeFileSync(`${east.home}/told`, 'yes');
  expect((await ended(owner)).code).toBe(0);
  await until('the machine is empty', () => east.processes().length === 0);
});

test('an agent works on another machine where the first one is lost', async () => {
  const rig = await twoVendors();
  const { west } = await withMachines(rig, { east: ['alpha', 'beta'], west: ['alpha', 'beta'] });
  rig.config(rig.configured().replace(/(\[machines\.east\]\ncommand = ).*/, '$1["false"]'));
  await rig.conclave('machines', 'allow', 'east');
  const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(placesOf(rig)).toEqual(['alpha on west', 'beta on west']);
  await until('the machine is empty', () => west?.processes().length === 0);
});

test.each([
  [['false'], 'does not answer: the connection ended'],
  [
    ['sh', '-c', 'echo Welcome; echo no such user >&2; exit 1'],
    'the connection ended: no such user',
  ],
  [['nowhere-to-be-found'], 'there is no program nowhere-to-be-found'],
  [
    ['echo', '{"say":"hello","protocol":99,"version":"9.9.9","repositories":0}'],
    'speaks another version',
  ],
])('a machine that is reached by %j is not used, and the reason is told', async (command, why) => {
  const rig = await twoVendors();
  const own = rig.configured();
  rig.config(
    `${own}\n[machines.east]\ncommand = ${JSON.stringify(command)}\nagents = ["alpha", "beta"]\n`,
  );
  const first = await rig.conclave('plan', '--auto-yes', '--tools', 'alpha,beta', todoTask);
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('conclave machines allow east');
  expect((await rig.conclave('machines', 'allow', 'east')).stdout).toContain(why);
  const { code, stderr } = await rig.conclave(
    'plan',
    '--auto-yes',
    '--tools',
    'alpha,beta',
    todoTask,
  );
  expect(stderr).toContain(why);
  expect(code).toBe(3);
});

test('a greeting before the first line of the worker is no answer of it', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const words = east?.command.map((word) => `'${word}'`).join(' ');
  const greeted = ['sh', '-c', `echo 'Welcome to {east}'; exec ${words}`];
  rig.config(
    rig.configured().replace(/command = \["env".*\]/, `command = ${JSON.stringify(greeted)}`),
  );
  expect((await rig.conclave('machines', 'allow', 'east')).stdout).toContain('alpha: ready');
});

test('a machine without git says so, and the run ends with its reason', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const command = JSON.stringify(east?.command);
  const without = command.replace('"env",', '"env","PATH=/nowhere",');
  rig.config(rig.configured().replace(command, without));
  await rig.conclave('machines', 'allow', 'east');
  const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stdout).toContain('east cannot run it: Execution needs git; install it.');
});

test('the set-up and the checks of a task run on the machine of its agent, and the result names it', async () => {
  const rig = await setUpRig();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const { code, stderr } = await rig.conclave('execute', '-y');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { tasks } = ExecutionResult.parse(rig.json('execution-result.json'));
  const runs = tasks.flatMap(({ checks }) => checks).filter(({ kind }) => kind === 'command');
  const ofTask = runs.filter(({ moment }) => moment !== 'joined');
  expect(new Set(ofTask.map(({ moment }) => moment))).toEqual(
    new Set(['before', 'after', 'again']),
  );
  expect(ofTask.map(({ machine }) => machine)).toEqual(ofTask.map(() => 'east'));
  const told = ofTask.filter(({ check }) => check.includes('made/home'));
  expect(told.length).toBeGreaterThan(2);
  for (const { output } of told) expect(output).toContain(`made in ${east?.home}`);
  const joined = runs.filter(({ moment }) => moment === 'joined');
  expect(joined.map(({ machine }) => machine)).toEqual(joined.map(() => undefined));
  for (const one of tasks) expect(one.machine).toBe('east');
  await until('the machine is empty', () => east?.processes().length === 0);
});

test('with --machine every agent runs on that machine, whatever is configured', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { west: ['alpha', 'beta'], east: [] });
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--machine', 'east', todoTask);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(placesOf(rig)).toEqual(['alpha on east', 'beta on east']);
  await until('the machine is empty', () => east?.processes().length === 0);
});

test('the sessions on a machine are listed from here, in the folder at the same place', async () => {
  const rig = await twoVendors();
  await rig.conclave('plan', '--auto-yes', todoTask);
  const { east } = await withMachines(rig, { east: ['alpha'] });
  const [here, there] = [rig.home, east?.home ?? ''].map((home) => join(home, 'work/todo'));
  mkdirSync(here ?? '', { recursive: true });
  cpSync(rig.repo, there ?? '', { recursive: true });
  // A worker begins in the home there, as with ssh.
  const command = ['sh', '-c', `cd "$0" && exec "$@"`, east?.home, ...(east?.command ?? [])];
  rig.config(rig.configured().replace(JSON.stringify(east?.command), JSON.stringify(command)));
  const listed = await rig.conclave('sessions', 'list', '--machine', 'east', '-C', here ?? '');
  expect(listed.stderr).toBe('');
  expect(listed.stdout).toContain('Add a --json flag to the list command');
  const json = await rig.conclave(
    'sessions',
    'list',
    '--machine',
    'east',
    '--json',
    '-C',
    here ?? '',
  );
  expect(JSON.parse(json.stdout)).toHaveLength(1);
  expect((await rig.conclave('sessions', 'list', '-C', here ?? '')).stdout).toContain(
    'no saved sessions',
  );
  rmSync(there ?? '', { recursive: true });
  const gone = await rig.conclave('sessions', 'list', '--machine', 'east', '-C', here ?? '');
  expect(gone.stderr).toMatch(/^conclave: east does not answer: .*work\/todo/);
  expect(gone.code).toBe(2);
  const odd = join(rig.home, 'work/$(touch x)');
  mkdirSync(odd);
  const refused = await rig.conclave('sessions', 'list', '--machine', 'east', '-C', odd);
  expect(refused.stderr).toContain('characters that a shell on east would read');
});
