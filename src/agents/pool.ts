// Lists everyone who can take part, by name.
import { type Agent, bareTraits } from './agent.ts';
import { withBreaker } from './breaker.ts';
import { type CliAgentSettings, userSide } from './cli/cli-setup.ts';
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

/**
 * The known CLIs, every other configured name with a `path` as a program that prints our own events,
 * and the built-in analysts. A configured program cannot take the name of an analyst.
 */
export function agentPool({
  settings,
  environment,
  analysts,
}: {
  readonly settings: Readonly<Record<string, CliAgentSettings>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly analysts: readonly Agent[];
}): AgentPool {
  const configured = new Map(Object.entries(settings));
  const taken = new Set([...adapters, ...analysts].map(({ name }) => name));
  const programs = [...configured]
    .filter(([name, { path }]) => path !== undefined && !taken.has(name))
    .map(([name, { vendor }]) => programAdapter(name, vendor ?? null));

  const setups = new Map(
    [...adapters, ...programs].map((adapter) => [
      adapter.name,
      { adapter, settings: configured.get(adapter.name) ?? {}, environment },
    ]),
  );
  const models = [...setups.values()].map((setup) => withBreaker(cliAgent(setup)));
  const agents = new Map([...models, ...analysts].map((agent) => [agent.name, agent]));
  return {
    get: (name) => agents.get(name),
    describe: (name) => {
      const setup = setups.get(name);
      return setup === undefined ? undefined : describeProgram(setup);
    },
    modelOf: (name) => {
      const setup = setups.get(name);
      if (setup === undefined) return null;
      const own = setup.adapter.ownChoice?.(userSide(setup));
      return setup.settings.model ?? own?.model ?? null;
    },
    loginOf: (name) => {
      const setup = setups.get(name);
      return setup === undefined ? { state: 'unknown' } : loginOf(setup);
    },
    logIn: async (name) => {
      const setup = setups.get(name);
      if (setup === undefined) throw new Error(`${name} has no login`);
      await logIn(setup);
    },
    models: () => models,
    analysts,
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
