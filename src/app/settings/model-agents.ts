// Makes an agent of its own for each model that is named where agents are, and judges entries of one CLI.
import { acpProgramOf } from '../../agents/acp/programs.ts';
import { adapters } from '../../agents/cli/list.ts';
import {
  agentNameOf,
  carrierOf,
  meaningOf,
  ownModels,
  type OwnModels,
} from '../../agents/model-vocabulary.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import { suggestion } from '../closest-name.ts';
import { type Leaf, type Leaves, keyOf, mergeLeaves, pathOf, reader } from './leaf.ts';

const adapterNames: readonly string[] = adapters.map(({ name }) => name);

/**
 * The leaves with an agent for each model that `--tools`, a chain, the planner or a phase names: its
 * own seat, with the model’s name in keys, folders and receipts. `agents` are the known names.
 */
export function withModelAgents(leaves: Leaves, agents: readonly string[]): Leaves {
  const made: Leaf[] = [];
  const readers = apiModels(leaves, { toRead: true });
  const editors = apiModels(leaves, { toRead: false });
  const all = [...leaves.values()].map((leaf) => {
    if (leaf.setting.names === undefined || leaf.setting === settingsTable.modelCli) return leaf;
    const read = (name: unknown) => agentNamed(String(name), leaf);
    const value = Array.isArray(leaf.value) ? leaf.value.map(read) : read(leaf.value);
    return { ...leaf, value };
  });

  function agentNamed(name: string, { source, ...leaf }: Leaf): string {
    const edits = leaf.setting === settingsTable.phaseAgent && leaf.name === 'execution';
    const meaning = meaningOf(name, agents, edits ? editors : readers);
    // Its file says so in lower case only.
    const isMisspelt = leaf.setting === settingsTable.planner && name !== name.toLowerCase();
    if (meaning.kind === 'agent') return isMisspelt ? name : meaning.agent;
    if (meaning.kind !== 'model') return name;
    const own = agentNameOf(meaning.model, (taken) => isOther(taken, meaning));
    const leafOf = (setting: Setting, value: string): Leaf => {
      return { setting, name: own, key: keyOf(pathOf(setting, own)), value, source };
    };
    made.push(leafOf(settingsTable.agentCli, meaning.agent));
    made.push(leafOf(settingsTable.agentModel, meaning.model));
    return own;
  }

  /** True for the name of an agent with another model, or of an agent that is none of a model. */
  function isOther(taken: string, { model }: { readonly model: string }): boolean {
    const key = keyOf(pathOf(settingsTable.agentModel, taken));
    const leaf = leaves.get(key) ?? made.find((one) => one.key === key);
    const isFree = leaf === undefined && !agents.includes(taken);
    return !isFree && String(leaf?.value).toLowerCase() !== model.toLowerCase();
  }

  return mergeLeaves([...all, ...made.filter(({ key }) => !leaves.has(key))]);
}

/** The agents that are models behind an API, by these models. */
export function apiModels(leaves: Leaves, how: { readonly toRead: boolean }): OwnModels {
  const read = reader(leaves);
  const models = [...leaves.values()].filter(({ setting }) => setting === settingsTable.agentModel);
  const own = models.map(({ name, value }) => {
    const isApi = read(settingsTable.agentProvider, name) !== undefined;
    return [name, { api: isApi ? { model: String(value) } : undefined }] as const;
  });
  return ownModels(own, how);
}

/** Why an entry of an agent that is another name of a CLI does not hold, or null. */
export function cliFault({ setting, name, value }: Leaf, leaves: Leaves): string | null {
  if (setting !== settingsTable.agentCli) return null;
  const others = [settingsTable.agentProvider, settingsTable.agentPath];
  const other = others.find((one) => leaves.has(keyOf(pathOf(one, name))));
  if (adapterNames.includes(name)) return `cannot be set: ${name} is a CLI itself`;
  if (!adapterNames.includes(String(value))) {
    const hint = suggestion(String(value), adapterNames);
    return `names "${String(value)}", and there is no such CLI.${hint} The known ones: ${adapterNames.join(', ')}`;
  }
  return other === undefined || other === settingsTable.agentPath
    ? null
    : `cannot be set beside ${keyOf(pathOf(other, name))}`;
}

/** Why a name of an agent or a model stands for nobody, as a demand on its setting; null for others. */
export function nobodyFault(name: string, agents: readonly string[]): string | null {
  const meaning = meaningOf(name, agents);
  return meaning.kind === 'nobody' ? `cannot be taken: ${meaning.why}` : null;
}

/** One sentence for each model that its agent is not known to carry, but another CLI is. */
export function modelWarnings(leaves: Leaves): readonly string[] {
  const read = reader(leaves);
  return [...leaves.values()]
    .filter(({ setting }) => setting === settingsTable.agentModel)
    .flatMap(({ key, name, value, source }) => {
      const acp = acpProgramOf(read(settingsTable.agentAcp, name) ?? []);
      const cli = read(settingsTable.agentCli, name) ?? acp?.cli.name ?? name;
      const { models = [] } = adapters.find((one) => one.name === cli) ?? {};
      const carrier = carrierOf(String(value));
      // One that takes the models of many has no beginnings of its own, or only that of any.
      const isOpen = models.length === 0 || models.includes('/');
      if (isOpen || carrier === null || carrier === cli || String(value).includes('/')) return [];
      return [
        `${source.name}: ${key} is ${JSON.stringify(value)}, a model of ${carrier}, which ${cli} is not known to carry.`,
      ];
    });
}
