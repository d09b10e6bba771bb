// Lists all agents that can take part, by name.
import type { Repository } from '../git/repository.ts';
import { acpSetup } from './acp/acp-setup.ts';
import { presets } from './acp/programs.ts';
import { type Agent, bareTraits } from './agent.ts';
import { apiAgent, describeApi, keyState } from './api/api-agent.ts';
import type { ApiSettings, ApiSetup } from './api/api-setup.ts';
import { withBreaker } from './breaker.ts';
import { type CliAgentSettings, type CliSetup, losesLogin, userSide } from './cli/cli-setup.ts';
import { cliAgent } from './cli/cli-agent.ts';
import { type AgentProgram, describeProgram } from './cli/describe.ts';
import { adapters } from './cli/list.ts';
import { logIn, type Login, loginOf } from './cli/login.ts';
import { programAdapter } from './cli/own-program.ts';
import { agentNameOf, meaningOf, ownModels } from './model-vocabulary.ts';
import { findProgram } from './process/find-program.ts';

/** All agents that can take part in a session, by name. */
export interface AgentPool {
  get(name: string): Agent | undefined;
  /** The program facts of an agent; undefined if it has none. */
  describe(name: string): AgentProgram | undefined;
  /** The model that the user chose for it, in our settings or its own; null for its default. */
  modelOf(name: string): string | null;
  /** The login of an agent; `unknown` for a built-in analyst. */
  loginOf(name: string): Login;
  /** Runs its own login in this terminal; see `logIn`. */
  logIn(name: string): Promise<void>;
  /** The command that logs it in here; null if it has no login that it would see. */
  loginCommand(name: string): string | null;
  /** The agents with a model, in the order of the list, including disabled ones. */
  models(): readonly Agent[];
  readonly analysts: readonly Agent[];
}

/** The user’s settings for one agent of any kind. */
export interface AgentSettings extends CliAgentSettings {
  /** The settings of a model behind an API, which starts no program. */
  readonly api?: ApiSettings | undefined;
  /** The command of a program that speaks the Agent Client Protocol. */
  readonly acp?: readonly [string, ...string[]] | undefined;
  /** The mode in which such a program plans, in place of its usual one. */
  readonly mode?: string | undefined;
  /** The most runs of it at once in a session. */
  readonly atOnce?: number | undefined;
  /** The CLI that it is another name for. */
  readonly cli?: string | undefined;
}

interface PoolInput {
  readonly settings: Readonly<Record<string, AgentSettings>>;
  readonly environment: NodeJS.ProcessEnv;
  /** See `CliSetup.versions`. */
  readonly versions?: string | undefined;
  readonly analysts: readonly Agent[];
  /** The repository that models behind an API read. */
  readonly repository: Repository;
  /** Agents from the program that uses this one as a library. */
  readonly guests?: readonly Agent[] | undefined;
}

/** An agent with a model, and what the commands about agents need of it. */
interface Member {
  readonly agent: Agent;
  /** The program facts; undefined without any. */
  readonly program?: AgentProgram;
  model(): string | null;
  login(): Login;
  logIn(): Promise<void>;
  readonly loginCommand: string | null;
}

/**
 * Makes the pool: the known CLIs; each other configured name with a `path` as a program that prints
 * our own events, with a provider as a model behind an API, with `acp` as a program that speaks
 * that protocol, or with a CLI as another name for it; the known ACP programs that are installed;
 * the guests; and the built-in analysts. No configured name can be that of an analyst.
 */
export function agentPool(input: PoolInput): AgentPool {
  const { analysts, settings } = input;
  const members = new Map(membersOf(input).map((one) => [one.agent.name, one]));
  const models = [...members.values()].map(({ agent }) => agent);
  const readers = new Map(analysts.map((agent) => [agent.name, agent]));
  const known = [...members.keys(), ...readers.keys()];
  const own = ownModels(Object.entries(settings), { toRead: false });
  // A model that only a task names becomes an agent.
  const member = (name: string): Member | undefined => {
    const found = members.get(name);
    if (found !== undefined || readers.has(name)) return found;
    const meaning = meaningOf(name, known, own);
    if (meaning.kind === 'agent') return members.get(meaning.agent);
    const made =
      meaning.kind === 'model' ? modelMember(meaning, members, input) : acpMember(name, {}, input);
    if (made === null) return undefined;
    const one = members.get(made.agent.name) ?? made;
    members.set(made.agent.name, one).set(name, one);
    return one;
  };
  return {
    get: (name) => readers.get(name) ?? member(name)?.agent,
    describe: (name) => member(name)?.program,
    modelOf: (name) => member(name)?.model() ?? null,
    loginOf: (name) => member(name)?.login() ?? { state: 'unknown' },
    logIn: async (name) => {
      const found = member(name);
      if (found === undefined) throw new Error(`${name} has no login`);
      await found.logIn();
    },
    loginCommand: (name) => member(name)?.loginCommand ?? null,
    models: () => models,
    analysts,
  };
}

/** Makes an agent for a model that one CLI offers; it has its own name. */
function modelMember(
  { agent: cli, model }: { readonly agent: string; readonly model: string },
  members: ReadonlyMap<string, Member>,
  { settings, ...place }: PoolInput,
): Member | null {
  const isTaken = (name: string) => {
    const other = members.get(name);
    return other !== undefined && other.model()?.toLowerCase() !== model.toLowerCase();
  };
  const own = new Map(Object.entries(settings)).get(cli) ?? {};
  return namedCli(agentNameOf(model, isTaken), { ...own, cli, model }, place);
}

