// Runs `conclave machines`: shows the machines on which agents run, and allows one.
import { allowMachine, machinesOf, reachMachine } from '../app/own-machines.ts';
import { wrongUsage } from '../model/failure.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import type { OwnMachine } from '../machines/reach-machine.ts';
import { wordsOfError } from '../model/wording.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Lists the machines, each asked at once; with `allow` lets prompts and code go to one first. */
export async function machinesCommand(
  [word, name]: readonly string[],
  { root, environment, json }: CommonOptions,
): Promise<number> {
  if (word !== undefined && (word !== 'allow' || name === undefined)) {
    throw wrongUsage(
      `"conclave machines" takes no word "${word}"; to allow one: machines allow NAME`,
    );
  }
  const workplace = await openWorkplace({ cwd: root, environment, flags: [] });
  if (name !== undefined) await allowMachine(name, workplace);
  const looks = machinesOf(workplace).map((machine) => lookAt(machine, workplace));
  const machines = await Promise.all(looks);
  if (json) printJson({ machines });
  else printLines(...(machines.length === 0 ? [none] : machines.flatMap(linesOf)));
  return 0;
}

const none =
  'No machine is set up. To add one: conclave config set machines.NAME.command \'["ssh", "HOST", "conclave", "worker"]\'';

async function lookAt(machine: OwnMachine, workplace: Workplace) {
  const { name, command, isAllowed: allowed, slots, agents: named } = machine;
  const known = { name, command, allowed, slots };
  try {
    const { version, holds, find, close } = await reachMachine(machine, workplace);
    const agents = await find(named.length === 0 ? null : named).finally(close);
    return { ...known, version, why: null, holds, agents };
  } catch (error) {
    return { ...known, version: null, why: wordsOfError(error), holds: null, agents: [] };
  }
}

function linesOf(one: Awaited<ReturnType<typeof lookAt>>): readonly string[] {
  const rows = one.agents.map((agent) => {
    const state =
      agent.state === 'ready' ? `ready, ${agent.version ?? 'version unknown'}` : agent.why;
    return `  ${agent.name}: ${state}`;
  });
  const head =
    one.version === null
      ? `${one.name}  ${one.why}`
      : `${one.name}  Conclave ${one.version}, ${one.slots} at once, ${one.holds} there`;
  const ask = `  Prompts and code may not go there yet. To allow it: conclave machines allow ${one.name}`;
  return [head, ...rows, ...(one.allowed ? [] : [ask])];
}
