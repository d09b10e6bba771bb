import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { isSystemError, writing } from '../store/system-error.ts';
import { configTemplate } from './config-template.ts';
import { confirm, printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { projectRoot } from './working-folder.ts';
import { trustFile, userConfigFile } from './settings/data-folder.ts';
import type { Leaf } from './settings/leaf.ts';
import { type Settings, loadProject, loadSettings } from './settings/load-settings.ts';
import { type ProjectFile, distrust, trust } from './settings/project.ts';

type Options = CommonOptions & { readonly yes: boolean };

const environment = process.env;

/** The commands of `conclave config`; each resolves to its exit code. */
export const commands = {
  show,
  path,
  init,
  trust: trustProject,
  untrust: untrustProject,
} as const satisfies Readonly<Record<string, (options: Options) => Promise<number>>>;

/** `conclave config show`: every setting with its source; what may be secret stays hidden. */
async function show({ cwd, json }: Options): Promise<number> {
  const settings = await settingsOf(cwd);
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
async function path({ cwd, json }: Options): Promise<number> {
  const { user, project } = (await settingsOf(cwd)).files;
  const trusted = project?.trusted ?? false;
  if (json) {
    printJson({ user, project: project === null ? null : { file: project.file, trusted } });
    return 0;
  }
  const own = user.exists ? '' : ' (not there; "conclave config init" writes one)';
  printLines(`yours:    ${user.file}${own}`);
  if (project === null) printLines('project:  there is no conclave.toml');
  else printLines(`project:  ${project.file} (${trusted ? 'trusted' : 'not trusted'})`);
  return 0;
}

/** `conclave config init`: a commented file in which everything is as it is without it. */
async function init({ json }: Options): Promise<number> {
  const file = userConfigFile(environment);
  await writing(file, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
  await writing(file, () => writeNew(file));
  if (json) printJson({ file });
  else printLines(`Wrote ${file}; everything in it is commented out.`);
  return 0;
}

/** `conclave config trust`: lets the project's file, as it is now, set everything. */
async function trustProject({ cwd, json, yes }: Options): Promise<number> {
  const project = await projectOf(cwd);
  const allows = project.widening.map(({ key, value }) => ({ key, value }));
  const place = { file: project.file, sha256: project.hash };
  if (!json) printLines(...trustLines(project, allows));
  const agreed = project.trusted || yes || (await confirm(`Trust ${project.file} as it is now?`));
  if (agreed) await trust(project, trustFile(environment));
  if (json) printJson({ ...place, trusted: agreed, allows });
  else printLines(agreed ? `Trusted ${project.file} until it changes.` : 'Nothing was trusted.');
  return 0;
}

/** `conclave config untrust`: takes the trust back. */
async function untrustProject({ cwd, json }: Options): Promise<number> {
  const { file } = await projectOf(cwd);
  const was = await distrust(file, trustFile(environment));
  if (json) printJson({ file, trusted: false, was_trusted: was });
  else printLines(was ? `${file} is not trusted any more.` : `${file} was not trusted.`);
  return 0;
}

async function settingsOf(cwd: string): Promise<Settings> {
  return await loadSettings({ cwd: await projectRoot(cwd) });
}

async function projectOf(cwd: string): Promise<ProjectFile> {
  const root = await projectRoot(cwd);
  const project = await loadProject(root);
  if (project !== null) return project;
  const message = `There is no conclave.toml in ${root}.`;
  throw new Stopped({ reason: 'usage', message });
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
    const message = `There are settings already: ${file}`;
    throw new Stopped({ reason: 'usage', message });
  }
}
