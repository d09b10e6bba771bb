// Makes the settings of agents that speak the Agent Client Protocol, and refuses what does not fit together.
import type { AcpSettings } from '../../agents/acp/acp-setup.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import { type Leaf, type Leaves, keyOf, pathOf, type Read } from './leaf.ts';

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
