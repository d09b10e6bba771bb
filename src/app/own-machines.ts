// Opens the machines of the user's configuration, and remembers which of them may get prompts and code.
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { AgentPool } from '../agents/pool.ts';
import { type Machines, openMachines, type PlacedMachine } from '../machines/placed-agents.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { digestOf } from '../store/digest.ts';
import { isAbsent } from '../store/system-error.ts';
import { writeUserJson } from '../store/small-file.ts';
import { dataFolder } from './user-folders.ts';
import type { Workplace } from './workplace.ts';

type Configured = Pick<Workplace, 'settings' | 'environment'>;

/** The machines that the user configured. */
export function machinesOf({ settings, environment }: Configured): readonly PlacedMachine[] {
  if (settings.machines.length === 0) return [];
  const allowed = allowedIn(environment);
  return settings.machines.map(({ mostMb, ...machine }) => ({
    ...machine,
    mostBytes: mostMb * 1_000_000,
    isAllowed: allowed[machine.name] === digestOf(machine.command),
  }));
}

/** Makes the pool whose agents run on their machines; a session holds its connections until it closes them. */
export function ownMachines(
  workplace: Configured,
  session: { readonly markPrefix: string } | null = null,
): Machines {
  const all = machinesOf(workplace);
  const { machine } = workplace.settings;
  if (machine !== null && !all.some(({ name }) => name === machine)) throw noMachine(machine);
  if (all.length === 0) return { place: (pool: AgentPool) => pool, close: async () => undefined };
  const { environment, settings } = workplace;
  return openMachines(all, {
    folder: `${dataFolder(environment)}/machines`,
    environment,
    graceMs: settings.limits.graceMs,
    chosen: settings.machine,
    atOnce: (agent) => settings.agents[agent]?.atOnce ?? Infinity,
    // A mark without a dot belongs to no run, and so starts no watcher.
    markPrefix: session?.markPrefix ?? `machine-${randomUUID()}-`,
    holds: session !== null,
  });
}

/** Remembers that prompts and code may go to a machine, as long as its command stays the same. */
export async function allowMachine(name: string, workplace: Configured): Promise<void> {
  const machine = workplace.settings.machines.find((one) => one.name === name);
  if (machine === undefined) throw noMachine(name);
  const { environment } = workplace;
  const allowed = { ...allowedIn(environment), [name]: digestOf(machine.command) };
  await writeUserJson(allowedFile(environment), allowed);
}

function noMachine(name: string) {
  return wrongUsage(`There is no machine ${name}; "conclave machines" lists them.`);
}

function allowedFile(environment: NodeJS.ProcessEnv): string {
  return `${dataFolder(environment)}/allowed-machines.json`;
}

function allowedIn(environment: NodeJS.ProcessEnv): Readonly<Record<string, unknown>> {
  try {
    const found = jsonIn(readFileSync(allowedFile(environment), 'utf8'));
    return isObject(found) ? found : {};
  } catch (error) {
    if (isAbsent(error)) return {};
    throw error;
  }
}
