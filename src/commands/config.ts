import { wrongUsage } from '../model/failure.ts';
import { initConfig } from './config-init.ts';
import { confirm, printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { trustFile } from './folders.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadProject, loadSettings } from './settings/load-settings.ts';
import { distrust, trust, type ProjectFile } from './settings/project.ts';

/** The commands of `conclave config`; each resolves to its exit code. */
export const commands = {
  show: showSettings,
  path: showFiles,
  init: initConfig,
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
