import type { CliAgentSettings } from '../../agents/cli-agent.ts';
import { adapters } from '../../agents/list.ts';
import type { Config } from '../../model/config.ts';
import { analystNames } from './defaults.ts';

type Configured = NonNullable<Config['agents']>[string];

/**
 * What was configured for each agent, with the model of the default agent and the vendors of
 * `[models]`. A model for an agent that takes none is left out, with a warning.
 */
export function agentSettings(config: Config): {
  readonly agents: Readonly<Record<string, CliAgentSettings>>;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const { cli, model } = config.agent ?? {};
  if (cli === undefined && model !== undefined) {
    warnings.push(
      `agent.model ("${model}") does not count without agent.cli, the agent it is for.`,
    );
  }
  const names = new Set([...Object.keys(config.agents ?? {}), ...(cli === undefined ? [] : [cli])]);
  const agents = [...names].map((name) => {
    const own = config.agents?.[name] ?? {};
    const wanted = own.model ?? (name === cli ? model : undefined);
    const refused = wanted === undefined ? null : whyNoModel(name);
    if (refused !== null) warnings.push(`The model "${wanted}" does not count: ${refused}.`);
    return [
      name,
      settingsOf({ ...own, model: refused === null ? wanted : undefined }, config),
    ] as const;
  });
  return { agents: Object.fromEntries(agents), warnings };
}

function whyNoModel(name: string): string | null {
  if (analystNames.includes(name)) return `${name} is built in and uses no model`;
  const adapter = adapters.find((one) => one.name === name);
  return adapter === undefined || adapter.can.model
    ? null
    : `${adapter.displayName} does not let a model be chosen`;
}

function settingsOf(
  own: Omit<Configured, 'model'> & { readonly model: string | undefined },
  config: Config,
): CliAgentSettings {
  const provider = own.model === undefined ? undefined : config.models?.[own.model]?.provider;
  const vendor = own.vendor ?? provider;
  return {
    ...(own.enabled === undefined ? {} : { enabled: own.enabled }),
    ...(own.path === undefined ? {} : { path: own.path }),
    ...(own.args === undefined ? {} : { args: own.args }),
    ...(own.env === undefined ? {} : { env: own.env }),
    ...(own.model === undefined ? {} : { model: own.model }),
    ...(vendor === undefined ? {} : { vendor }),
    ...(own.timeout === undefined ? {} : { timeoutMs: own.timeout * 1000 }),
  };
}
