import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { isSystemError, writing } from '../store/system-error.ts';
import { confirm, printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { trustFile, userConfigFile } from './folders.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadProject, loadSettings } from './settings/load-settings.ts';
import { distrust, trust, type ProjectFile } from './settings/project.ts';
import { tomlTables, type Setting, type TomlTable } from '../model/setting.ts';
import { settingsList, settingsTable } from '../model/settings.ts';

/** The commands of `conclave config`; each resolves to its exit code. */
export const commands = {
  show: showSettings,
  path: showFiles,
  init: writeFile,
  trust: trustProject,
  untrust: untrustProject,
};

/** `conclave config show`: every setting with its source; what may be secret stays hidden. */
async function showSettings({ root, json }: CommonOptions): Promise<number> {
  const settings = await loadSettings({ cwd: root });
  const rows = settings.sources.map(shownRow);
  printWarnings(settings.warnings);
  if (json) printJson(rows);
  else {
    printTable({
      head: ['SETTING', 'VALUE', 'SOURCE'],
      rows: rows.map(({ key, value, source }) => [key, JSON.stringify(value), source]),
    });
  }
  return 0;
}

/** `conclave config path`: the files that are read. */
async function showFiles({ root, json }: CommonOptions): Promise<number> {
  const { user, project: found } = (await loadSettings({ cwd: root })).files;
  const project = found === null ? null : { file: found.file, trusted: found.trusted };
  const own = user.exists ? '' : ' (not there; "conclave config init" writes one)';
  const state = project?.trusted === true ? 'trusted' : 'not trusted';
  const shared = project === null ? 'there is no conclave.toml' : `${project.file} (${state})`;
  if (json) printJson({ user, project });
  else printLines(`yours:    ${user.file}${own}`, `project:  ${shared}`);
  return 0;
}

/** `conclave config init`: a commented file in which everything is as it is without it. */
async function writeFile({ json }: CommonOptions): Promise<number> {
  const file = userConfigFile(process.env);
  await writing(file, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
  await writing(file, () => writeNew(file));
  if (json) printJson({ file });
  else printLines(`Wrote ${file}; everything in it is commented out.`);
  return 0;
}

/** `conclave config trust`: lets the project's file, as it is now, set everything. */
async function trustProject({ root, json, yes }: CommonOptions): Promise<number> {
  const project = await projectOf(root);
  const allows = project.widening.map(({ key, value }) => ({ key, value }));
  const place = { file: project.file, sha256: project.hash };
  if (!json) printLines(...trustLines(project, allows));
  const agreed = project.trusted || yes || (await confirm(`Trust ${project.file} as it is now?`));
  if (agreed) await trust(project, trustFile(process.env));
  if (json) printJson({ ...place, trusted: agreed, allows });
  else printLines(agreed ? `Trusted ${project.file} until it changes.` : 'Nothing was trusted.');
  return 0;
}

/** `conclave config untrust`: takes the trust back. */
async function untrustProject({ root, json }: CommonOptions): Promise<number> {
  const { file } = await projectOf(root);
  const was = await distrust(file, trustFile(process.env));
  if (json) printJson({ file, trusted: false, was_trusted: was });
  else printLines(was ? `${file} is not trusted any more.` : `${file} was not trusted.`);
  return 0;
}

async function projectOf(root: string): Promise<ProjectFile> {
  const project = await loadProject(root);
  if (project !== null) return project;
  throw wrongUsage(`There is no conclave.toml in ${root}.`);
}

// It may hold a key that nobody should see over a shoulder or in a log.
function shownRow({ key, value, source, setting }: Leaf) {
  return { key, value: setting.isSecret === true ? '(hidden)' : value, source: source.name };
}

function trustLines(
  { file }: ProjectFile,
  allows: readonly { key: string; value: unknown }[],
): readonly string[] {
  if (allows.length === 0) return [`${file} sets nothing that needs trust.`];
  const lines = allows.map(({ key, value }) => `  ${key} = ${JSON.stringify(value)}`);
  return [`With your trust, these settings of ${file} count:`, ...lines];
}

async function writeNew(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(configTemplate());
    await handle.close();
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
    throw wrongUsage(`There are settings already: ${file}`);
  }
}

/**
 * A settings file in which every setting is commented out, with the defaults as examples. The
 * tables are not, so that each line holds for itself when its mark is taken away.
 */
export function configTemplate(): string {
  const tables = tomlTables
    .filter(({ path, ofAgents, isWhole }) => (!path.includes('*') || ofAgents) && !isWhole)
    .map(commentedTable);
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

${tables.join('\n')}`;
}

function commentedTable({ path, about }: TomlTable): string {
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
