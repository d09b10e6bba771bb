// Installs and removes a package with a host's own commands, and checks the host's list for it.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../agents/process/find-program.ts';
import { wrongUsage } from '../../model/failure.ts';
import { quoteForShell } from '../../model/wording.ts';
import { packageRoot } from '../../prompts/package-root.ts';
import { runProgram } from '../../store/run-program.ts';
import { guardWrite } from '../../store/system-error.ts';
import { version } from '../../version.ts';
import { hostsFolder } from '../folders.ts';
import { referTo, type ServerCommand } from './host-list.ts';
import { variablesToPass } from './server-entry.ts';
import type { HostCall, HostPackage, PackageScope } from './package-list.ts';
import { makeFolder } from '../../store/make-folder.ts';

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
  const end = await runProgram({ ...call, ...(input === undefined ? {} : { input }) });
  const [output, said] = [end.stdout.toString('utf8'), end.stderr.toString('utf8')];
  // One host prints its list on stderr if that is not a terminal.
  return { exitCode: end.exitCode, output: output === '' ? said : output, said };
}
