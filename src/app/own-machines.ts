// Opens the machines of the user's configuration, and remembers which of them may get prompts and code.
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { AgentPool } from '../agents/pool.ts';
import { type Machines, openMachines, type PlacedMachine } from '../machines/placed-agents.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { digestOf } from '../store/digest.ts';
import { runProgram } from '../store/run-program.ts';
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
  return openMachines(all, machinesPlace(workplace, session));
}

/** What reaching a machine needs of this one. */
export function machinesPlace(
  workplace: Configured,
  session: { readonly markPrefix: string } | null,
) {
  const { environment, settings } = workplace;
  return {
    folder: `${dataFolder(environment)}/machines`,
    environment,
    graceMs: settings.limits.graceMs,
    queue: () => ownQueue(workplace),
    chosen: settings.machine,
    atOnce: (agent: string) => settings.agents[agent]?.atOnce ?? Infinity,
    // A mark without a dot belongs to no run, and so starts no watcher.
    markPrefix: session?.markPrefix ?? `machine-${randomUUID()}-`,
    holds: session !== null,
  };
}

/** The address and the key of the queue. Throws `config` where one is missing. */
export async function ownQueue({ settings, environment }: Configured) {
  const { urlCommand, keyCommand } = settings.queue;
  const url = environment['CONCLAVE_QUEUE'] ?? (await printedBy(urlCommand, environment));
  const key = await printedBy(keyCommand, environment);
  if (!url) throw wrongUsage('The queue has no address: set CONCLAVE_QUEUE, or queue.url_command.');
  if (!key)
    throw wrongUsage('The queue has no key: set queue.key_command to a program that prints it.');
  return { url, key };
}

async function printedBy(
  words: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const [command, ...args] = words ?? [];
  if (command === undefined) return null;
  const call = { command, args, env, signal: AbortSignal.timeout(30_000), maxOutput: 65_536 };
  const { exitCode, stdout } = await runProgram(call);
  if (exitCode === 0) return stdout.toString().trim();
  throw wrongUsage(
    `"${command}" printed nothing for the queue: it ended with ${exitCode ?? 'no code'}.`,
  );
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
