// Lists the packages for hosts, installs and removes them by the host’s own commands or as loose files.
import { cp, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Text } from '../../model/plain-shapes.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { wrongUsage } from '../../model/failure.ts';
import { quoteForShell } from '../../model/wording.ts';
import { packageRoot } from '../../prompts/package-root.ts';
import { runProgram } from '../../store/run-program.ts';
import { guardWrite, hasCode } from '../../store/system-error.ts';
import { version } from '../../version.ts';
import { hostsFolder } from '../folders.ts';
import { type ServerCommand, referTo } from './host-list.ts';
import { type HostScope, variablesToPass } from './server-entry.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { sha256Of } from '../../store/digest.ts';
import { readUserJson, writeUserJson } from '../../store/small-file.ts';
import { textOf } from './host-file.ts';

interface HostSide extends PackageScope {
  /** The name of the host, e.g. `gemini`. */
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** The folder of a package in the user’s data, which a host may read for as long as it is installed. */
export function packageFolder(template: string, environment: NodeJS.ProcessEnv): string {
  return join(hostsFolder(environment), template);
}

/** Writes the package with the absolute paths of this program; returns its folder. */
export async function preparePackage(
  { template, skills }: HostPackage,
  server: ServerCommand,
  {
    environment,
    keys,
  }: { readonly environment: NodeJS.ProcessEnv; readonly keys: readonly string[] },
): Promise<string> {
  const variables = variablesToPass(environment, keys);
  const folder = packageFolder(template, environment);
  const templates = join(packageRoot(), 'templates/hosts');
  await guardWrite(folder, async () => {
    await rm(folder, { recursive: true, force: true });
    await makeFolder(folder, { mode: 0o700 });
    await cp(join(templates, template), folder, { recursive: true });
    await cp(join(templates, 'skills'), join(folder, skills), { recursive: true });
    for (const file of await jsonFilesIn(folder)) {
      await writeFile(file, filledIn(await readFile(file, 'utf8'), server, variables));
    }
  });
  return folder;
}

async function jsonFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function filledIn(
  text: string,
  { command, args }: ServerCommand,
  variables: readonly string[],
): string {
  const [program = ''] = args;
  const critique = hookCommand(command, program);
  const words = { node: command, program, critique, version };
  const lists = { variables, named: referTo(variables) };
  const filled = Object.entries(words).reduce(
    (left, [name, value]) =>
      left.replaceAll(`{{${name}}}`, () => JSON.stringify(value).slice(1, -1)),
    text,
  );
  return Object.entries(lists).reduce(
    (left, [name, value]) => left.replaceAll(`"{{${name}}}"`, () => JSON.stringify(value)),
    filled,
  );
}

/**
 * Writes the command of the hook. It ends quietly if the program is missing, which would otherwise
 * block the host. A host that stops waiting ends only
 * the shell, so the program replaces the shell: some hosts wait for any process that remains.
 */
function hookCommand(node: string, program: string): string {
  const [runs, file] = [node, program].map(quoteForShell);
  return `test -x ${runs} && test -f ${file} || exit 0; exec ${runs} ${file} critique --hook`;
}

/** Installs a prepared package; an existing one is removed first, because hosts keep a copy. Throws `usage`. */
export async function installPackage(
  hostPackage: HostPackage,
  folder: string,
  host: HostSide,
): Promise<void> {
  if (await isListed(hostPackage, host)) await runAll(hostPackage.remove(host.scope), host);
  const output = await runAll(hostPackage.install(folder, host.scope), host);
  if (await isListed(hostPackage, host)) return;
  throw wrongUsage(`${host.name} does not list conclave after its own installation. ${output}`);
}

/** Returns false if there was nothing to remove. Throws `usage` if it is still listed. */
export async function removePackage(hostPackage: HostPackage, host: HostSide): Promise<boolean> {
  if (!(await isListed(hostPackage, host))) return false;
  const output = await runAll(hostPackage.remove(host.scope), host);
  if (!(await isListed(hostPackage, host))) return true;
  throw wrongUsage(`${host.name} still lists conclave after its own removal. ${output}`);
}

async function isListed({ list, isListed: finds }: HostPackage, host: HostSide): Promise<boolean> {
  const { output, exitCode } = await runHost({ args: list }, host);
  if (exitCode !== 0) throw wrongUsage(`${host.name} ${list.join(' ')} failed: ${output}`);
  return finds(output, host);
}

/** Continues after a failure, because only the final list counts. Returns what went wrong. */
async function runAll(calls: readonly HostCall[], host: HostSide): Promise<string> {
  const faults: string[] = [];
  for (const call of calls) {
    const { exitCode, output, said } = await runHost(call, host);
    if (exitCode !== 0 || call.input !== undefined) {
      faults.push(`${host.name} ${call.args.join(' ')} ended with ${exitCode}: ${output}${said}`);
    }
  }
  return faults.join(' ').replaceAll(/\s+/g, ' ').slice(0, 600);
}

async function runHost({ args, input }: HostCall, { name, environment, signal, root }: HostSide) {
  const command = findProgram(name, environment['PATH']);
  if (command === null)
    throw wrongUsage(`${name} is not on PATH, so nothing was installed; install ${name} first.`);
  const call = { command, args, cwd: root, env: environment, signal, maxOutput: 4 * 1024 * 1024 };
  const end = await runProgram({ ...call, ...(input !== undefined && { input }) });
  const [output, said] = [end.stdout.toString('utf8'), end.stderr.toString('utf8')];
  // One host prints its list on stderr if that is not a terminal.
  return { exitCode: end.exitCode, output: output === '' ? said : output, said };
}

/** Arguments for a host’s own program, with its standard input. */
interface HostCall {
  readonly args: readonly string[];
  readonly input?: string;
}

/** The people for whom a package is installed: the user, or everyone who works in a project. */
interface PackageScope {
  readonly scope: HostScope;
  /** The project’s folder, with all links resolved. */
  readonly root: string;
}

/** A package that a host installs with its own commands. */
export interface HostPackage {
  /** A folder in `templates/hosts`. */
  readonly template: string;
  /** The folder of the skills inside it. */
  readonly skills: string;
  /** The scopes that it knows, `user` first. */
  readonly scopes: readonly HostScope[];
  readonly install: (folder: string, scope: HostScope) => readonly HostCall[];
  readonly remove: (scope: HostScope) => readonly HostCall[];
  readonly list: readonly string[];
  readonly isListed: (output: string, place: PackageScope) => boolean;
  /** Things to know before or after the installation, one sentence each. */
  readonly notes: (folder: string) => readonly string[];
}

const plugin = 'conclave@conclave';
const forUser = { scopes: ['user'] } as const;
const shared = { template: 'package', skills: 'plugin/skills' };
const forgetFolder: HostCall = { args: ['plugin', 'marketplace', 'remove', 'conclave'] };

export const hostPackages: Readonly<Record<string, HostPackage>> = {
  claude: {
    ...shared,
    scopes: ['user', 'project'],
    // Only the user’s settings know the folder of the package; a project only says that it is enabled.
    install: (folder, scope) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin, '--scope', scope] },
    ],
    remove: (scope) => [
      { args: ['plugin', 'uninstall', plugin, '--scope', scope] },
      ...(scope === 'user' ? [forgetFolder] : []),
    ],
    list: ['plugin', 'list', '--json'],
    isListed: (output, { scope, root }) =>
      entriesIn(jsonIn(output)).some(
        (one) =>
          one['id'] === plugin &&
          one['scope'] === scope &&
          (scope === 'user' || one['projectPath'] === root),
      ),
    notes: () => [],
  },
  codex: {
    ...shared,
    ...forUser,
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'add', plugin, '--json'] },
    ],
    remove: () => [{ args: ['plugin', 'remove', plugin] }, forgetFolder],
    list: ['plugin', 'list', '--json'],
    isListed(output) {
      const all: unknown = jsonIn(output);
      const installed = isObject(all) ? all['installed'] : [];
      return entriesIn(installed).some(({ pluginId }) => pluginId === plugin);
    },
    notes: () => [
      'codex skips the check of its plans silently until you trust the hook in /hooks.',
    ],
  },
  gemini: {
    template: 'extension',
    skills: 'skills',
    ...forUser,
    // Despite these flags, it asks for trust in the folder; without a yes, it ends with 0 and installs nothing.
    install: (folder) => [
      { args: ['extensions', 'install', folder, '--consent', '--skip-settings'], input: 'y\n' },
    ],
    remove: () => [{ args: ['extensions', 'uninstall', 'conclave'] }],
    list: ['extensions', 'list'],
    isListed: (output) => /^\W*conclave \(/m.test(output),
    notes: (folder) => [
      `gemini asks whether it may trust ${folder}; conclave answers yes, and gemini keeps that in its trustedFolders.json.`,
    ],
  },
  copilot: {
    ...shared,
    ...forUser,
    install: (folder) => [
      { args: ['plugin', 'marketplace', 'add', folder] },
      { args: ['plugin', 'install', plugin] },
    ],
    remove: () => [{ args: ['plugin', 'uninstall', plugin] }, forgetFolder],
    list: ['plugin', 'list', '--json'],
    isListed: (output) =>
      entriesIn(jsonIn(output)).some(
        ({ name, marketplace, enabled }) =>
          name === 'conclave' && marketplace === 'conclave' && enabled === true,
      ),
    notes: () => [],
  },
};

function entriesIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Files that a host without packages reads from its settings folder, by their path in it. */
export function looseFiles(name: string): Readonly<Record<string, string>> | null {
  if (name in hostPackages) return null;
  const skill = join('skills', 'plan-with-conclave', 'SKILL.md');
  return {
    'commands/conclave-plan.md': join(name, 'commands/conclave-plan.md'),
    'commands/conclave-critique.md': join(name, 'commands/conclave-critique.md'),
    [skill]: skill,
  };
}

/** The hashes of what we wrote, by absolute path; a file with another text belongs to the person. */
const Known = z.record(Text, Text);

/** Writes the files to paths given by their templates. Throws `usage` if a file exists that is not ours. */
export async function writeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const known = await readKnown(environment);
  const texts = await Promise.all(
    Object.entries(files).map(async ([path, template]) => {
      const from = join(packageRoot(), 'templates/hosts', template);
      return [join(folder, path), await readFile(from, 'utf8')] as const;
    }),
  );
  for (const [path, text] of texts) {
    const found = await textOf(path);
    if (found !== null && found !== text && !isOurs(path, found, known)) {
      throw wrongUsage(`${path} is not the file that conclave writes there; move it away first.`);
    }
  }
  const hashes = texts.map(([path, text]) => [path, sha256Of(text)] as const);
  // The record is written first, because a record of a missing file does no harm.
  await writeUserJson(knownFile(environment), { ...known, ...Object.fromEntries(hashes) });
  for (const [path, text] of texts) {
    await guardWrite(path, () => makeFolder(dirname(path)));
    await writeAtomic(path, text);
  }
  return texts.map(([path]) => path);
}

/** Returns the removed paths. A file that a person wrote or changed stays. */
export async function removeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const known = await readKnown(environment);
  const paths = Object.keys(files).map((path) => join(folder, path));
  const removed: string[] = [];
  for (const path of paths) {
    const text = await textOf(path);
    if (text === null || !isOurs(path, text, known)) continue;
    await guardWrite(path, () => rm(path));
    for (let at = dirname(path); at !== folder; at = dirname(at)) await removeIfEmpty(at);
    removed.push(path);
  }
  const left = Object.entries(known).filter(([path]) => !paths.includes(path));
  await writeUserJson(knownFile(environment), Object.fromEntries(left));
  return removed;
}

function isOurs(path: string, text: string, known: Readonly<Record<string, string>>): boolean {
  return known[path] === sha256Of(text);
}

const knownFile = (environment: NodeJS.ProcessEnv): string =>
  join(hostsFolder(environment), 'files.json');

async function readKnown(environment: NodeJS.ProcessEnv): Promise<z.infer<typeof Known>> {
  return (await readUserJson(knownFile(environment), Known)) ?? {};
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOENT'])) throw error;
  }
}
