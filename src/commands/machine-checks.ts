// Writes what `conclave doctor` says about programs, folders, settings and the repository.
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findConfinement } from '../agents/process/find-confinement.ts';
import { findProgram } from '../agents/process/find-program.ts';
import { ripgrepPath } from '../context/search/find-hits.ts';
import { gitFolders } from '../git/git-folders.ts';
import { neverAborted } from '../model/signal.ts';
import { Stopped } from '../model/failure.ts';
import { confinementFault } from '../agents/process/try-confinement.ts';
import { makeFolder } from '../store/make-folder.ts';
import { runProgram } from '../store/run-program.ts';
import { guardWrite } from '../store/system-error.ts';
import { version } from '../version.ts';
import { keyFile } from '../app/folders.ts';
import type { Settings } from '../app/settings/load-settings.ts';
import type { Workplace } from '../app/workplace.ts';

/** The result of one check. `missing` limits what can be done, `note` only informs. */
export interface MachineCheck {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'note';
  readonly found: string;
  readonly remedy: string | null;
}

/** Checks this machine besides its agents; `fault` describes invalid settings, if there are any. */
export async function machineChecks({
  settings,
  environment,
  fault,
  root,
}: Workplace & { readonly fault: string | null }): Promise<readonly MachineCheck[]> {
  const [git, ripgrep, repository] = await Promise.all([
    programCheck('git', 'git', 'there is no commit to check claims against'),
    programCheck('ripgrep', await ripgrepPath(), 'the search is slower'),
    repositoryCheck(root),
  ]);
  return [
    ok('conclave', version),
    ok('Node', `${process.version} (${process.execPath})`),
    git,
    ripgrep,
    await confinementCheck({ settings, environment }),
    await dataFolderCheck(environment),
    ...serverChecks(settings, environment),
    ...(fault === null ? settingsChecks(settings) : [brokenSettings(fault)]),
    repository,
    ...platformNotes(),
  ];
}

/** Checks if checks of tasks can be confined, and says how to make that possible. */
export async function confinementCheck({
  settings,
  environment,
  platform = process.platform,
}: Pick<Workplace, 'environment'> & {
  readonly settings: { readonly execution: Pick<Settings['execution'], 'confine'> };
  readonly platform?: NodeJS.Platform;
}): Promise<MachineCheck> {
  const name = 'confinement';
  if (!settings.execution.confine) return note(name, 'none, as execution.confine is false');
  const found = findConfinement(environment, platform);
  if (found === null) {
    const remedy =
      'Install bubblewrap and socat with your package manager; without them checks of tasks, and the commands of some agents, may read and write wherever you may.';
    return missing(
      name,
      'none: checks and the set-up are not confined to their work trees',
      remedy,
    );
  }
  if (!found.isTried) return note(name, `${found.name} (not tried)`);
  const why = await confinementFault(found, { environment, signal: neverAborted });
  if (why === null) return ok(name, `${found.name}, for checks and the set-up`);
  return missing(
    name,
    `${found.name} is installed and does not work: ${why}`,
    'Allow it to create user namespaces, or set [execution] confine = false; until then nothing is carried out.',
  );
}

/** Checks if the user’s own data can be stored: the key of their sessions, conversations, work trees. */
async function dataFolderCheck(environment: NodeJS.ProcessEnv): Promise<MachineCheck> {
  const name = 'data folder';
  const folder = dirname(keyFile(environment));
  try {
    await guardWrite(folder, async () => {
      await makeFolder(folder, { mode: 0o700 });
      await access(folder, constants.W_OK);
    });
    return ok(name, folder);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const remedy =
      'Set XDG_DATA_HOME to a folder that you can write to; until then sessions are not known to be yours, and nothing can be carried out.';
    return missing(name, error.message, remedy);
  }
}

/** Checks if git accepts questions about the repository around this folder. */
async function repositoryCheck(root: string): Promise<MachineCheck> {
  try {
    const folders = await gitFolders({ root, signal: neverAborted });
    if (folders !== null) return ok('repository', root);
    return note('repository', `${root} (no git, so no history)`);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const remedy = 'Fix what git reports; until then nothing can be searched or planned here.';
    return missing('repository', error.message, remedy);
  }
}

/** The first line that a program prints for `--version`, and its path. */
async function programCheck(name: string, program: string, without: string): Promise<MachineCheck> {
  const path = findProgram(program, process.env.PATH) ?? program;
  const line = await versionLine(path);
  if (line !== null) return ok(name, `${line} (${path})`);
  const remedy = `Install ${name} with your package manager; without it ${without}.`;
  return missing(name, 'not installed', remedy);
}

/** Asks a program for its version; null if it cannot be started, fails or does not end. */
async function versionLine(command: string): Promise<string | null> {
  const [args, env, signal] = [['--version'], process.env, AbortSignal.timeout(10_000)];
  try {
    const end = await runProgram({ command, args, env, signal, maxOutput: 1024 * 1024 });
    return end.exitCode === 0 ? (end.stdout.toString().split('\n')[0] ?? '') : null;
  } catch (error) {
    if (error === signal.reason) return null;
    throw error;
  }
}

/** Describes the server that helps to find code, if one is configured; it is not started here. */
function serverChecks(
  { context: { mcp } }: Settings,
  environment: NodeJS.ProcessEnv,
): readonly MachineCheck[] {
  if (mcp === null) return [];
  const found = findProgram(mcp.command, environment['PATH']);
  if (found !== null) return [ok('context server', `${found}, asked with its tool ${mcp.tool}`)];
  const remedy = `Install ${mcp.command}, or set context.mcp.command to its path.`;
  return [missing('context server', `no program ${mcp.command}`, remedy)];
}

function brokenSettings(found: string): MachineCheck {
  const remedy =
    'Fix it; until then every command that needs the settings stops with this message.';
  return missing('your settings', found, remedy);
}

function settingsChecks({ files: { user, project } }: Settings): readonly MachineCheck[] {
  const own = user.exists ? user.file : `${user.file} (no such file: the defaults apply)`;
  const trust = project?.trusted === true ? 'trusted' : 'not trusted, so it can only narrow';
  const shared = project === null ? [] : [note('project settings', `${project.file} (${trust})`)];
  return [ok('your settings', own), ...shared];
}

/** Lists what differs from Linux. */
function platformNotes(): readonly MachineCheck[] {
  const notes: Partial<Record<NodeJS.Platform, string>> = {
    darwin:
      'macOS: detached processes of an agent are found only by their group, not by their mark',
    win32: 'Windows is not supported yet; use WSL',
  };
  const found = notes[process.platform];
  return found === undefined ? [] : [note('platform', found)];
}

function ok(name: string, found: string): MachineCheck {
  return { name, state: 'ok', found, remedy: null };
}

function note(name: string, found: string): MachineCheck {
  return { name, state: 'note', found, remedy: null };
}

function missing(name: string, found: string, remedy: string): MachineCheck {
  return { name, state: 'missing', found, remedy };
}
