// Collects what the user configured for one program: its path, its isolation, and the user’s own setup.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isSystemError } from '../../store/system-error.ts';
import type { AgentAdapter, AgentRequest, OwnChoice, UserSide } from '../agent.ts';
import type { Dialogue } from '../dialogue.ts';
import { type Isolation, toolsOf } from '../permission.ts';
import { findProgram } from '../process/find-program.ts';

/** The user’s settings for one agent. */
export interface CliAgentSettings {
  /** The program to start: an absolute path, or another name on PATH. */
  readonly path?: string | undefined;
  /** Arguments before the adapter’s own. */
  readonly args?: readonly string[] | undefined;
  /** Flags that a host may pass on. */
  readonly allowFlags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The model if a request names none. */
  readonly model?: string | undefined;
  /** The effort of its model, in the words of the CLI. */
  readonly effort?: string | undefined;
  /** The provider of the model, if the adapter cannot know it. */
  readonly vendor?: string | undefined;
  /** The time limit that replaces the total limit of a request. */
  readonly timeoutMs?: number | undefined;
  readonly enabled?: boolean | undefined;
  /** The file or variable that enables or disables it. */
  readonly enabledBy?: string | undefined;
  /** The kind of isolation, of those that the adapter supports; by default the first of them. */
  readonly isolation?: Isolation | undefined;
  /** The way to install it, in place of the adapter’s own. */
  readonly install?: string | undefined;
}

/** A CLI as it is on this machine. */
export interface CliSetup {
  readonly adapter: AgentAdapter;
  readonly settings: CliAgentSettings;
  readonly environment: NodeJS.ProcessEnv;
  /** The absolute folder that remembers versions; without it each program is asked. */
  readonly versions?: string | undefined;
  /** The dialogue of a program in one run, in place of the adapter’s input and lines. */
  readonly dialogue?: (request: AgentRequest) => Promise<Dialogue>;
}

/** Finds the absolute path of the program; null if it is not installed. */
export function programPath({ adapter, settings, environment }: CliSetup): string | null {
  return findProgram(settings.path ?? adapter.command, environment['PATH']);
}

/** Says why `programPath` found no program. */
export function whyMissing({ adapter, settings }: CliSetup): string {
  const name = settings.path ?? adapter.command;
  return `"${name}" ${name.includes('/') ? 'is not the absolute path of a program' : 'is not on PATH'}`;
}

/** Adds the user’s settings to a request, and moves it to the folder of the agent session that it resumes. */
export function applySettings(
  request: AgentRequest,
  settings: CliAgentSettings,
  own: OwnChoice | null,
): AgentRequest {
  const { resume, cwd, extraDirs, limits } = request;
  const moved = resume !== null && resume.cwd !== cwd;
  return {
    ...request,
    cwd: moved ? resume.cwd : cwd,
    extraDirs: moved ? [cwd, ...extraDirs] : extraDirs,
    model: request.model ?? settings.model ?? own?.model ?? null,
    effort: request.effort ?? settings.effort ?? own?.effort ?? null,
    verbosity: own?.verbosity ?? null,
    limits: { ...limits, totalMs: settings.timeoutMs ?? limits.totalMs },
  };
}

/** Adds the isolation to a request. A hook or a server could write, so a read-only run is always isolated. */
export function isolateRequest(
  request: AgentRequest,
  { adapter, settings, environment }: CliSetup,
): AgentRequest {
  const [usual] = adapter.isolations ?? [];
  const { isolation: chosen = usual } = settings;
  const isOpen = chosen === 'none' && !toolsOf(request).has('file_write');
  const confined = canConfine({ adapter, environment });
  return { ...request, isolation: isOpen ? usual : chosen, confined };
}

/** True if its own sandbox for commands has what it needs. */
export function canConfine(
  { adapter: { confinesWith }, environment }: Pick<CliSetup, 'adapter' | 'environment'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (confinesWith === undefined) return false;
  if (platform === 'darwin') return true;
  const isThere = (name: string) => findProgram(name, environment['PATH']) !== null;
  return platform === 'linux' && confinesWith.every(isThere);
}

/** True if its isolation hides the login in the user’s home. */
export function losesLogin({ adapter, settings }: CliSetup): boolean {
  return settings.isolation === 'home' && adapter.homeHidesLogin === true;
}

/** Warns the user about an isolation that is not the default. */
export function isolationNotes(setup: CliSetup): readonly string[] {
  if (losesLogin(setup)) {
    return ['it takes a key from its environment, and does not see a login in your home'];
  }
  if (setup.settings.isolation !== 'none') return [];
  return [
    'your MCP servers and hooks run wherever it may edit, and no permission binds them',
    'the project’s own servers and hooks run there too, if the CLI trusts the project',
    'none of them run where it may only read, because they could write',
  ];
}

/** Describes the user’s own setup of a CLI, as the CLI would find it without us. */
export function userSide(
  { settings, environment: base }: CliSetup,
  model = settings.model ?? null,
): UserSide {
  const environment = { ...base, ...settings.env };
  return {
    home: environment['HOME'] ?? homedir(),
    environment,
    model,
    isolation: settings.isolation,
    read: (path) => nullIfRefused(() => readFileSync(path, 'utf8')),
    list: (path) => nullIfRefused(() => readdirSync(path)) ?? [],
    has: existsSync,
  };
}

/** Lists the variables that the CLI gets if it uses this model. */
export function variablesOf(setup: CliSetup, model: string | null): readonly string[] {
  const { adapter } = setup;
  return [...adapter.variables, ...(adapter.variablesOf?.(userSide(setup, model)) ?? [])];
}

/** Reads something; null if the system refuses it. */
function nullIfRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
