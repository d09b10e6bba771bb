import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Receipt } from '../../src/model/receipt.ts';
import { having } from '../contract/processes.ts';
import { approvedRig, checkedEdits, checkedPlan } from '../helpers/executed-rig.ts';
import { program, type Rig } from '../helpers/rig.ts';

/** A machine that shares nothing with the owner but this computer: a home of its own, and the agents of the rig. */
export interface FakeMachine {
  readonly name: string;
  readonly home: string;
  /** The command that starts its worker. */
  readonly command: readonly string[];
  /** The pids of its processes. */
  processes(): readonly number[];
  /** What its worker keeps, by kind. */
  kept(folder: 'trees' | 'answers' | 'repositories'): readonly string[];
}

/** Makes machines with the agents that the rig has, and places each agent on the machines named for it. */
export async function withMachines(
  rig: Rig,
  agentsOf: Readonly<Record<string, readonly string[]>>,
  { through = [] }: { readonly through?: readonly string[] } = {},
): Promise<Readonly<Record<string, FakeMachine>>> {
  const own = rig.configured();
  const machines = Object.keys(agentsOf).map((name) => makeMachine(rig, name, own));
  const tables = machines.map(
    ({ name, command }) =>
      `[machines.${name}]\ncommand = ${JSON.stringify([...through, ...command])}\nagents = ${JSON.stringify(agentsOf[name])}\nslots = 4\n`,
  );
  rig.config(`${own}\n${tables.join('\n')}`);
  for (const { name } of machines) await rig.conclave('machines', 'allow', name);
  return Object.fromEntries(machines.map((machine) => [machine.name, machine]));
}

export function makeMachine(rig: Rig, name: string, config: string): FakeMachine {
  const home = join(rig.home, '..', name);
  mkdirSync(join(home, 'config/conclave'), { recursive: true });
  // The scripts of the agents stand in the owner’s home; there they would not be found.
  for (const file of readdirSync(rig.home).filter((entry) => entry.endsWith('.json')))
    cpSync(join(rig.home, file), join(home, file));
  for (const folder of readdirSync(rig.home).filter((entry) => /^\.(alpha|beta|gamma)/.test(entry)))
    mkdirSync(join(home, folder), { recursive: true });
  cpSync(join(rig.home, '.gitconfig'), join(home, '.gitconfig'));
  const moved = config.replaceAll(rig.home, home);
  writeFileSync(join(home, 'config/conclave/config.toml'), moved);
  for (const file of readdirSync(home).filter((entry) => entry.endsWith('.json')))
    writeFileSync(
      join(home, file),
      readFileSync(join(home, file), 'utf8').replaceAll(rig.home, home),
    );
  const variables = {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/data`,
  };
  const words = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
  const worker = `${home}/data/conclave/worker`;
  return {
    name,
    home,
    command: ['env', ...words, process.execPath, program, 'worker'],
    processes: () => having(`HOME=${home}`),
    kept: (folder) => {
      const path = join(worker, folder);
      const names = existsSync(path) ? readdirSync(path) : [];
      // A file that is just being written has another name.
      return folder === 'answers' ? names.filter((one) => /^[\w-]{36}\.json$/.test(one)) : names;
    },
  };
}

/** Where the agents of the newest session ran, as `alpha on east`. */
export function placesOf(rig: Rig): readonly string[] {
  const receipts = globSync('**/receipt*.json', { cwd: rig.session() }).map((path) =>
    Receipt.parse(JSON.parse(readFileSync(`${rig.session()}/${path}`, 'utf8'))),
  );
  const places = receipts.map(({ agent, machine }) => `${agent} on ${machine?.replace(/ .*/, '')}`);
  return [...new Set(places)].toSorted();
}

const listener = fileURLToPath(new URL('../fixtures/agents/false-worker.mjs', import.meta.url));

/** The words that put a worker of another mind, or one that listens, before the worker of a machine. */
export const asWorker = (how: string, machine: FakeMachine | undefined) => [
  'env',
  `FORGERY=${machine?.home}/data/conclave/worker/repositories`,
  `HEARD=${machine?.home}/heard`,
  process.execPath,
  listener,
  how,
];

/** Has a machine of the configuration reached through these words, where each order to it is written down. */
export async function overhear(
  rig: Rig,
  machine: FakeMachine,
  through: readonly string[],
): Promise<void> {
  const { command, name } = machine;
  const heard = [...through, ...asWorker('honest', machine), ...command];
  rig.config(rig.configured().replace(JSON.stringify(command), JSON.stringify(heard)));
  await rig.conclave('machines', 'allow', name);
}

/** The orders that the machine got, each with the commit that it is about. */
export function overheard({ home }: FakeMachine): readonly string[] {
  return readFileSync(`${home}/heard`, 'utf8').trim().split('\n');
}

/** What an agent on a machine wrote down itself. */
export function witnessOf({ home }: FakeMachine, agent: string): readonly string[] {
  const file = `${home}/.${agent}/witness`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** Changes what an agent does there. */
export function editScript(file: string, by: (script: Record<string, object>) => object): void {
  writeFileSync(file, JSON.stringify(by(JSON.parse(readFileSync(file, 'utf8')))));
}

/** The words of a process, each with NUL after it; empty for one that has ended. */
export function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** True for the process of a worker. */
export function isWorker(pid: number): boolean {
  return wordsOf(pid).endsWith('worker\0');
}

/** True for the process of an ssh client. */
export function isClient(pid: number): boolean {
  return wordsOf(pid).startsWith('ssh\0');
}

/** A plan whose first task has a check that runs a program. */
const programPlan = {
  ...checkedPlan,
  tasks: checkedPlan.tasks.map((task, at) =>
    at > 0
      ? task
      : {
          ...task,
          checks: [
            ...task.checks,
            {
              kind: 'command',
              argv: [
                'node',
                '-e',
                "const { readFileSync: read } = require('fs'); console.log('made in', read('made/home', 'utf8')); process.exit(read('src/commands/list.js', 'utf8').includes('--json') ? 0 : 1)",
              ],
              criterion: 0,
            },
          ],
        },
  ),
};

const setUp =
  "const fs = require('fs'); fs.mkdirSync('made'); fs.writeFileSync('made/home', process.env.HOME)";

/** The todo project with an approved plan, a set-up, and a check that tells where that was run. */
export async function setUpRig(): Promise<Rig> {
  const more = `\n[execution]\nsetup = ["node", "-e", ${JSON.stringify(setUp)}]\nconfine = false\n`;
  const project = {
    name: 'made',
    make: async (rig: Rig) => {
      rig.write('.gitignore', 'made/\n');
      await rig.git('add', '.gitignore');
      await rig.git('commit', '-qm', 'Ignore what is made');
    },
  };
  return await approvedRig(checkedEdits, { plan: programPlan, more, project });
}
