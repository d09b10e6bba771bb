// Runs `conclave config init`: writes a commented settings file.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { keyIn, tableOf, tomlTables, type TomlTable } from '../model/setting.ts';
import { settingsList, settingsTable } from '../model/settings.ts';
import { guardWrite } from '../store/system-error.ts';
import { refuseAgents } from '../app/inside-agent.ts';
import { userConfigFile } from '../app/folders.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { tomlText } from '../app/settings/edit-config.ts';
import { makeFolder } from '../store/make-folder.ts';

/** `conclave config init`: writes a settings file in which every setting is commented out. */
export async function initConfig({ environment, json }: CommonOptions): Promise<number> {
  await refuseAgents(environment);
  const file = userConfigFile(environment);
  if (existsSync(file)) throw wrongUsage(`There are settings already: ${file}`);
  await guardWrite(file, async () => {
    await makeFolder(dirname(file), { mode: 0o700 });
    await writeFile(file, configTemplate(), { flag: 'wx', mode: 0o600 });
  });
  if (json) printJson({ file });
  else printLines(`Wrote ${file}; every setting in it is commented out.`);
  return 0;
}

/**
 * A settings file in which every setting is commented out, with its default as an example. Table headers are
 * not commented out, so that each line is valid as soon as its mark is removed.
 */
export function configTemplate(): string {
  const tables = tomlTables
    .filter(({ path }) => !path.includes('*') || path === 'agents.*')
    .flatMap(commentedTable);
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

${tables.join('\n')}`;
}

/** A table with the settings that have something to show; empty if none has. */
function commentedTable({ path, about }: TomlTable): readonly string[] {
  const [, agent = ''] = settingsTable.workflow.tools.default;
  const lines = settingsList.flatMap((setting) => {
    const value = setting.example ?? setting.default;
    if (tableOf(setting) !== path || value === undefined) return [];
    return [`# ${keyIn(setting)} = ${tomlText(value)} # ${setting.about}\n`];
  });
  return lines.length === 0 ? [] : [`# ${about}\n[${path.replace('*', agent)}]\n${lines.join('')}`];
}
