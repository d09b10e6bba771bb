// Opens the machines of the user's configuration, and remembers which of them may get prompts and code.
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { adapters } from '../agents/cli/list.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { type Machines, openMachines } from '../machines/placed-agents.ts';
import type { OwnMachine } from '../machines/reach-machine.ts';
import type { Machine } from '../machines/run-elsewhere.ts';
import { cleanText } from '../model/clean-text.ts';
import { wrongUsage } from '../model/failure.ts';
import { oneLine } from '../model/wording.ts';
import { digestOf } from '../store/digest.ts';
import { runProgram } from '../store/run-program.ts';
import { makeFolderNow } from '../store/make-folder.ts';
import { writeUserJson } from '../store/small-file.ts';
import { dataFolder, homeFolder } from './user-folders.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

type Configured = Pick<Workplace, 'settings' | 'environment' | 'root'>;

/** The machines that the user configured. */
export function machinesOf({ settings, ...place }: Configured): readonly OwnMachine[] {
  return settings.machines.map((machine) => ({
    ...machine,
    command:
      machine.container === undefined
        ? machine.command
        : containerCommand(machine.container, place),
    isAllowed: existsSync(allowedFile(machine, place.environment)),
  }));
}

/** Makes the pool whose agents run on their machines; a session holds its connections until it closes them. */
export function ownMachines(
  workplace: Configured,
  session: { readonly markPrefix: string } | null = null,
): Machines {
  const all = machinesOf(workplace);
  const { machine, agents } = workplace.settings;
  if (machine !== null) findNamed(all, machine);
  return openMachines(all, {
    reach: (one) => reachMachine(one, workplace, session?.markPrefix),
    chosen: machine,
    atOnce: (agent) => agents[agent]?.atOnce ?? Infinity,
    holds: session !== null,
  });
}

/** Reaches a machine by its command, or the workers of the queue where it has none. */
export async function reachMachine(
  machine: OwnMachine,
  workplace: Configured,
  // A mark without a dot belongs to no run, and so starts no watcher.
  markPrefix = `machine-${randomUUID()}-`,
): Promise<Machine> {
  const { environment } = workplace;
  const folder = `${dataFolder(environment)}/machines`;
  // Most users have no machine, and what travels takes a while to load.
  const { machineBy } = await import('../machines/run-elsewhere.ts');
  if (machine.command.length > 0) {
    const pipe = await import('../machines/reach-machine.ts');
    const mark = `${markPrefix}${machine.name}`;
    return machineBy(await pipe.reachMachine(machine, environment, mark), folder);
  }
  const { reachPool } = await import('../machines/queue-runs.ts');
  return machineBy(await reachPool(machine, await ownQueue(workplace)), folder);
}

/** The address, the key and the git remote of the queue. Throws `config` where one is missing. */
export async function ownQueue({ settings, environment: env }: Configured) {
  const { urlCommand = [], keyCommand = [], remote = null } = settings.queue;
  const read = async (words: readonly string[], missing: string) => {
    const name = `"${words[0]}"`;
    const said = words.length === 0 ? '' : await outputOf(words, { name, env });
    if (said === '') throw wrongUsage(missing);
    return said;
  };
  const noUrl = 'The queue has no address: set CONCLAVE_QUEUE, or queue.url_command.';
  const noKey = 'The queue has no key: set queue.key_command to a program that prints it.';
  const url = env['CONCLAVE_QUEUE'] || (await read(urlCommand, noUrl));
  return { url, key: await read(keyCommand, noKey), remote };
}

/** Runs a command of Conclave on a machine, in the folder that is there at the same place, and returns what it prints. */
export async function askMachine(
  name: string,
  words: readonly string[],
  { root, environment }: Pick<Configured, 'root' | 'environment'>,
): Promise<string> {
  const workplace = await openWorkplace({ cwd: root, environment, flags: [] });
  const command = [...findNamed(machinesOf(workplace), name).command];
  if (command.pop() !== 'worker')
    throw wrongUsage(
      `The command of ${name} does not end with "worker", so no other command can be run there.`,
    );
  const below = relative(homeFolder(environment), root);
  const folder = below.startsWith('..') ? root : below || '.';
  // The shell of the other machine reads the words, too.
  if (!/^[\w./@+-]+$/.test(folder))
    throw wrongUsage(`"${folder}" has characters that a shell on ${name} would read.`);
  return await outputOf([...command, ...words, '-C', folder], { name, env: environment });
}

/** Runs a program and returns its output without the last line break. Throws `usage` with the words of its error. */
async function outputOf(
  [command = '', ...args]: readonly string[],
  { name, env }: { readonly name: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const call = { command, args, env, signal: AbortSignal.timeout(30_000), maxOutput: 1e7 };
  const { exitCode, stdout, stderr, fault } = await runProgram(call);
  if (exitCode === 0) return stdout.toString().trimEnd();
  const why = oneLine(cleanText(stderr.toString())) || fault?.message;
  throw wrongUsage(`${name} does not answer: ${why ?? `it ended with ${exitCode}`}`);
}

/** Remembers that prompts and code may go to a machine, as long as its command stays the same. */
export async function allowMachine(
  name: string,
  { settings, environment }: Configured,
): Promise<void> {
  await writeUserJson(allowedFile(findNamed(settings.machines, name), environment), name);
}

/** The file that is there once the user has agreed to a machine: with another command or image, it is another one. */
function allowedFile(
  { name, command, container }: Configured['settings']['machines'][number],
  environment: NodeJS.ProcessEnv,
): string {
  const meaning = digestOf([name, command, container]);
  return `${dataFolder(environment)}/allowed-machines/${meaning}.json`;
}

/** The home of the agents inside a container. */
const homeInside = '/home/agent';

/**
 * The command that starts a worker in a container: with this program and the user’s logins of the agents mounted,
 * and nothing else of this machine.
 */
function containerCommand(
  container: string,
  { root, environment }: Pick<Configured, 'root' | 'environment'>,
): readonly string[] {
  if (container === 'devcontainer')
    return ['devcontainer', 'exec', '--workspace-folder', root, 'conclave', 'worker'];
  const engine = ['docker', 'podman'].find((one) => findProgram(one, environment['PATH']));
  const home = homeFolder(environment);
  const kept = `${dataFolder(environment)}/containers`;
  // An engine would make it as root.
  makeFolderNow(kept);
  const logins = adapters
    .flatMap(({ keepsIn }) => keepsIn)
    .filter((place) => existsSync(join(home, place)))
    .map((place) => `${join(home, place)}:${homeInside}/${place}`);
  const mounts = [`${kept}:${homeInside}`, `${packageRoot()}:/opt/conclave:ro`, ...logins];
  const { uid, gid } = userInfo();
  const words = `run --rm -i --init --user ${uid}:${gid} -e HOME=${homeInside}`.split(' ');
  const inside = [container, 'node', '/opt/conclave/dist/cli.js', 'worker'];
  return [engine ?? 'docker', ...words, ...mounts.flatMap((one) => ['-v', one]), ...inside];
}

/** The machine of this name. Throws `usage` where there is none. */
function findNamed<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw wrongUsage(`There is no machine ${name}; "conclave machines" lists them.`);
}
