// Lists everyone who can take part, by name.
import type { Repository } from '../git/repository.ts';
import { type Agent, bareTraits } from './agent.ts';
import { apiAgent } from './api/api-agent.ts';
import type { ApiSettings, ApiSetup } from './api/api-setup.ts';
import { describeApi, keyState } from './api/describe-api.ts';
import { withBreaker } from './breaker.ts';
import { type CliAgentSettings, type CliSetup, userSide } from './cli/cli-setup.ts';
import { cliAgent } from './cli/cli-agent.ts';
import { type AgentProgram, describeProgram } from './cli/describe.ts';
import { adapters } from './cli/list.ts';
import { logIn, type Login, loginOf } from './cli/login.ts';
import { programAdapter } from './cli/program.ts';

/** Everyone who can take part in a session, by name. */
export interface AgentPool {
  get(name: string): Agent | undefined;
  /** The program that it is; undefined for an agent that is none. */
  describe(name: string): AgentProgram | undefined;
  /** The model that the user chose for it, in our settings or its own; null for its default. */
  modelOf(name: string): string | null;
  /** `unknown` for a built-in analyst. */
  loginOf(name: string): Login;
  /** Runs its own login in this terminal; see `logIn`. */
  logIn(name: string): Promise<void>;
  /** The agents with a model, in the order of the list; disabled ones, too. */
  models(): readonly Agent[];
  readonly analysts: readonly Agent[];
}

/** The user’s settings for one agent, whatever it is. */
export interface AgentSettings extends CliAgentSettings {
  /** Of a model behind an API, which starts no program. */
  readonly api?: ApiSettings | undefined;
}

interface PoolInput {
  readonly settings: Readonly<Record<string, AgentSettings>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly analysts: readonly Agent[];
  /** Read by models behind an API. */
  readonly repository: Repository;
}

/** One agent with a model, and what the commands about agents ask of it. */
interface Member {
  readonly agent: Agent;
  readonly program: AgentProgram;
  model(): string | null;
  login(): Login;
  logIn(): Promise<void>;
}

/**
 * The known CLIs, every other configured name with a `path` as a program that prints our own events or
 * with a provider as a model behind an API, and the built-in analysts. No configured name can be that
 * of an analyst.
 */
export function agentPool(input: PoolInput): AgentPool {
  const { analysts } = input;
  const members = new Map(membersOf(input).map((one) => [one.agent.name, one]));
  const models = [...members.values()].map(({ agent }) => agent);
  const agents = new Map([...models, ...analysts].map((agent) => [agent.name, agent]));
  return {
    get: (name) => agents.get(name),
    describe: (name) => members.get(name)?.program,
    modelOf: (name) => members.get(name)?.model() ?? null,
    loginOf: (name) => members.get(name)?.login() ?? { state: 'unknown' },
    logIn: async (name) => {
      const member = members.get(name);
      if (member === undefined) throw new Error(`${name} has no login`);
      await member.logIn();
    },
    models: () => models,
    analysts,
  };
}

function membersOf({ settings, environment, analysts, repository }: PoolInput): readonly Member[] {
  const configured = new Map(Object.entries(settings));
  const taken = new Set([...adapters, ...analysts].map(({ name }) => name));
  const own = [...configured].filter(([name]) => !taken.has(name));
  const known = adapters.map((adapter) =>
    cliMember({ adapter, settings: configured.get(adapter.name) ?? {}, environment }),
  );
  const others = own.flatMap(([name, one]) => {
    if (one.api !== undefined) {
      return [apiMember({ name, settings: one, api: one.api, environment, repository })];
    }
    if (one.path === undefined) return [];
    const adapter = programAdapter(name, one.vendor ?? null);
    return [cliMember({ adapter, settings: one, environment })];
  });
  return [...known, ...others];
}

function cliMember(setup: CliSetup): Member {
  const { adapter, settings } = setup;
  return {
    agent: withBreaker(cliAgent(setup)),
    program: describeProgram(setup),
    model: () => settings.model ?? adapter.ownChoice?.(userSide(setup)).model ?? null,
    login: () => loginOf(setup),
    logIn: () => logIn(setup),
  };
}

function apiMember(setup: ApiSetup & { readonly repository: Repository }): Member {
  return {
    agent: withBreaker(apiAgent(setup)),
    program: describeApi(setup),
    model: () => setup.api.model,
    login: () => keyState(setup),
    // There is nothing to run: the ways to give it a key are told.
    logIn: async () => undefined,
  };
}

/** Stands in for an agent of a recorded session that is no longer configured. */
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
