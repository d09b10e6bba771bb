// Says which agents take part by the settings and defaults, and makes an agent of each named model.
import { analystNames } from '../../model/agent-settings.ts';
import { presets } from '../../agents/acp/programs.ts';
import { adapters } from '../../agents/cli/list.ts';
import {
  agentNameOf,
  carrierOf,
  meaningOf,
  ownModels,
  type OwnModels,
} from '../../agents/model-vocabulary.ts';
import { settingsList, settingsTable } from '../../model/settings.ts';
import { type Setting, longFlag } from '../../model/setting.ts';
import { type Leaf, type Leaves, leafFor, leafOf, mergeLeaves, reader } from './leaf.ts';

const { workflow, agent: planner, agents, phases } = settingsTable;

/** The names of the known CLIs. */
export const adapterNames: readonly string[] = adapters.map(({ name }) => name);

/** All agents that a session may have: our adapters, those that the user set up, known ones, the analysts. */
export function agentNamesIn(leaves: Leaves): readonly string[] {
  return [
    ...new Set([...adapterNames, ...ownAgentsIn(leaves), ...presets.keys(), ...analystNames]),
  ];
}

/** The agents that have their own table. */
export function agentTablesIn(leaves: Leaves): readonly string[] {
  const ofAgents = [...leaves.values()].filter(isOfAgent);
  return [...new Set(ofAgents.map(({ name }) => name))];
}

/** True for a setting in the table of an agent. */
export function isOfAgent({ setting }: Pick<Leaf, 'setting'>): boolean {
  return setting.path.startsWith('agents.');
}

/** The agents with a path, an ACP command, a provider or a CLI; known programs and analysts need none. */
function ownAgentsIn(leaves: Leaves): readonly string[] {
  const { path, acp, provider, cli } = agents;
  return agentTablesIn(leaves).filter((name) => {
    const kinds = presets.has(name) ? [acp, provider, cli] : [path, acp, provider, cli];
    return hasAny(leaves, name, kinds) && !analystNames.includes(name);
  });
}

function hasAny(leaves: Leaves, name: string, settings: readonly Setting[]): boolean {
  return settings.some((setting) => leafFor(leaves, setting, name) !== undefined);
}

/** The word for the analysts wherever agents are named. */
export const analystsWord = 'local';

/** Agent names with `local` replaced by the analysts, each name once. */
export function expandLocal(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === analystsWord ? analystNames : [name])))];
}

/** The agents that are known without any setting. */
export interface Roster {
  /** The agents of the program that contains this one. */
  readonly guests?: readonly string[];
  /** Those that answered the last probe, which may stand in although nobody named them. */
  readonly answered?: readonly string[];
}

/**
 * Adds the defaults to the settings. If the user has not chosen the seats and the fallback chain, agents that the
 * user set up come first: programs among themselves, a model behind an API next to a CLI. A path to one of our
 * adapters does not seat it. Guests come before all of them. The default planner applies only with its model;
 * otherwise an agent of the discussion plans.
 */
export function withDefaults(given: Leaves, { guests = [], answered = [] }: Roster = {}): Leaves {
  const leaves = withModelAgents(given, [...guests, ...agentNamesIn(given), analystsWord]);
  const read = reader(leaves);
  const isOn = (name: string): boolean => read(agents.enabled, name);
  const { tools, fallbackChain, depth } = workflow;
  const own = ownAgentsIn(leaves).filter(
    (name) => !adapterNames.includes(name) && !hasAny(leaves, name, [agents.cli]) && isOn(name),
  );
  const usualNames = adapters.filter(({ isUntried }) => isUntried !== true).map(({ name }) => name);
  const known = [...tools.default, ...fallbackChain.default, ...usualNames, ...answered];
  const chain = [...new Set(known)].filter(
    (name) => adapterNames.includes(name) || presets.has(name),
  );
  const usual = chain.filter(isOn);
  const isAlone = own.some((name) => hasAny(leaves, name, [agents.path, agents.acp]));
  const others = isAlone ? own : [...own, ...usual];
  const seats = [...guests, ...others].slice(0, 2);
  return mergeLeaves([
    ...settingsList.filter(hasFixedDefault).map((one) => byDefault(one, one.default)),
    byDefault(tools, seats.length > 0 ? seats : analystNames.filter(isOn)),
    byDefault(fallbackChain, [...guests, ...own, ...usual]),
    ...plannerOfModel(leaves).map((name) => byDefault(planner.cli, name)),
    ...depthLeaves(read(depth), 'the depth'),
    ...leaves.values(),
  ]);
}

