// The entry `conclave/agents`: executors, and the registry that treats built-in and own ones alike.
import { resolve } from 'node:path';
import { analystNames } from '../model/agent-settings.ts';
import { meaningOf } from '../agents/model-vocabulary.ts';
import type { AgentPool } from '../agents/pool.ts';
import { poolToAsk } from '../app/make-pool.ts';
import type { Settings } from '../app/settings/load-settings.ts';
import { openWorkplace } from '../app/workplace.ts';
import { wrongUsage } from '../model/failure.ts';
import { AgentName } from '../model/ids.ts';
import { agentExecutor } from './agent-executor.ts';
import type { Executor } from './executor.ts';
import { isFolder } from '../app/folders.ts';

export type {
  Executor,
  ExecutorEvent,
  ExecutorOptions,
  ExecutorType,
  ToolName,
  ToolPermissions,
} from './executor.ts';

/** Every executor of a project by its id: the agents that Conclave knows, and those of your own. */
export interface ExecutorRegistry {
  /** Adds an executor of your own. Throws if its id is taken or invalid. */
  register(executor: Executor): void;
  get(id: string): Executor | undefined;
  /** Lists the executors that are available now, your own first. */
  getAvailable(): Promise<readonly Executor[]>;
  /** The executor of an agent, in any case of letters: `claude`, or a name in the settings. */
  getForAgent(agentId: string): Executor | undefined;
  /**
   * The executor that answers with a model: one of your own that names it, or else the choice of
   * `--model`.
   */
  getForModel(model: string): Executor | undefined;
  /** The executors that were registered. */
  readonly own: readonly Executor[];
}

export interface RegistryOptions {
  /** The project, or a folder in it; by default the current folder. */
  readonly cwd?: string | undefined;
  /** The environment; by default that of the process. Agents get only what they need of it. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Opens the registry of a project, with the user’s settings for agents. No agent is called. Rejects
 * with an `Error` whose message says what is wrong with the settings.
 */
export async function openRegistry({
  cwd,
  environment = process.env,
}: RegistryOptions = {}): Promise<ExecutorRegistry> {
  const workplace = await openWorkplace({ cwd: await folderAt(cwd), environment, flags: [] });
  const pool = poolToAsk(workplace);
  const own = new Map<string, Executor>();
  const builtIn = builtInExecutors(pool, workplace.settings);
  const get = (id: string) => own.get(id) ?? builtIn(id);
  const names = () => [...own.keys(), ...pool.models().map(({ name }) => name)];
  const agentOf = (name: string) => {
    const meaning = meaningOf(name, names());
    return meaning.kind === 'agent' ? get(meaning.agent) : undefined;
  };
  return {
    register(executor) {
      checkId(executor.id, names());
      own.set(executor.id, executor);
    },
    get,
    async getAvailable() {
      const all = names().flatMap((name) => get(name) ?? []);
      const areThere = await Promise.all(all.map((one) => one.isAvailable().catch(() => false)));
      return all.filter((_, at) => areThere[at]);
    },
    getForAgent: agentOf,
    getForModel(model) {
      const claimed = names()
        .map(get)
        .find((one) => one?.models?.includes(model) === true);
      return claimed ?? agentOf(model) ?? builtIn(model);
    },
    get own() {
      return [...own.values()];
    },
  };
}

/** Makes each executor once, because it keeps its conversations; a model run by a CLI is one, too. */
function builtInExecutors(
  pool: AgentPool,
  { limits, conversation: { handOffTokens } }: Settings,
): (name: string) => Executor | undefined {
  const made = new Map<string, Executor>();
  return (name) => {
    const agent = pool.get(name);
    if (agent?.kind !== 'model') return undefined;
    const known = made.get(agent.name);
    if (known !== undefined) return known;
    const executor = agentExecutor(agent, {
      limits,
      handOffTokens,
      model: pool.modelOf(name),
      mayBeLoggedIn: () => pool.loginOf(name).state !== 'logged-out',
    });
    made.set(agent.name, executor);
    return executor;
  };
}

function checkId(id: string, taken: readonly string[]): void {
  const quoted = JSON.stringify(id);
  if (!AgentName.safeParse(id).success) {
    throw wrongUsage(
      `register: ${quoted} cannot be the id of an executor; it takes at most 32 lower-case letters, digits, "-" and "_".`,
    );
  }
  if ([...taken, ...analystNames, 'local'].includes(id)) {
    throw wrongUsage(`register: there is an executor ${quoted} already; take another id.`);
  }
}

/** Finds the absolute path of a folder. Throws `usage` if it does not exist. */
export async function folderAt(cwd = '.'): Promise<string> {
  const folder = resolve(cwd);
  if (await isFolder(folder)) return folder;
  throw wrongUsage(`cwd: ${folder} is not a folder.`);
}
