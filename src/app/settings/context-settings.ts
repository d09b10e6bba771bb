// Says how code is searched for, and with which server.
import { type McpServer, plainQueries, presets } from '../../context/mcp/known-servers.ts';
import { providerNames } from '../../context/provider-list.ts';
import type { ProjectFact } from '../../model/context.ts';
import { settingsTable } from '../../model/settings.ts';
import { type Leaves, reader } from './leaf.ts';

/**
 * Reads the settings of the search for code; times in ms. Throws, blaming the setting, for a
 * provider that does not exist and for settings of the server that do not go together.
 */
export function contextSettings(leaves: Leaves) {
  /** The project’s own words in its settings, as data. */
  const facts: readonly ProjectFact[] = [];
  const read = reader(leaves);
  const providers = read(settingsTable.providers);
  const { path } = settingsTable.providers;
  const unknown = providers.find((name) => !providerNames.includes(name));
  if (unknown !== undefined) {
    throw blame(leaves, path, `names "${unknown}"; it takes ${providerNames.join(', ')}`);
  }
  if (providers.at(-1) === 'mcp') {
    const advice = 'add another provider after it, as its results are never used alone';
    throw blame(leaves, path, `ends with mcp; ${advice}`);
  }
  const mcp = providers.includes('mcp') ? serverOf(leaves) : null;
  return {
    /** In the order in which they are asked. */
    providers: providers.filter((name) => name !== 'mcp' || mcp !== null),
    maxFiles: read(settingsTable.maxFiles),
    timeoutMs: read(settingsTable.contextTimeout) * 1000,
    /** Says if one agent puts the found files in order. */
    rerank: read(settingsTable.rerank),
    /** Null where no server is configured, it is switched off, or it is not among the providers. */
    mcp,
    facts,
  };
}

/** Null where none is configured or it is switched off. */
function serverOf(leaves: Leaves): McpServer | null {
  const read = reader(leaves);
  const isConfigured = [...leaves.keys()].some((key) => key.startsWith('context.mcp.'));
  if (!isConfigured || !read(settingsTable.mcpEnabled)) return null;
  const name = read(settingsTable.mcpPreset);
  const preset = name === undefined ? undefined : presets[name];
  const command = read(settingsTable.mcpCommand);
  const tool = read(settingsTable.mcpTool) ?? preset?.tool;
  const values = read(settingsTable.mcpArguments) ?? preset?.arguments;
  if (command === undefined || tool === undefined || values === undefined) {
    throw blame(
      leaves,
      'context.mcp',
      'needs a command, and either a preset or a tool with arguments',
    );
  }
  return {
    command,
    args: read(settingsTable.mcpArgs),
    env: read(settingsTable.mcpEnv),
    tool,
    arguments: values,
    queries: read(settingsTable.mcpQueries) ?? preset?.queries ?? plainQueries,
    variables: preset?.variables ?? [],
    timeoutMs: read(settingsTable.mcpTimeout) * 1000,
    maxBytes: read(settingsTable.mcpMaxBytes),
  };
}

/** The failure of the first source of a setting, or of any in a table. */
function blame(leaves: Leaves, key: string, demand: string): Error {
  const leaf = [...leaves.values()].find((one) => one.key.startsWith(key));
  if (leaf === undefined) throw new Error(`Nothing sets ${key}.`);
  return leaf.source.stop(key.split('.'), demand);
}