function byDefault(setting: Setting, value: unknown): Leaf {
  return leafOf(setting, value, { source: 'default' });
}

function hasFixedDefault(setting: Setting): boolean {
  const isFixed = !setting.path.includes('*') && setting !== planner.cli;
  return setting.default !== undefined && isFixed;
}

/** The agent that plans with the chosen planner model; empty if none is chosen. */
function plannerOfModel(leaves: Leaves): readonly string[] {
  const model = reader(leaves)(planner.model);
  if (model === undefined) return [];
  const own = apiModels(leaves, { toRead: true }).get(model);
  return [own ?? carrierOf(model) ?? planner.cli.default];
}

/**
 * Removes every setting that has a model or a search server asked, if all seats belong to analysts. No agent
 * stands in for them then, either.
 */
export function withoutModels(leaves: Leaves): Leaves {
  const seats = expandLocal(reader(leaves)(workflow.tools));
  if (!seats.every((name) => analystNames.includes(name))) return leaves;
  const left = [...leaves.values()].filter(({ key }) => !askingOthers.test(key));
  return mergeLeaves([...left, leafOf(workflow.fallbackChain, [], { source: 'the tools' })]);
}

const askingOthers = /^(?:agent\.|context\.mcp\.|phases\.[^.]+\.(?:agent|model|effort)$)/;

/** Sets the number of rounds for a depth; `source` names it to people. */
function depthLeaves(depth: (typeof workflow.depth)['default'], source: string): readonly Leaf[] {
  const { maxRounds } = workflow;
  if (depth === 'normal') return [];
  return [leafOf(maxRounds, depth === 'quick' ? 1 : maxRounds.default, { source })];
}

/** A depth given by flags for a resumed session overrides what the session has kept. */
export function depthOfFlags(flags: readonly Leaf[]): readonly Leaf[] {
  const leaves = mergeLeaves(flags);
  const isSaid = leafFor(leaves, workflow.depth) !== undefined;
  return isSaid ? depthLeaves(reader(leaves)(workflow.depth), longFlag(workflow.depth)) : [];
}

/** The agents that are models behind an API, by these models. */
export function apiModels(leaves: Leaves, how: { readonly toRead: boolean }): OwnModels {
  const models = [...leaves.values()].filter(({ setting }) => setting === agents.model);
  const own = models.map(({ name, value }) => {
    const isApi = hasAny(leaves, name, [agents.provider]);
    return [name, { api: isApi ? { model: String(value) } : undefined }] as const;
  });
  return ownModels(own, how);
}

/**
 * Adds an agent to the leaves for each model that `--tools`, a chain, the planner or a phase names: the agent
 * has its own seat, and the model’s name in keys, folders and receipts. `known` are the names of agents.
 */
function withModelAgents(leaves: Leaves, known: readonly string[]): Leaves {
  const made: Leaf[] = [];
  const readers = apiModels(leaves, { toRead: true });
  const editors = apiModels(leaves, { toRead: false });
  const all = [...leaves.values()].map((leaf) => {
    if (leaf.setting.names === undefined) return leaf;
    const read = (name: unknown) => agentNamed(String(name), leaf);
    const value = Array.isArray(leaf.value) ? leaf.value.map(read) : read(leaf.value);
    return { ...leaf, value };
  });

  function agentNamed(said: string, { source, setting, name: phase }: Leaf): string {
    const edits = setting === phases.agent && phase === 'execution';
    const meaning = meaningOf(said, known, edits ? editors : readers);
    // A settings file accepts the default planner only in lower case.
    const isMisspelt = setting === planner.cli && said !== said.toLowerCase();
    if (meaning.kind === 'agent') return isMisspelt ? said : meaning.agent;
    if (meaning.kind !== 'model') return said;
    const name = agentNameOf(meaning.model, (taken) => isOther(taken, meaning));
    made.push(leafOf(agents.cli, meaning.agent, { name, source }));
    made.push(leafOf(agents.model, meaning.model, { name, source }));
    return name;
  }

  /** True for an agent that has this name but another model, or that is not made from a model. */
  function isOther(taken: string, { model }: { readonly model: string }): boolean {
    const leaf =
      leafFor(leaves, agents.model, taken) ?? leafFor(mergeLeaves(made), agents.model, taken);
    const isFree = leaf === undefined && !known.includes(taken);
    return !isFree && String(leaf?.value).toLowerCase() !== model.toLowerCase();
  }

  return mergeLeaves([...all, ...made.filter(({ key }) => !leaves.has(key))]);
}
