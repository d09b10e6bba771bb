import { closestName } from '../closest-name.ts';
import { analystNames } from './defaults.ts';
import { type Leaf, type Leaves, keyOf } from './leaf.ts';
import { type Roster, expanded } from './roster.ts';

/** Throws, blaming the setting, where one names an agent that there is not. */
export function checkAgents(leaves: Leaves, { known }: Roster): void {
  const models = known.filter((name) => !analystNames.includes(name));
  for (const leaf of leaves.values()) {
    const wanted = wantedIn(leaf);
    const candidates = wanted.modelOnly ? models : known;
    const missing = wanted.names.find((name) => !candidates.includes(name));
    if (missing !== undefined) throw leaf.stop(unknownAgent(leaf, { missing, candidates }));
    checkAnalyst(leaf);
  }
}

/** The agents that a setting names, and whether they must be ones with a model. */
function wantedIn({ path, value }: Leaf): {
  readonly names: readonly string[];
  readonly modelOnly: boolean;
} {
  const [section, name = '', key] = path;
  if (section === 'agents') return { names: [name], modelOnly: false };
  if (section === 'workflow' && (name === 'tools' || name === 'fallback_chain')) {
    const names = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    return { names: expanded(names), modelOnly: false };
  }
  const isAgent =
    (section === 'agent' && name === 'cli') || (section === 'models' && key === 'cli');
  return { names: isAgent ? [String(value)] : [], modelOnly: true };
}

function unknownAgent(
  { path }: Leaf,
  { missing, candidates }: { missing: string; candidates: readonly string[] },
): string {
  const near = closestName(missing, candidates);
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  const own = ` A program of your own needs ${keyOf(['agents', missing, 'path'])}.`;
  const remedy = near === null || path[0] === 'agents' ? own : '';
  return `there is no agent "${missing}".${hint} Known are: ${candidates.join(', ')}.${remedy}`;
}

// An analyst is part of this program: there is nothing to start instead.
function checkAnalyst(leaf: Leaf): void {
  const [section, name = '', key] = leaf.path;
  if (section !== 'agents' || !analystNames.includes(name)) return;
  if (key === 'enabled' || key === 'model') return;
  throw leaf.stop(`${keyOf(leaf.path)} cannot be set: ${name} is built in and starts no program.`);
}
