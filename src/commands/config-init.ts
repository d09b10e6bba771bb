// Runs `conclave config init`: its questions at a terminal, and the commented settings file that it writes.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { keyIn, tableOf, tomlTables, type Setting, type TomlTable } from '../model/setting.ts';
import { settingsList, settingsTable } from '../model/settings.ts';
import { guardWrite } from '../store/system-error.ts';
import { agentReports, noteOn } from './agents-command.ts';
import { refuseAgents } from '../app/inside-agent.ts';
import { userConfigFile } from '../app/folders.ts';
import { printTable } from './columns.ts';
import { printJson, printLines, askForLine } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { tomlText } from '../app/settings/edit-config.ts';
import { defaultSettings } from '../app/settings/load-settings.ts';
import { makeFolder } from '../store/make-folder.ts';

/** Values by the path of their setting. */
type ChosenSettings = ReadonlyMap<string, unknown>;

/**
 * `conclave config init`: writes a settings file with comments. At a terminal it asks for the default agent and
 * the seats; everything else is commented out.
 */
export async function initConfig({ root, environment, json, yes }: CommonOptions): Promise<number> {
  await refuseAgents(environment);
  const file = userConfigFile(environment);
  if (existsSync(file)) throw wrongUsage(`There are settings already: ${file}`);
  const asks = !json && !yes && isAttended(environment);
  const chosen: ChosenSettings = asks ? await chosenSettings(root, environment) : new Map();
  await guardWrite(file, async () => {
    await makeFolder(dirname(file), { mode: 0o700 });
    await writeFile(file, configTemplate(chosen), { flag: 'wx', mode: 0o600 });
  });
  const values = [...chosen].map(([path, value]) => `  ${path} = ${tomlText(value)}`);
  if (json) printJson({ file });
  else printLines(`Wrote ${file}; what you did not choose is commented out.`, ...values);
  return 0;
}

function isAttended(environment: NodeJS.ProcessEnv): boolean {
  const terminals = [process.stdin, process.stdout, process.stderr];
  return terminals.every(({ isTTY }) => isTTY) && (environment['CI'] ?? '') === '';
}

/** Uses the defaults, because this file applies to every project, not only to the one around it. */
async function chosenSettings(
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<ChosenSettings> {
  const reports = await agentReports({ settings: defaultSettings(environment), environment, root });
  const agents = reports.filter(({ kind }) => kind === 'model');
  printTable({
    head: ['AGENT', 'STATE', 'VERSION', 'NOTE'],
    rows: agents.map((agent) => {
      const state = agent.state.replaceAll('-', ' ');
      return [agent.name, state, agent.version ?? '-', noteOn(agent)];
    }),
  });
  const ready = agents.filter(({ state }) => state === 'ready');
  const [first, ...others] = ready.map(({ name }) => name);
  const { cli: planner } = settingsTable.agent;
  const { tools } = settingsTable.workflow;
  if (first === undefined) {
    printLines('', 'No agent is ready yet, so there is nothing to choose.');
    return new Map();
  }
  if (others.length === 0) {
    printLines('', `Only ${first} is ready, so it becomes the default agent.`);
    return new Map([[planner.path, first]]);
  }
  const names = [first, ...others];
  const suggested = names.includes(planner.default) ? planner.default : first;
  const [agent] = await askedNames('Default agent', { names, suggested: [suggested], most: 1 });
  const seats = ready.filter(({ part }) => part === 'asked').map(({ name }) => name);
  const choice = { names, suggested: seats, most: names.length };
  const seated = await askedNames('Agents that discuss each task', choice);
  return new Map<string, unknown>([
    [planner.path, agent],
    [tools.path, seated],
  ]);
}

/** Asks until the answer names at least one of the agents, and no more than `most`. */
async function askedNames(
  question: string,
  choice: {
    readonly names: readonly string[];
    /** The suggestion that Enter accepts. */
    readonly suggested: readonly string[];
    readonly most: number;
  },
): Promise<readonly string[]> {
  const { names, suggested, most } = choice;
  const answer = await askForLine(`\n${question} [${suggested.join(', ')}]:`);
  const chosen = [...new Set(answer.toLowerCase().match(/[^\s,]+/g))];
  if (chosen.length === 0) return suggested;
  if (chosen.length <= most && chosen.every((name) => names.includes(name))) return chosen;
  const count = most === 1 ? 'one' : 'some';
  printLines(`"${answer}" does not fit: choose ${count} of ${names.join(', ')}.`);
  return await askedNames(question, choice);
}

/**
 * A settings file in which everything except the chosen settings is commented out, with the defaults as
 * examples. Table headers are not commented out, so that each line is valid as soon as its mark is removed.
 */
export function configTemplate(chosen: ChosenSettings = new Map()): string {
  const tables = tomlTables
    .filter(({ path }) => !path.includes('*') || path === 'agents.*')
    .flatMap((table) => commentedTable(table, chosen));
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

${tables.join('\n')}`;
}

/** A table with the settings that have something to show; empty if none has. */
function commentedTable({ path, about }: TomlTable, chosen: ChosenSettings): readonly string[] {
  const [, agent = ''] = settingsTable.workflow.tools.default;
  const lines = settingsList
    .filter((setting) => tableOf(setting) === path && exampleOf(setting) !== undefined)
    .map((setting) => {
      const mark = chosen.has(setting.path) ? '' : '# ';
      const value = chosen.get(setting.path) ?? exampleOf(setting);
      return `${mark}${keyIn(setting)} = ${tomlText(value)} # ${setting.about}\n`;
    });
  return lines.length === 0 ? [] : [`# ${about}\n[${path.replace('*', agent)}]\n${lines.join('')}`];
}

function exampleOf(setting: Setting): unknown {
  return setting.example ?? setting.default;
}
