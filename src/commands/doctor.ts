import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../agents/find-program.ts';
import { gitFolders } from '../context/git-stamps.ts';
import { ripgrepPath } from '../context/ripgrep.ts';
import { Stopped } from '../model/failure.ts';
import { version } from '../version.ts';
import { type AgentReport, agentReports } from './agents.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import type { Place } from './program/common.ts';
import { projectRoot } from './project-root.ts';
import { type Settings, defaultSettings, loadSettings } from './settings/load-settings.ts';

/** One thing that was looked at. `missing` limits what can be done, `note` only informs. */
interface Check {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'note';
  readonly found: string;
  readonly remedy: string | null;
}

/**
 * `conclave doctor`: what is there and what is missing; 3 if no agent at all could answer, and 2
 * if git refuses the repository, or if the settings do not hold, which are the defaults for the
 * rest of the report then.
 */
export async function run({ cwd, json }: Place): Promise<number> {
  const root = await projectRoot(cwd);
  const { settings, fault } = await settingsOrDefaults(root);
  const [machine, repository, agents] = await Promise.all([
    machineChecks(settings, fault),
    repositoryCheck(root),
    agentReports(settings, root),
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
  const environment = process.env;
  try {
    return { settings: await loadSettings({ cwd: root, environment, flags: {} }), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'config') throw error;
    return { settings: defaultSettings(environment), fault: error.message };
  }
}

async function machineChecks(settings: Settings, fault: string | null): Promise<readonly Check[]> {
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
        'Install git with your package manager; without it there is no base to check against.',
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
async function repositoryCheck(root: string): Promise<Check> {
  const { signal } = new AbortController();
  const name = 'repository';
  try {
    const folders = await gitFolders({ root, signal });
    const found = folders === null ? `${root} (no git, so nothing is known of its past)` : root;
    return { name, state: folders === null ? 'note' : 'ok', found, remedy: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const remedy = 'Mend it as said there; until then nothing is searched or planned here.';
    return { name, state: 'missing', found: error.message, remedy };
  }
}

function programCheck(program: {
  readonly name: string;
  readonly found: string | null;
  readonly remedy: string;
}): Check {
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
function serverChecks({ context: { mcp } }: Settings): readonly Check[] {
  if (mcp === null) return [];
  const name = 'context server';
  const found = findProgram(mcp.command, process.env.PATH);
  const remedy = `Install ${mcp.command}, or set context.mcp.command to where it is.`;
  return found === null
    ? [{ name, state: 'missing', found: `there is no program ${mcp.command}`, remedy }]
    : [{ name, state: 'ok', found: `${found}, asked by its tool ${mcp.tool}`, remedy: null }];
}

function brokenSettings(found: string): Check {
  const remedy = 'Correct it; whatever needs the settings stops with this until then.';
  return { name: 'your settings', state: 'missing', found, remedy };
}

function settingsChecks({ files: { user, project } }: Settings): readonly Check[] {
  const own = user.exists ? user.file : `${user.file} (not there, which is fine)`;
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

function agentCheck(agent: AgentReport): Check {
  const name = `agent ${agent.name}`;
  if (agent.kind === 'analyst') {
    const found = agent.why ?? 'built in; reads the repository, uses no model';
    return { name, state: agent.state === 'ready' ? 'ok' : 'missing', found, remedy: agent.remedy };
  }
  const program = `${agent.version ?? 'unknown version'} (${agent.path ?? 'no path'})`;
  if (agent.state === 'ready') {
    return { name, state: 'ok', found: `${program}${loginWords(agent)}`, remedy: null };
  }
  if (agent.state === 'not-logged-in') {
    return { name, state: 'missing', found: `${program}; not logged in`, remedy: agent.remedy };
  }
  const state = agent.state === 'disabled' ? 'note' : 'missing';
  const login = agent.login === null || state === 'note' ? '' : ` Log in with: ${agent.login}`;
  return { name, state, found: agent.why ?? agent.state, remedy: `${agent.remedy ?? ''}${login}` };
}

function loginWords({ logged_in: isLoggedIn, login }: AgentReport): string {
  if (isLoggedIn === true) return '; logged in';
  return login === null ? '' : `; if it is not logged in: ${login}`;
}

function platformNotes(): readonly Check[] {
  const notes: Partial<Record<NodeJS.Platform, string>> = {
    darwin:
      'macOS: processes that an agent starts and detaches are not found by their mark, only by ' +
      'their group',
    win32: 'Windows is not supported yet; use WSL',
  };
  const found = notes[process.platform];
  return found === undefined ? [] : [{ name: 'platform', state: 'note', found, remedy: null }];
}

function remedyLines(checks: readonly Check[]): readonly string[] {
  const lines = checks.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`${name}: ${remedy}`],
  );
  return lines.length === 0 ? [] : ['What you can do:', ...lines.map((line) => `  ${line}`), ''];
}

function summary(canAnswer: boolean, agents: readonly AgentReport[]): string {
  if (!canAnswer) return 'No agent could answer.';
  const models = agents.filter((agent) => agent.kind === 'model');
  const ready = models.filter((agent) => agent.state === 'ready');
  const names = namesOf(ready);
  if (ready.length === 0) {
    const lacks = models.some((agent) => agent.state === 'not-logged-in')
      ? 'logged in'
      : 'installed';
    return `No agent with a model is ${lacks}; the built-in analysts answer in their place.`;
  }
  if (ready.length === 1) {
    return `Only ${names} is ready; agreement needs two agents with models of different vendors.`;
  }
  const open = namesOf(ready.filter((agent) => agent.logged_in === null));
  return `Ready: ${names}.${open === '' ? '' : ` Whether the login of ${open} holds shows in a run.`}`;
}

function namesOf(agents: readonly AgentReport[]): string {
  return agents.map((agent) => agent.name).join(', ');
}
