// Runs `conclave config …`.
import { wrongUsage } from '../model/failure.ts';
import { trustFile } from '../app/folders.ts';
import { printTable } from './columns.ts';
import { confirm, printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { loadProject, loadSettings } from '../app/settings/load-settings.ts';
import type { ProjectFile } from '../app/settings/project.ts';

/** The commands of `conclave config`; each resolves to its exit code. */
export const commands = {
  show: showSettings,
  init: async (options: CommonOptions) =>
    await (await import('./config-init.ts')).initConfig(options),
  set: (options: CommonOptions, words: readonly string[]) =>
    changeSettings(options, pairsOf(words)),
  unset: (options: CommonOptions, keys: readonly string[]) =>
    changeSettings(
      options,
      keys.map((key) => [key, null]),
    ),
  trust: trustProject,
  untrust: untrustProject,
};

/** `conclave config show`: every setting with its source; values that may be secret are hidden. */
async function showSettings({ root, environment, json }: CommonOptions): Promise<number> {
  const { sources, warnings } = await loadSettings({ root, environment });
  const rows = sources.map(({ key, value, source, setting }) => ({
    key,
    value: setting.isSecret === true ? '(hidden)' : value,
    source: source.name,
  }));
  printWarnings(warnings);
  if (json) printJson(rows);
  else {
    printTable({
      head: ['SETTING', 'VALUE', 'SOURCE'],
      rows: rows.map(({ key, value, source }) => [key, JSON.stringify(value), source]),
    });
  }
  return 0;
}

/** `conclave config set KEY VALUE` and `unset KEY`: writes settings into the user's file, or takes them out. */
async function changeSettings(
  { root, environment, json }: CommonOptions,
  pairs: readonly (readonly [key: string, value: string | null])[],
): Promise<number> {
  const { refuseAgents } = await import('../app/inside-agent.ts');
  await refuseAgents(environment);
  const { setInUserFile, tomlText } = await import('../app/settings/edit-config.ts');
  const { file, set } = await setInUserFile(pairs, environment);
  const { sources } = await loadSettings({ root, environment });
  const lines = set.map(({ key, value }) => {
    const counts = sources.find((one) => one.key === key);
    const source = counts?.source.name ?? file;
    if (value === null)
      return counts === undefined
        ? `${key} has no value now`
        : `${key} = ${tomlText(counts.value)} (${source})`;
    const note = source.split(', ').includes(file) ? '' : ` (here ${source} says otherwise)`;
    return `${key} = ${tomlText(value)}${note}`;
  });
  if (json) printJson({ file, set: set.map(({ key, value }) => ({ key, value })) });
  else printLines(`Wrote ${file}:`, ...lines.map((line) => `  ${line}`));
  return 0;
}

/** Pairs the words of `config set`. Throws `usage` if one has no partner. */
function pairsOf(words: readonly string[]): readonly (readonly [key: string, value: string])[] {
  return words.flatMap((key, at) => (at % 2 === 0 ? [[key, words[at + 1] ?? refuseOdd()]] : []));
}

function refuseOdd(): never {
  throw wrongUsage(
    '"conclave config set" takes a KEY with its VALUE: config set workflow.mode serial',
  );
}

/** `conclave config trust`: lets the current content of the project's file set everything. */
async function trustProject({ root, environment, json, yes }: CommonOptions): Promise<number> {
  const { refuseAgents } = await import('../app/inside-agent.ts');
  await refuseAgents(environment);
  const { file, hash, trusted, widening } = await projectOf(root, environment);
  const allows = widening.map(({ key, value }) => ({ key, value }));
  if (!json) {
    const lines = allows.map(({ key, value }) => `  ${key} = ${JSON.stringify(value)}`);
    printLines(
      lines.length === 0
        ? `${file} sets nothing that needs trust.`
        : `With your trust, these settings of ${file} count:`,
      ...lines,
    );
  }
  const agreed = trusted || yes || (await confirm(`Trust ${file} as it is now?`));
  if (agreed) await trustContent(file, hash, environment);
  if (json) printJson({ file, sha256: hash, trusted: agreed, allows });
  else printLines(agreed ? `Trusted ${file} until it changes.` : 'Nothing was trusted.');
  return 0;
}

/** `conclave config untrust`: withdraws the trust. */
async function untrustProject({ root, environment, json }: CommonOptions): Promise<number> {
  const { file } = await projectOf(root, environment);
  const was = await trustContent(file, null, environment);
  if (json) printJson({ file, trusted: false, was_trusted: was });
  else printLines(was ? `${file} is no longer trusted.` : `${file} was not trusted.`);
  return 0;
}

async function trustContent(
  file: string,
  hash: string | null,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const { setTrust } = await import('../app/settings/project.ts');
  return await setTrust(file, hash, trustFile(environment));
}

async function projectOf(root: string, environment: NodeJS.ProcessEnv): Promise<ProjectFile> {
  const project = await loadProject(root, environment);
  if (project !== null) return project;
  throw wrongUsage(`There is no conclave.toml in ${root}.`);
}
