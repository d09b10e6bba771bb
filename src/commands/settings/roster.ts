import { adapters } from '../../agents/list.ts';
import { settingsTable } from '../../model/settings.ts';
import { closestName } from '../closest-name.ts';
import { type Leaf, type Leaves, defaultLeaf, keyOf, mergeLeaves, reader } from './leaf.ts';

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
 * The settings with who sits and who stands in where nobody chose. Programs of the user’s own are
 * preferred to the default seats; a path of an agent that we know seats nobody. The seat of one
 * that is switched off goes to the next, as that of one that is not ready.
 */
export function withRoster(leaves: Leaves): Leaves {
  const read = reader(leaves);
  const isOn = (name: string): boolean => read(settingsTable.agentEnabled, name);
  const { tools, fallbackChain } = settingsTable;

  const own = programsIn(leaves).filter((name) => !adapterNames.includes(name) && isOn(name));
  const usual = [...new Set([...tools.default, ...fallbackChain.default, ...adapterNames])].filter(
    (name) => adapterNames.includes(name) && isOn(name),
  );
  const seats = (own.length > 0 ? own : usual).slice(0, 2);
  const defaults = [
    defaultLeaf(tools, seats.length > 0 ? seats : analystNames.filter(isOn)),
    defaultLeaf(fallbackChain, [...own, ...usual]),
  ];
  return mergeLeaves([defaults, [...leaves.values()]]);
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
    const candidates = leaf.setting.names === 'models' ? withModel : known;
    const missing = namedIn(leaf).find((name) => !candidates.includes(name));
    if (missing !== undefined) throw leaf.stop(unknownAgent(leaf, { missing, candidates }));
    checkAnalyst(leaf);
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

function unknownAgent(
  { path }: Leaf,
  { missing, candidates }: { missing: string; candidates: readonly string[] },
): string {
  const near = closestName(missing, candidates);
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  const own = ` A program of your own needs ${keyOf(['agents', missing, 'path'])}.`;
  const remedy = near === null || path[0] === 'agents' ? own : '';
  return `there is no agent "${missing}".${hint} Known agents: ${candidates.join(', ')}.${remedy}`;
}

function checkAnalyst(leaf: Leaf): void {
  const { setting, path } = leaf;
  const [table, name = ''] = path;
  if (table !== 'agents' || !analystNames.includes(name)) return;
  if (setting === settingsTable.agentEnabled || setting === settingsTable.agentModel) return;
  throw leaf.stop(`${keyOf(path)} cannot be set: ${name} is built in and starts no program.`);
}
