// Says who takes part by the settings and their defaults, and refuses names of agents that do not exist.
import { analystNames } from '../../agents/analysts/built-in.ts';
import { adapters } from '../../agents/cli/list.ts';
import { mostReaders, settingsList, settingsTable } from '../../model/settings.ts';
import { tomlTables, type Setting } from '../../model/setting.ts';
import { chosenPhases } from '../../model/phase-choice.ts';
import { suggestion } from '../closest-name.ts';
import { carrierOf } from '../../agents/model-vocabulary.ts';
import { apiFault, acpFault } from './api-agents.ts';
import { apiModels, cliFault, nobodyFault, withModelAgents } from './model-agents.ts';
import { type Leaf, type Leaves, keyOf, mergeLeaves, pathOf, reader, soundSource } from './leaf.ts';

const adapterNames: readonly string[] = adapters.map(({ name }) => name);

/** Every agent that a session may have: our adapters, those that the user set up, the analysts. */
export function agentNamesIn(leaves: Leaves): readonly string[] {
  return [...new Set([...adapterNames, ...ownAgentsIn(leaves), ...analystNames])];
}

/** The agents that have a table of their own. */
export function agentTablesIn(leaves: Leaves): readonly string[] {
  const ofAgents = [...leaves.values()].filter(({ setting }) => setting.path.startsWith('agents.'));
  return [...new Set(ofAgents.map(({ name }) => name))];
}

/** The agents that have a path, a command of ACP, a provider or a CLI; an analyst is part of this program. */
function ownAgentsIn(leaves: Leaves): readonly string[] {
  return agentTablesIn(leaves).filter(
    (name) =>
      (isProgram(leaves, name) || isApi(leaves, name) || isOfCli(leaves, name)) &&
      !analystNames.includes(name),
  );
}

/** True for another name of a CLI. */
function isOfCli(leaves: Leaves, name: string): boolean {
  return reader(leaves)(settingsTable.agentCli, name) !== undefined;
}

function isProgram(leaves: Leaves, name: string): boolean {
  const read = reader(leaves);
  return (
    read(settingsTable.agentPath, name) !== undefined ||
    read(settingsTable.agentAcp, name) !== undefined
  );
}

function isApi(leaves: Leaves, name: string): boolean {
  return reader(leaves)(settingsTable.agentProvider, name) !== undefined;
}

/** Stands for the analysts wherever agents are named. */
const analystsWord = 'local';

/** Agent names with `local` replaced by the analysts it stands for, each name once. */
export function expandLocal(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === analystsWord ? analystNames : [name])))];
}

/**
 * The settings with the defaults. Where nobody chose the seats and the fallback chain, agents that the
 * user set up come first: programs among themselves, a model behind an API beside a CLI. A path of
 * one of our adapters seats nobody. Guests come before all of them. The default planner counts only
 * for its model, as otherwise an agent of the discussion plans.
 */
export function withDefaults(given: Leaves, guests: readonly string[] = []): Leaves {
  const leaves = withModelAgents(given, [...guests, ...agentNamesIn(given), analystsWord]);
  const isOn = (name: string): boolean => reader(leaves)(settingsTable.agentEnabled, name);
  const { tools, fallbackChain } = settingsTable;
  const own = ownAgentsIn(leaves).filter(
    (name) => !adapterNames.includes(name) && !isOfCli(leaves, name) && isOn(name),
  );
  const chain = [...new Set([...tools.default, ...fallbackChain.default, ...adapterNames])];
  const usual = chain.filter(isOn);
  const isAlone = own.some((name) => isProgram(leaves, name));
  const others = isAlone ? own : [...own, ...usual];
  const seats = [...guests, ...others].slice(0, 2);
  return mergeLeaves([
    ...settingsList.filter(hasFixedDefault).map((setting) => defaultLeaf(setting, setting.default)),
    defaultLeaf(tools, seats.length > 0 ? seats : analystNames.filter(isOn)),
    defaultLeaf(fallbackChain, [...guests, ...own, ...usual]),
    ...plannerOfModel(leaves),
    ...depthLeaves(reader(leaves)(settingsTable.depth), 'the depth'),
    ...leaves.values(),
  ]);
}

/**
 * The settings that count where only analysts are asked: nobody stands in for them, and neither a model
 * nor the server of the search that other settings name is asked in their place.
 */
export function withoutModels(leaves: Leaves): Leaves {
  const isLocal = expandLocal(reader(leaves)(settingsTable.tools)).every((name) =>
    analystNames.includes(name),
  );
  if (!isLocal) return leaves;
  const { fallbackChain } = settingsTable;
  const left = [...leaves.values()].filter(({ key }) => !askingOthers.test(key));
  return mergeLeaves([
    ...left,
    { ...defaultLeaf(fallbackChain, []), source: soundSource('the tools') },
  ]);
}

const askingOthers = /^(?:agent\.|context\.mcp\.|phases\.[^.]+\.(?:agent|model|effort)$)/;

/** The settings that a depth stands for; `source` names it to people. */
export function depthLeaves(
  depth: (typeof settingsTable.depth)['default'],
  source: string,
): readonly Leaf[] {
  const { maxRounds, planReaders } = settingsTable;
  const leaf = (setting: Setting, value: number): Leaf => {
    return { setting, name: '', key: setting.path, value, source: soundSource(source) };
  };
  if (depth === 'quick') return [leaf(maxRounds, 1), leaf(planReaders, 0)];
  return depth === 'deep' ? [leaf(maxRounds, 3), leaf(planReaders, mostReaders)] : [];
}

