// Makes the settings of agents that are models behind an API or speak ACP, and refuses what does not fit together.
import type { ApiSettings, Prices } from '../../agents/api/api-setup.ts';
import { isAnyModel } from '../../agents/model-vocabulary.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import { type Leaf, type Leaves, keyOf, mergeLeaves, pathOf, reader, type Read } from './leaf.ts';
import type { AcpSettings } from '../../agents/acp/acp-setup.ts';

/** The settings of an agent that is a model behind an API; undefined for any other. */
export function apiSettingsOf(
  leaves: Leaves,
  name: string,
  model: string | undefined,
): ApiSettings | undefined {
  const read = reader(leaves);
  const provider = read(settingsTable.agentProvider, name);
  if (provider === undefined || model === undefined) return undefined;
  return {
    provider,
    model,
    baseUrl: read(settingsTable.agentBaseUrl, name),
    keyEnv: read(settingsTable.agentKeyEnv, name),
    keyCommand: read(settingsTable.agentKeyCommand, name),
    contextTokens: read(settingsTable.agentContextTokens, name),
    prices: pricesIn(leaves.values()),
  };
}

/** The prices of the models for which the user told them. */
export function pricesIn(leaves: Iterable<Leaf>): ReadonlyMap<string, Prices> {
  const told = [...leaves].filter(({ setting }) => setting === settingsTable.modelPrices);
  const read = reader(mergeLeaves(told));
  return new Map(
    told.flatMap(({ name }) => {
      const prices = read(settingsTable.modelPrices, name);
      return prices === undefined ? [] : [[name, prices] as const];
    }),
  );
}

const ofApi: readonly Setting[] = [
  settingsTable.agentBaseUrl,
  settingsTable.agentKeyEnv,
  settingsTable.agentKeyCommand,
  settingsTable.agentContextTokens,
];

const ofProgram: readonly Setting[] = [
  settingsTable.agentPath,
  settingsTable.agentArgs,
  settingsTable.agentIsolation,
];

/** Why a setting of an API agent does not hold, or null; `adapterNames` are those of the known CLIs. */
export function apiFault(
  leaf: Leaf,
  leaves: Leaves,
  adapterNames: readonly string[],
): string | null {
  const { setting, name, value } = leaf;
  const has = (other: Setting) => leaves.has(keyOf(pathOf(other, name)));
  const key = (other: Setting) => keyOf(pathOf(other, name));
  const { agentProvider, agentModel, agentBaseUrl } = settingsTable;
  if (ofApi.includes(setting) && !has(agentProvider)) {
    return `needs ${key(agentProvider)}, as only a model behind an API has it`;
  }
  if (ofProgram.includes(setting) && has(agentProvider)) {
    return `cannot be set: ${name} is a model behind an API, which starts no program`;
  }
  const provider = reader(leaves)(agentProvider, name);
  // A server of the user may give a model any name.
  if (setting === agentModel && provider !== undefined && provider !== 'compatible') {
    return isAnyModel(String(value))
      ? `cannot be ${JSON.stringify(value)}: an API is asked for a model by its name`
      : null;
  }
  if (setting !== agentProvider) return null;
  if (adapterNames.includes(name)) {
    return `cannot be set: ${name} is a CLI; give the model behind an API a name of its own`;
  }
  if (!has(agentModel)) return `needs ${key(agentModel)}`;
  return value === 'compatible' && !has(agentBaseUrl) ? `needs ${key(agentBaseUrl)}` : null;
}

/** The settings of an agent that speaks ACP; undefined for any other. */
export function acpSettingsOf(read: Read, name: string): AcpSettings | undefined {
  const [program, ...words] = read(settingsTable.agentAcp, name) ?? [];
  if (program === undefined) return undefined;
  return { command: [program, ...words], mode: read(settingsTable.agentMode, name) };
}

/** An agent that speaks ACP has none of these: its command says it all. */
const ofOthers: readonly Setting[] = [
  settingsTable.agentPath,
  settingsTable.agentArgs,
  settingsTable.agentIsolation,
  settingsTable.agentProvider,
  settingsTable.agentCli,
  settingsTable.agentEffort,
];

/** Why a setting of an ACP agent does not hold, or null; `adapterNames` are those of the known CLIs. */
export function acpFault(
  { setting, name }: Leaf,
  leaves: Leaves,
  adapterNames: readonly string[],
): string | null {
  const { agentAcp, agentMode } = settingsTable;
  const key = keyOf(pathOf(agentAcp, name));
  const isAcp = leaves.has(key);
  if (setting === agentMode && !isAcp) return `needs ${key}, as only an ACP agent has it`;
  if (ofOthers.includes(setting) && isAcp) return `cannot be set beside ${key}`;
  return setting === agentAcp && adapterNames.includes(name)
    ? `cannot be set: ${name} is a CLI; give the ACP agent a name of its own`
    : null;
}
