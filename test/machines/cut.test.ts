// Tests two machines as network namespaces, one of which is cut off.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../agents/agent-room.ts';
import { ended } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { editScript, placesOf, withMachines, witnessOf } from './machine-rig.ts';
import { hasSshd, startSshd } from './sshd.ts';

const ip = (...words: readonly string[]) =>
  spawnSync('ip', words, { stdio: 'ignore' }).status === 0;
const probe = `cc-probe-${process.pid}`;
const canCut = hasSshd && ip('netns', 'add', probe) && ip('netns', 'del', probe);
if (!canCut) console.warn('no network namespace can be made, so that the test of a cut is skipped');

/** Makes a namespace with an sshd, reached by a link of its own; returns how to reach it, and what cuts it off. */
async function startIsland(number: number) {
  const name = `cc-${process.pid}-${number}`;
  const [here, there] = [
    `cc${process.pid % 10_000}h${number}`,
    `cc${process.pid % 10_000}t${number}`,
  ];
  const net = `10.213.${(process.pid + number * 7) % 250}`;
  onTestFinished(() => void ip('netns', 'del', name));
  for (const words of [
    ['netns', 'add', name],
    ['link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name],
    ['addr', 'add', `${net}.1/24`, 'dev', here],
    ['link', 'set', here, 'up'],
    ['-n', name, 'addr', 'add', `${net}.2/24`, 'dev', there],
    ['-n', name, 'link', 'set', there, 'up'],
    ['-n', name, 'link', 'set', 'lo', 'up'],
  ])
    expect(ip(...words), words.join(' ')).toBe(true);
  const through = await startSshd({ address: `${net}.2`, within: ['ip', 'netns', 'exec', name] });
  return { through, cut: () => ip('link', 'set', here, 'down') };
}

test.skipIf(!canCut)('a session goes on with the other machine where one is cut off', async () => {
  const [one, other] = [await startIsland(1), await startIsland(2)];
  const rig = await twoVendors();
  const both = ['alpha', 'beta'];
  const { east, west } = await withMachines(rig, { east: both, west: both });
  if (east === undefined || west === undefined) throw new Error('no machines');
  rig.config(
    rig
      .configured()
      .replace(JSON.stringify(east.command), JSON.stringify([...one.through, ...east.command]))
      .replace(JSON.stringify(west.command), JSON.stringify([...other.through, ...west.command])),
  );
  for (const name of ['east', 'west']) await rig.conclave('machines', 'allow', name);
  for (const { home } of [east, west])
    editScript(`${home}/beta.json`, (script) => ({
      ...script,
      propose: { ...script['propose'], waits_for: ['told', 'yes'] },
    }));
  const owner = rig.start('plan', '--auto-yes', todoTask);
  const where = () => [east, west].find((machine) => witnessOf(machine, 'beta').length > 0);
  await until('beta was asked', () => where() !== undefined);
  const lost = where();
  (lost === east ? one : other).cut();
  const left = lost === east ? west : east;
  await until('beta is asked on the other one', () => witnessOf(left, 'beta').length > 0);
  writeFileSync(`${left.home}/told`, 'yes');
  expect((await ended(owner)).code).toBe(0);
  expect(placesOf(rig)).toContain(`beta on ${left.name}`);
});
