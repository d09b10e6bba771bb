import { type Setting, type TomlTable, tomlTables } from '../model/setting.ts';
import { settingsList, settingsTable } from '../model/settings.ts';

/**
 * A settings file in which every setting is commented out, with the defaults as examples. The
 * tables are not, so that each line holds for itself when its mark is taken away.
 */
export function configTemplate(): string {
  const tables = tomlTables
    .filter(({ path, ofAgents, isWhole }) => (!path.includes('*') || ofAgents) && !isWhole)
    .map(tableText);
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

${tables.join('\n')}`;
}

function tableText({ path, about }: TomlTable): string {
  const [, agent = ''] = settingsTable.tools.default;
  const lines = settingsIn(path).map(
    (setting) => `# ${nameOf(setting.path)} = ${toml(valueOf(setting))} # ${setting.about}\n`,
  );
  // What holds only together is one line.
  const inner = tomlTables
    .filter((table) => table.isWhole === true && table.path.startsWith(`${path}.`))
    .map((table) => `# ${nameOf(table.path)} = ${inline(table.path)} # ${table.about}\n`);
  return `# ${about}\n[${path.replace('*', agent)}]\n${[...lines, ...inner].join('')}`;
}

function settingsIn(table: string): readonly Setting[] {
  return settingsList.filter(
    (setting) =>
      setting.path === `${table}.${nameOf(setting.path)}` && valueOf(setting) !== undefined,
  );
}

function valueOf({ example, default: held }: Setting): unknown {
  return example ?? held;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function inline(table: string): string {
  const values = settingsIn(table).map((setting) => [nameOf(setting.path), valueOf(setting)]);
  return toml(Object.fromEntries(values));
}

function toml(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).map(([name, inner]) => `${name} = ${toml(inner)}`);
  return `{ ${entries.join(', ')} }`;
}
