import { adapters } from '../../agents/list.ts';
import { settingsList, settingsTable } from '../../model/settings.ts';
import { tomlTables, type Setting } from '../../model/setting.ts';
import { suggestion } from '../closest-name.ts';
import { type Leaf, type Leaves, type Source, keyOf, leafOf, mergeLeaves, reader } from './leaf.ts';

/** The built-in analysts, which `local` stands for. */
export const analystNames: readonly string[] = ['structure', 'history'];

/**
 * Every name that a session may be given: our adapters, programs of the user’s own and the built-in
 * analysts.
 */
export function knownAgents(leaves: Leaves): readonly string[] {
  return [...new Set([...adapterNames, ...programsIn(leaves), ...analystNames])];
}

/**
 * The settings with what holds where nobody says otherwise. Where nobody chose who sits and who
 * stands in, programs of the user’s own are preferred to the default seats; a path of an agent that
 * we know seats nobody. The seat of one that is switched off goes to the next, as that of one that
 * is not ready. The default planner counts only for its model, as else the discussion plans.
 */
export function withDefaults(leaves: Leaves): Leaves {
  const isOn = (name: string): boolean => reader(leaves)(settingsTable.agentEnabled, name);
  const { tools, fallbackChain, planner, plannerModel } = settingsTable;

  const own = programsIn(leaves).filter((name) => !adapterNames.includes(name) && isOn(name));
  const usual = [...new Set([...tools.default, ...fallbackChain.default, ...adapterNames])].filter(
    (name) => adapterNames.includes(name) && isOn(name),
  );
  const seats = (own.length > 0 ? own : usual).slice(0, 2);
  return mergeLeaves([
    ...fixedDefaults(),
    defaultLeaf(tools, seats.length > 0 ? seats : analystNames.filter(isOn)),
    defaultLeaf(fallbackChain, [...own, ...usual]),
    ...(leaves.has(plannerModel.path) ? [defaultLeaf(planner, planner.default)] : []),
    ...leaves.values(),
  ]);
}

/** The agents that have a table of their own. */
export function configuredAgents(leaves: Leaves): readonly string[] {
  const paths = [...leaves.values()].map(({ path }) => path);
  return [...new Set(paths.flatMap(([table, name = '']) => (table === 'agents' ? [name] : [])))];
}

/** A list of agents with `local` replaced by the analysts it stands for, each name once. */
export function expanded(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === 'local' ? analystNames : [name])))];
}

/** Throws, blaming the setting, where one names an agent that does not exist. */
export function checkAgents(leaves: Leaves): void {
  const known = knownAgents(leaves);
  const withModel = known.filter((name) => !analystNames.includes(name));
  for (const leaf of leaves.values()) {
    // What a session was started with is known, though it may not be configured any more.
    if (leaf.source.name === 'the session') continue;
    const candidates = leaf.setting.names === 'models' ? withModel : known;
    const missing = namedIn(leaf).find((name) => !candidates.includes(name));
    if (missing !== undefined) throw stopAt(leaf, unknownAgent(leaf, missing, candidates));
    checkAnalyst(leaf);
    checkIsolation(leaf);
  }
}

const adapterNames: readonly string[] = adapters.map((adapter) => adapter.name);

/** The agents that have a path; an analyst is part of this program. */
function programsIn(leaves: Leaves): readonly string[] {
  const read = reader(leaves);
  return configuredAgents(leaves).filter(
    (name) => read(settingsTable.agentPath, name) !== undefined && !analystNames.includes(name),
  );
}

/** The agents that a setting names. */
function namedIn({ setting, path, value }: Leaf): readonly string[] {
  if (path[0] === 'agents') return path.slice(1, 2);
  if (setting.names === undefined) return [];
  return expanded([value].flat().map(String));
}

function unknownAgent({ setting }: Leaf, missing: string, candidates: readonly string[]): string {
  const own = ` A program of your own needs ${keyOf(['agents', missing, 'path'])}.`;
  const hint = suggestion(missing, candidates, own);
  const such = setting.names === 'models' ? 'agent with a model' : 'agent';
  return `names "${missing}", and there is no such ${such}.${hint} Known agents: ${candidates.join(', ')}`;
}

function checkAnalyst(leaf: Leaf): void {
  const { setting, path } = leaf;
  const [table, name = ''] = path;
  if (table !== 'agents' || !analystNames.includes(name)) return;
  if (setting === settingsTable.agentEnabled || setting === settingsTable.agentModel) return;
  throw stopAt(leaf, `cannot be set: ${name} is built in and starts no program`);
}

function checkIsolation(leaf: Leaf): void {
  const { setting, path, value } = leaf;
  if (setting !== settingsTable.agentIsolation) return;
  const choices: readonly unknown[] =
    adapters.find(({ name }) => name === path[1])?.isolations ?? [];
  if (choices.length === 0) {
    const why = `${path[1]} is a program of your own, and nothing is known of its servers and hooks`;
    throw stopAt(leaf, `cannot be set: ${why}`);
  }
  if (choices.includes(value)) return;
  const listed = choices.join(', ');
  throw stopAt(leaf, `must be one of ${listed} for ${path[1]}, not ${JSON.stringify(value)}`);
}

function stopAt({ source, path }: Leaf, demand: string): Error {
  return source.stop(path, demand);
}

/** A table that holds only as a whole has no defaults, and who plans is left to the discussion. */
function fixedDefaults(): readonly Leaf[] {
  const tables = tomlTables.filter(({ isWhole }) => isWhole !== true).map(({ path }) => path);
  return settingsList
    .filter((setting) => setting.default !== undefined && setting !== settingsTable.planner)
    .filter(({ path }) => !path.includes('*') && tables.includes(path.replace(/\.[^.]+$/, '')))
    .map((setting) => defaultLeaf(setting, setting.default));
}

function defaultLeaf(setting: Setting, value: unknown): Leaf {
  return leafOf({ setting, path: setting.path.split('.'), value, source: defaults });
}

const defaults: Source = {
  name: 'default',
  stop(path, demand) {
    throw new Error(`The default of ${keyOf(path)} ${demand}.`);
  },
};
