import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gitFolders } from '../git/git-folders.ts';
import { findProgram } from '../agents/cli-setup.ts';
import { ripgrepPath } from '../context/ripgrep.ts';
import { Stopped } from '../model/failure.ts';
import { version } from '../version.ts';
import type { Settings } from './settings/load-settings.ts';

/** One thing that was looked at. `missing` limits what can be done, `note` only informs. */
export interface MachineCheck {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'note';
  readonly found: string;
  readonly remedy: string | null;
}

/** What is on this machine besides agents; `fault` is what is wrong with the settings, if anything. */
export async function machineChecks(
  settings: Settings,
  fault: string | null,
): Promise<readonly MachineCheck[]> {
  const ripgrep = await ripgrepPath();
  const git = findProgram('git', process.env.PATH);
  const [gitVersion, ripgrepVersion] = await Promise.all([
    git === null ? null : versionOf(git),
    versionOf(findProgram(ripgrep, process.env.PATH) ?? ripgrep),
  ]);
  return [
    { name: 'conclave', state: 'ok', found: version, remedy: null },
    { name: 'Node', state: 'ok', found: `${process.version} (${process.execPath})`, remedy: null },
    programCheck({
      name: 'git',
      found: gitVersion === null ? null : `${gitVersion} (${git})`,
      remedy:
        'Install git with your package manager; without it there is no commit to check claims against.',
    }),
    programCheck({
      name: 'ripgrep',
      found: ripgrepVersion === null ? null : `${ripgrepVersion} (${ripgrep})`,
      remedy: 'Install ripgrep with your package manager; without it the search is slower.',
    }),
    ...serverChecks(settings),
    ...(fault === null ? settingsChecks(settings) : [brokenSettings(fault)]),
  ];
}

/** Whether git can be asked about the repository around this folder. */
export async function repositoryCheck(root: string): Promise<MachineCheck> {
  const { signal } = new AbortController();
  const name = 'repository';
  try {
    const folders = await gitFolders({ root, signal });
    const found = folders === null ? `${root} (no git, so no history)` : root;
    return { name, state: folders === null ? 'note' : 'ok', found, remedy: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const remedy = 'Fix what git reports; until then nothing can be searched or planned here.';
    return { name, state: 'missing', found: error.message, remedy };
  }
}

function programCheck(program: {
  readonly name: string;
  readonly found: string | null;
  readonly remedy: string;
}): MachineCheck {
  const { name, found, remedy } = program;
  return found === null
    ? { name, state: 'missing', found: 'not installed', remedy }
    : { name, state: 'ok', found, remedy: null };
}

/** The first line of what a program says to `--version`, or null if it cannot be started. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return stdout.split('\n')[0] ?? '';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** The server that helps to find code, where one is configured; it is not started here. */
function serverChecks({ context: { mcp } }: Settings): readonly MachineCheck[] {
  if (mcp === null) return [];
  const name = 'context server';
  const found = findProgram(mcp.command, process.env.PATH);
  const remedy = `Install ${mcp.command}, or set context.mcp.command to its path.`;
  return found === null
    ? [{ name, state: 'missing', found: `no program ${mcp.command}`, remedy }]
    : [{ name, state: 'ok', found: `${found}, asked with its tool ${mcp.tool}`, remedy: null }];
}

function brokenSettings(found: string): MachineCheck {
  const remedy =
    'Fix it; until then every command that needs the settings stops with this message.';
  return { name: 'your settings', state: 'missing', found, remedy };
}

function settingsChecks({ files: { user, project } }: Settings): readonly MachineCheck[] {
  const own = user.exists ? user.file : `${user.file} (no such file: the defaults apply)`;
  const trust = project?.trusted === true ? 'trusted' : 'not trusted, so it can only narrow';
  return [
    { name: 'your settings', state: 'ok', found: own, remedy: null },
    ...(project === null
      ? []
      : [
          {
            name: 'project settings',
            state: 'note' as const,
            found: `${project.file} (${trust})`,
            remedy: null,
          },
        ]),
  ];
}

/** What is not as on Linux. */
export function platformNotes(): readonly MachineCheck[] {
  const notes: Partial<Record<NodeJS.Platform, string>> = {
    darwin:
      'macOS: detached processes of an agent are found only by their group, not by their mark',
    win32: 'Windows is not supported yet; use WSL',
  };
  const found = notes[process.platform];
  return found === undefined ? [] : [{ name: 'platform', state: 'note', found, remedy: null }];
}
