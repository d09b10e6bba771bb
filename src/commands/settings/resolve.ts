import type { RunLimits } from '../../agents/agent.ts';
import type { CliAgentSettings } from '../../agents/cli-agent.ts';
import { adapters } from '../../agents/list.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import { RunSettings } from '../../model/session.ts';
import { settingsTable } from '../../model/settings.ts';
import { listed } from '../../model/wording.ts';
import { type ContextSettings, contextSettings } from './context-settings.ts';
import { type Leaf, type Leaves, type Read, mergeLeaves, reader } from './leaf.ts';
import { analystNames, checkAgents, configuredAgents, expanded, withDefaults } from './roster.ts';

/** What the settings come to, checked. Paths are absolute, times in ms. */
export interface Resolved {
  readonly run: RunSettings;
  readonly autoYes: boolean;
  /** The agent that plans, or null for the first that took part. */
  readonly planner: string | null;
  readonly limits: RunLimits;
  readonly budget: BudgetLimits;
  readonly agents: Readonly<Record<string, CliAgentSettings>>;
  readonly context: ContextSettings;
  /** JSON Schemas of the user that extend ours. */
  readonly schemas: { readonly plan: string | undefined; readonly task: string | undefined };
  /** Any setting, in the words of the configuration. */
  readonly read: Read;
  /** One sentence each, for stderr. */
  readonly warnings: readonly string[];
  /** Each setting that holds, with where it was said, by its key. */
  readonly sources: readonly Leaf[];
}

/**
 * What the settings of all sources come to, in the order in which the later wins. Throws, blaming
 * the source, for an agent that nobody knows.
 */
export function resolveSettings(said: readonly Leaf[]): Resolved {
  const leaves = withDefaults(mergeLeaves(said));
  checkAgents(leaves);
  const read = reader(leaves);
  const planner = leaves.has(settingsTable.planner.path) ? read(settingsTable.planner) : null;
  const names = [...new Set([...configuredAgents(leaves), planner ?? []].flat())];
  return {
    run: runSettings(leaves, read),
    read,
    autoYes: read(settingsTable.autoYes),
    planner,
    limits: {
      firstOutputMs: read(settingsTable.firstOutputTimeout) * 1000,
      idleMs: read(settingsTable.idleTimeout) * 1000,
      totalMs: read(settingsTable.timeout) * 1000,
      graceMs: read(settingsTable.killGrace) * 1000,
    },
    budget: budgetLimits(read),
    agents: Object.fromEntries(names.map((name) => [name, agentSettings(read, name)])),
    context: contextSettings(leaves),
    schemas: { plan: read(settingsTable.planSchema), task: read(settingsTable.taskSchema) },
    warnings: [...modelWarnings(read, names), ...idleWarnings(leaves)],
    sources: [...leaves.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

function runSettings(leaves: Leaves, read: Read): RunSettings {
  const names = Object.keys(RunSettings.shape);
  const constraints = (read(settingsTable.constraints) ?? []).map((text) => text.trim());
  return RunSettings.parse({
    ...Object.fromEntries(names.map((name) => [name, leaves.get(`workflow.${name}`)?.value])),
    tools: expanded(read(settingsTable.tools)),
    fallback_chain: expanded(read(settingsTable.fallbackChain)),
    constraints: [...new Set(constraints.filter((text) => text !== ''))],
  });
}

function agentSettings(read: Read, name: string): CliAgentSettings {
  const model = whyNoModel(name) === null ? wantedModel(read, name) : undefined;
  const provider = model === undefined ? undefined : read(settingsTable.modelProvider, model);
  const seconds = read(settingsTable.agentTimeout, name);
  return {
    enabled: read(settingsTable.agentEnabled, name),
    path: read(settingsTable.agentPath, name),
    args: read(settingsTable.agentArgs, name),
    env: read(settingsTable.agentEnv, name),
    model,
    effort: read(settingsTable.agentEffort, name),
    vendor: read(settingsTable.agentVendor, name) ?? provider,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

function budgetLimits(read: Read): BudgetLimits {
  return {
    session: {
      usd: read(settingsTable.budgetUsd),
      tokens: read(settingsTable.budgetTokens),
      calls: read(settingsTable.budgetCalls),
      minutes: read(settingsTable.budgetMinutes),
    },
    round: {
      usd: read(settingsTable.roundUsd),
      tokens: read(settingsTable.roundTokens),
      calls: read(settingsTable.roundCalls),
      minutes: read(settingsTable.roundMinutes),
    },
  };
}

function wantedModel(read: Read, name: string): string | undefined {
  const ofPlanner =
    name === read(settingsTable.planner) ? read(settingsTable.plannerModel) : undefined;
  return read(settingsTable.agentModel, name) ?? ofPlanner;
}

/** Null for an agent whose model can be chosen. */
function whyNoModel(name: string): string | null {
  if (analystNames.includes(name)) return `${name} is built in and uses no model`;
  const adapter = adapters.find((one) => one.name === name);
  return adapter === undefined || adapter.can.model
    ? null
    : `${adapter.displayName} does not let a model be chosen`;
}

function modelWarnings(read: Read, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [model, why] = [wantedModel(read, name), whyNoModel(name)];
    return model === undefined || why === null
      ? []
      : [`The model "${model}" does not count: ${why}.`];
  });
}

/** What is set without any effect in this version, one sentence for each kind. */
function idleWarnings(leaves: Leaves): readonly string[] {
  const idle = [...leaves.values()].filter(({ setting }) => setting.idle !== undefined);
  return [...Map.groupBy(idle, ({ setting }) => setting.idle)].map(([why, said]) => {
    const keys = listed(said.map(({ key }) => key));
    return `${keys} ${said.length === 1 ? 'has' : 'have'} no effect yet: ${why}.`;
  });
}