/** Sets the agent of a model as planner; empty where no model is chosen. */
function plannerOfModel(leaves: Leaves): readonly Leaf[] {
  const { planner, plannerModel } = settingsTable;
  const read = reader(leaves);
  const model = read(plannerModel);
  if (model === undefined) return [];
  const own = read(settingsTable.modelCli, model) ?? apiModels(leaves, { toRead: true }).get(model);
  return [defaultLeaf(planner, own ?? carrierOf(model) ?? planner.default)];
}

/** A table that holds only as a whole has no defaults. */
function hasFixedDefault(setting: Setting): boolean {
  const table = tomlTables.find(({ path }) => path === setting.path.replace(/\.[^.]+$/, ''));
  const isFixed = !setting.path.includes('*') && setting !== settingsTable.planner;
  return setting.default !== undefined && table?.isWhole !== true && isFixed;
}

function defaultLeaf(setting: Setting, value: unknown): Leaf {
  return { setting, name: '', key: setting.path, value, source: soundSource('default') };
}

/** Throws, blaming the source, where a setting is about an agent that does not exist or lacks it. */
export function checkAgents(leaves: Leaves, guests: readonly string[] = []): void {
  const settable = agentNamesIn(leaves);
  for (const leaf of leaves.values()) {
    // A session goes on with the agents of its start, whether or not they are still configured.
    if (leaf.source.name === 'the session') continue;
    // A guest is set up by its own program alone.
    const isTable = leaf.setting.path.startsWith('agents.');
    const known = isTable ? settable : [...guests, ...settable];
    const fault =
      analystFault(leaf) ??
      unknownAgent(leaf, known) ??
      apiFault(leaf, leaves, adapterNames) ??
      acpFault(leaf, leaves, adapterNames) ??
      cliFault(leaf, leaves) ??
      plannerModelFault(leaf, leaves) ??
      isolationFault(leaf) ??
      phaseFault(leaf, leaves);
    if (fault !== null) throw leaf.source.stop(pathOf(leaf.setting, leaf.name), fault);
  }
}

function unknownAgent(leaf: Leaf, known: readonly string[]): string | null {
  const nobody = missingFault(leaf, known);
  if (nobody !== null) return nobody;
  const isModel = leaf.setting.names === 'models';
  const candidates = known.filter((name) => !isModel || !analystNames.includes(name));
  const missing = namedIn(leaf).find((name) => !candidates.includes(name));
  if (missing === undefined) return null;
  const own = ` A program of your own needs ${keyOf(['agents', missing, 'path'])} or ${keyOf(['agents', missing, 'acp'])}, a model behind an API ${keyOf(['agents', missing, 'provider'])}.`;
  const hint = suggestion(missing, candidates, own);
  const agent = isModel ? 'agent with a model' : 'agent';
  return `names "${missing}", and there is no such ${agent}.${hint} Known agents: ${candidates.join(', ')}`;
}

/** A name that is one of a model, but of none that a CLI carries. */
function missingFault(leaf: Leaf, known: readonly string[]): string | null {
  if (leaf.setting.path.startsWith('agents.')) return null;
  const names = namedIn(leaf).filter((name) => !known.includes(name));
  const [fault = null] = names.flatMap((name) => nobodyFault(name, known) ?? []);
  return fault;
}

/** A model without an agent needs one that carries it. */
function plannerModelFault({ setting, value }: Leaf, leaves: Leaves): string | null {
  const { planner, plannerModel, modelCli } = settingsTable;
  if (setting !== plannerModel || reader(leaves)(modelCli, String(value)) !== undefined)
    return null;
  const isChosen = leaves.get(planner.path)?.source.name !== 'default';
  const isOwn = apiModels(leaves, { toRead: true }).has(String(value));
  return isChosen || isOwn ? null : nobodyFault(String(value), adapterNames);
}

/** The agents that a setting names. */
function namedIn({ setting, name, value }: Leaf): readonly string[] {
  if (setting.path.startsWith('agents.')) return [name];
  return setting.names === undefined ? [] : expandLocal([value].flat().map(String));
}

function analystFault({ setting, name }: Leaf): string | null {
  if (setting.path.startsWith('agents.') && name === analystsWord) {
    return `cannot be set: "${analystsWord}" stands for the built-in analysts; take another name`;
  }
  const isAnalyst = setting.path.startsWith('agents.') && analystNames.includes(name);
  if (!isAnalyst || setting === settingsTable.agentEnabled) return null;
  return `cannot be set: ${name} is built in; it starts no program and uses no model`;
}

function isolationFault({ setting, name, value }: Leaf): string | null {
  if (setting !== settingsTable.agentIsolation) return null;
  const choices: readonly unknown[] = adapters.find((one) => one.name === name)?.isolations ?? [];
  if (choices.includes(value)) return null;
  return `cannot be ${JSON.stringify(value)}: ${name} takes ${choices.join(', ') || 'nothing'}`;
}

/** A model and an effort are words of one agent, so they say nothing without it. */
function phaseFault({ setting, name, value }: Leaf, leaves: Leaves): string | null {
  const { phaseAgent, phaseModel, phaseEffort } = settingsTable;
  if (![phaseAgent, phaseModel, phaseEffort].some(({ path }) => path === setting.path)) return null;
  if (!chosenPhases.some((phase) => phase === name)) {
    const hint = suggestion(name, chosenPhases);
    return `cannot be set: "${name}" is not a phase for which an agent can be chosen.${hint} They are: ${chosenPhases.join(', ')}`;
  }
  if (setting === phaseAgent && name === 'execution' && isApi(leaves, String(value))) {
    return `cannot be "${String(value)}": a model behind an API only reads, and edits no file`;
  }
  const agent = keyOf(pathOf(phaseAgent, name));
  return leaves.has(agent) ? null : `needs ${agent}, as it is a word of one agent`;
}
