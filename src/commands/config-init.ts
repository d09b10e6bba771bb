import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { tomlTables, type Setting, type TomlTable } from '../model/setting.ts';
import { settingsList, settingsTable } from '../model/settings.ts';
import { isSystemError, writing } from '../store/system-error.ts';
import { agentReports, noteOn, type AgentReport } from './agents.ts';
import { userConfigFile } from './folders.ts';
import { printJson, printLines, printTable, typedLine } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { defaultSettings } from './settings/load-settings.ts';

/** Values by the path of their setting. */
type ChosenSettings = ReadonlyMap<string, unknown>;

/**
 * `conclave config init`: a settings file with comments. At a terminal it asks for the default agent
 * and the seats; everything else is commented out.
 */
export async function initConfig({ root, json, yes }: CommonOptions): Promise<number> {
  const file = userConfigFile(process.env);
  if (existsSync(file)) throw settingsExist(file);
  const chosen = json || yes || !isAttended() ? new Map() : await chosenSettings(root);
  await writing(file, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
  await writing(file, () => writeNew(file, configTemplate(chosen)));
  const values = [...chosen].map(([path, value]) => `  ${path} = ${toml(value)}`);
  if (json) printJson({ file });
  else if (values.length === 0) printLines(`Wrote ${file}; everything in it is commented out.`);
  else printLines(`Wrote ${file}; everything else in it is commented out:`, ...values);
  return 0;
}

function isAttended(): boolean {
  const terminals = [process.stdin, process.stdout, process.stderr];
  return terminals.every(({ isTTY }) => isTTY) && (process.env['CI'] ?? '') === '';
}

/** Goes by the defaults: this file holds in every project, whatever the one around it says. */
async function chosenSettings(root: string): Promise<ChosenSettings> {
  const reports = await agentReports({ settings: defaultSettings(), root });
  const agents = reports.filter(({ kind }) => kind === 'model');
  const ready = agents.filter(({ state }) => state === 'ready');
  const names = ready.map(({ name }) => name);
  printAgents([...ready, ...agents.filter((agent) => !ready.includes(agent))]);
  const { planner, tools } = settingsTable;
  const [first] = names;
  if (first === undefined) {
    printLines('No agent is ready yet, so there is nothing to choose.');
    return new Map();
  }
  if (names.length === 1) {
    printLines(`Only ${first} is ready: it becomes the default agent, and the seats stay open.`);
    return new Map([[planner.path, first]]);
  }
  const seats = ready
    .filter(({ turn }) => turn !== null)
    .toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
    .map(({ name }) => name);
  const suggested = names.includes(planner.default) ? planner.default : first;
  const agent = await agentsAsked('Default agent', { names, suggested: [suggested] });
  const seated = await agentsAsked('Agents that discuss each task', { names, suggested: seats });
  return new Map<string, unknown>([
    [planner.path, agent[0]],
    [tools.path, seated],
  ]);
}

function printAgents(agents: readonly AgentReport[]): void {
  printTable({
    head: ['', 'AGENT', 'STATE', 'VERSION', 'NOTE'],
    rows: agents.map((agent, at) => [
      agent.state === 'ready' ? `${at + 1}` : '',
      agent.name,
      agent.state.replaceAll('-', ' '),
      agent.version ?? '-',
      noteOn(agent),
    ]),
  });
  printLines('');
}

interface AgentChoice {
  readonly names: readonly string[];
  /** What Enter takes: one, or some. */
  readonly suggested: readonly string[];
}

/** Asks until the answer is one agent, or two or more, by number or name. */
async function agentsAsked(
  question: string,
  { names, suggested }: AgentChoice,
): Promise<readonly string[]> {
  const count = suggested.length === 1 ? 'one' : 'two or more';
  const choices = names.map((name, at) => `${at + 1} ${name}`).join(', ');
  for (;;) {
    const answer = (await typedLine(`${question} [${suggested.join(', ')}]:`)).trim();
    if (answer === '') return suggested;
    const words = answer.toLowerCase().split(/[\s,]+/);
    const chosen = new Set(words.map((word) => names[Number(word) - 1] ?? word));
    const isCount = suggested.length === 1 ? chosen.size === 1 : chosen.size > 1;
    const isFit = isCount && words.length === chosen.size;
    if (isFit && [...chosen].every((name) => names.includes(name))) return [...chosen];
    printLines(`"${answer}" does not fit: choose ${count} of ${choices}.`);
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.close();
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
    throw settingsExist(file);
  }
}

function settingsExist(file: string): Error {
  return wrongUsage(`There are settings already: ${file}`);
}

/**
 * A settings file in which all but the chosen settings is commented out, with the defaults as examples. The
 * tables are not, so that each line holds for itself when its mark is taken away.
 */
export function configTemplate(chosen: ChosenSettings = new Map()): string {
  const tables = tomlTables
    .filter(({ path, ofAgents, isWhole }) => (!path.includes('*') || ofAgents) && !isWhole)
    .map((table) => commentedTable(table, chosen));
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

${tables.join('\n')}`;
}

function commentedTable({ path, about }: TomlTable, chosen: ChosenSettings): string {
  const [, agent = ''] = settingsTable.tools.default;
  const lines = settingsIn(path).map((setting) => {
    const mark = chosen.has(setting.path) ? '' : '# ';
    const value = chosen.get(setting.path) ?? valueOf(setting);
    return `${mark}${nameOf(setting.path)} = ${toml(value)} # ${setting.about}\n`;
  });
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
