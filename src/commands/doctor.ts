import { Stopped } from '../model/failure.ts';
import { version } from '../version.ts';
import { agentReports, loginNote, type AgentReport } from './agents.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { defaultSettings, loadSettings, type Settings } from './settings/load-settings.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gitFolders } from '../git/git-folders.ts';
import { findProgram } from '../agents/cli-setup.ts';
import { ripgrepPath } from '../context/search/find-hits.ts';

/**
 * `conclave doctor`: what is there and what is missing; 3 if no agent at all could answer, and 2
 * if git refuses the repository, or if the settings do not hold, which are the defaults for the
 * rest of the report then.
 */
export async function doctorCommand({ root, json }: CommonOptions): Promise<number> {
  const { settings, fault } = await settingsOrDefaults(root);
  const [machine, repository, agents] = await Promise.all([
    machineChecks(settings, fault),
    repositoryCheck(root),
    agentReports({ settings, root }),
  ]);
  const checks = [...machine, repository, ...agents.map(agentCheck), ...platformNotes()];
  const canAnswer = agents.some((agent) => agent.state === 'ready');
  printWarnings(settings.warnings);
  if (json) printJson({ version, can_answer: canAnswer, checks, agents });
  else {
    printTable({
      head: ['CHECK', 'STATE', 'FOUND'],
      rows: checks.map(({ name, state, found }) => [name, state, found]),
    });
    printLines('', ...remedyLines(checks), summary(canAnswer, agents));
  }
  if (fault !== null || repository.state === 'missing') return 2;
  return canAnswer ? 0 : 3;
}

/** The settings, or the defaults and what is wrong with the settings. */
async function settingsOrDefaults(
  root: string,
): Promise<{ readonly settings: Settings; readonly fault: string | null }> {
  try {
    return { settings: await loadSettings({ cwd: root }), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'config') throw error;
    return { settings: defaultSettings(), fault: error.message };
  }
}

function agentCheck(agent: AgentReport): MachineCheck {
  const name = `agent ${agent.name}`;
  if (agent.kind === 'analyst') {
    const found = agent.why ?? 'built in; reads the repository, uses no model';
    return { name, state: agent.state === 'ready' ? 'ok' : 'missing', found, remedy: agent.remedy };
  }
  const program = `${agent.version ?? 'unknown version'} (${agent.path ?? 'no path'})`;
  if (agent.state === 'ready') {
    const found = [program, loginNote(agent), agent.why].filter((part) => part !== null).join('; ');
    return { name, state: 'ok', found, remedy: null };
  }
  if (agent.state === 'not-logged-in') {
    const found = `${program}; logged out: ${agent.why}`;
    return { name, state: 'log in', found, remedy: agent.remedy };
  }
  const state = agent.state === 'disabled' ? 'note' : 'missing';
  const login = agent.login === null || state === 'note' ? '' : ` Log in with: ${agent.login}`;
  return { name, state, found: agent.why ?? agent.state, remedy: `${agent.remedy ?? ''}${login}` };
}

function remedyLines(checks: readonly MachineCheck[]): readonly string[] {
  const lines = checks.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`  ${name}: ${remedy}`],
  );
  return lines.length === 0 ? [] : ['What you can do:', ...lines, ''];
}

function summary(canAnswer: boolean, agents: readonly AgentReport[]): string {
  if (!canAnswer) return 'No agent could answer.';
  const models = agents.filter((agent) => agent.kind === 'model');
  const ready = models.filter((agent) => agent.state === 'ready');
  const names = ready.map((agent) => agent.name).join(', ');
  if (ready.length === 0) {
    const lacks = models.some((agent) => agent.state === 'not-logged-in')
      ? 'logged in'
      : 'installed';
    return `No agent with a model is ${lacks}; the built-in analysts answer instead.`;
  }
  if (ready.length === 1) {
    return `Only ${names} is ready; agreement needs two agents whose models come from different vendors.`;
  }
  return `Ready: ${names}. Only a run shows whether their logins are accepted.`;
}

/** One thing that was looked at. `missing` limits what can be done, `note` only informs. */
interface MachineCheck {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'log in' | 'note';
  readonly found: string;
  readonly remedy: string | null;
}

/** What is on this machine besides agents; `fault` is what is wrong with the settings, if anything. */
async function machineChecks(
  settings: Settings,
  fault: string | null,
): Promise<readonly MachineCheck[]> {
  const [git, ripgrep] = await Promise.all([
    programFound('git'),
    programFound(await ripgrepPath()),
  ]);
  return [
    ok('conclave', version),
    ok('Node', `${process.version} (${process.execPath})`),
    git === null
      ? missing('git', notInstalled('git', 'there is no commit to check claims against'))
      : ok('git', git),
    ripgrep === null
      ? missing('ripgrep', notInstalled('ripgrep', 'the search is slower'))
      : ok('ripgrep', ripgrep),
    ...serverChecks(settings),
    ...(fault === null ? settingsChecks(settings) : [brokenSettings(fault)]),
  ];
}

function notInstalled(name: string, without: string): Pick<MachineCheck, 'found' | 'remedy'> {
  const remedy = `Install ${name} with your package manager; without it ${without}.`;
  return { found: 'not installed', remedy };
}

/** Whether git can be asked about the repository around this folder. */
async function repositoryCheck(root: string): Promise<MachineCheck> {
  const { signal } = new AbortController();
  try {
    const folders = await gitFolders({ root, signal });
    if (folders !== null) return ok('repository', root);
    return note('repository', `${root} (no git, so no history)`);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const remedy = 'Fix what git reports; until then nothing can be searched or planned here.';
    return missing('repository', { found: error.message, remedy });
  }
}

/** The first line of what a program says to `--version`, and its path; null if it does not start. */
async function programFound(name: string): Promise<string | null> {
  const path = findProgram(name, process.env.PATH) ?? name;
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return `${stdout.split('\n')[0] ?? ''} (${path})`;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** The server that helps to find code, where one is configured; it is not started here. */
function serverChecks({ context: { mcp } }: Settings): readonly MachineCheck[] {
  if (mcp === null) return [];
  const found = findProgram(mcp.command, process.env.PATH);
  if (found !== null) return [ok('context server', `${found}, asked with its tool ${mcp.tool}`)];
  const remedy = `Install ${mcp.command}, or set context.mcp.command to its path.`;
  return [missing('context server', { found: `no program ${mcp.command}`, remedy })];
}

function brokenSettings(found: string): MachineCheck {
  const remedy =
    'Fix it; until then every command that needs the settings stops with this message.';
  return missing('your settings', { found, remedy });
}

function settingsChecks({ files: { user, project } }: Settings): readonly MachineCheck[] {
  const own = user.exists ? user.file : `${user.file} (no such file: the defaults apply)`;
  const trust = project?.trusted === true ? 'trusted' : 'not trusted, so it can only narrow';
  const shared = project === null ? [] : [note('project settings', `${project.file} (${trust})`)];
  return [ok('your settings', own), ...shared];
}

/** What is not as on Linux. */
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

function missing(name: string, what: Pick<MachineCheck, 'found' | 'remedy'>): MachineCheck {
  return { name, state: 'missing', ...what };
}