/** Makes a CLI with another name; null if there is no such CLI. */
function namedCli(
  name: string,
  settings: AgentSettings,
  { environment, versions }: Pick<PoolInput, 'environment' | 'versions'>,
): Member | null {
  const adapter = adapters.find((one) => one.name === settings.cli);
  if (adapter === undefined) return null;
  const place = { environment, versions };
  return cliMember({ adapter: { ...adapter, name }, settings, ...place });
}

function membersOf({
  settings,
  environment,
  versions,
  analysts,
  repository,
  guests = [],
}: PoolInput): readonly Member[] {
  const place = { environment, versions };
  const configured = new Map(Object.entries(settings));
  const taken = new Set([...adapters, ...analysts].map(({ name }) => name));
  const own = [...configured].filter(([name]) => !taken.has(name));
  const known = adapters.map((adapter) =>
    cliMember({ adapter, settings: configured.get(adapter.name) ?? {}, ...place }),
  );
  const others = own.flatMap(([name, one]) => {
    if (one.api !== undefined) {
      return [apiMember({ name, settings: one, api: one.api, environment, repository })];
    }
    if (one.cli !== undefined) return namedCli(name, one, place) ?? [];
    const speaker = acpMember(name, one, place);
    if (speaker !== null) return [speaker];
    if (one.path === undefined) return [];
    const adapter = programAdapter(name, one.vendor ?? null);
    return [cliMember({ adapter, settings: one, ...place })];
  });
  const found = [...presets].flatMap(([name, { command: [program] = [''] }]) => {
    const isThere = !configured.has(name) && findProgram(program, environment['PATH']) !== null;
    return isThere ? (acpMember(name, {}, place) ?? []) : [];
  });
  return [...known, ...others, ...found, ...guests.map(guestMember)];
}

/** Makes a program that speaks ACP, set up by the user or known by its name; null for any other. */
function acpMember(
  name: string,
  settings: AgentSettings,
  { environment, versions }: Pick<PoolInput, 'environment' | 'versions'>,
): Member | null {
  const command = settings.acp ?? presets.get(name)?.command;
  if (command === undefined) return null;
  const acp = { command, mode: settings.mode };
  return cliMember(acpSetup({ name, acp, settings, environment, versions }));
}

function cliMember(setup: CliSetup): Member {
  const { adapter, settings } = setup;
  return {
    agent: withBreaker(cliAgent(setup)),
    program: describeProgram(setup),
    model: () => settings.model ?? adapter.ownChoice?.(userSide(setup)).model ?? null,
    login: () => loginOf(setup),
    logIn: () => logIn(setup),
    loginCommand: adapter.loginState === undefined || losesLogin(setup) ? null : adapter.login,
  };
}

function apiMember(setup: ApiSetup & { readonly repository: Repository }): Member {
  return {
    agent: withBreaker(apiAgent(setup)),
    program: describeApi(setup),
    model: () => setup.api.model,
    login: () => keyState(setup),
    // There is nothing to run: the ways to give it a key are shown instead.
    logIn: async () => undefined,
    loginCommand: null,
  };
}

/** Makes a guest; only its program knows its model and its login. */
function guestMember(agent: Agent): Member {
  return {
    agent: withBreaker(agent),
    model: () => null,
    login: () => ({ state: 'unknown' }),
    logIn: async () => undefined,
    loginCommand: null,
  };
}

/**
 * Makes the pool of one session: an agent whose login was refused is not ready, and so not asked
 * again, while `refused` holds its name with the words of the refusal.
 */
export function poolWithout(refused: Map<string, string>, pool: AgentPool): AgentPool {
  return wrapAgents(pool, (agent) => untilRefused(agent, refused));
}

/** Makes the pool in which each agent is what `make` makes of it, once. */
export function wrapAgents(pool: AgentPool, make: (agent: Agent) => Agent): AgentPool {
  const made = new Map<Agent, Agent>();
  const wrap = (agent: Agent): Agent => {
    const one = made.get(agent) ?? make(agent);
    made.set(agent, one);
    return one;
  };
  return {
    ...pool,
    get(name) {
      const agent = pool.get(name);
      return agent === undefined ? undefined : wrap(agent);
    },
    models: () => pool.models().map(wrap),
  };
}

function untilRefused(agent: Agent, refused: Map<string, string>): Agent {
  const { name } = agent;
  return {
    ...agent,
    async ready(signal) {
      const why = refused.get(name);
      if (why === undefined) return await agent.ready(signal);
      return { state: 'not-logged-in', why, remedy: 'It is not asked again in this run.' };
    },
    async *run(request, signal) {
      const end = yield* agent.run(request, signal);
      if (!end.ok && end.failure.category === 'not-logged-in')
        refused.set(name, end.failure.detail.replace(/[.\s]+$/, ''));
      return end;
    },
  };
}

/** Replaces an agent of a recorded session that is no longer configured. */
export function absentAgent(name: string): Agent {
  const remedy = `Set it up again under [agents.${name}], or let another agent take the seat.`;
  return {
    name,
    traits: bareTraits(name),
    kind: 'model',
    ready: async () => ({ state: 'not-installed', why: `${name} is not configured`, remedy }),
    vendorOf: () => null,
    // oxlint-disable-next-line require-yield
    async *run() {
      throw new Error(`${name} was asked although it is not there`);
    },
  };
}
