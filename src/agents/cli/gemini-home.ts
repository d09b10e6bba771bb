// Makes the home that Gemini CLI gets for one run, and says whether it is logged in.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { stringify } from 'smol-toml';
import { isObject } from '../../model/json.ts';
import { agy } from './agy.ts';
import {
  type Fields,
  sessionsIn,
  textOrNull,
  settingsIn,
  hiddenPathsIn,
  sessionIdOf,
} from './adapter-parts.ts';
import { toolsOf } from '../permission.ts';
import type { AgentRequest, LoginState, RunFile, UnservedLogin, UserSide } from '../agent.ts';

/** The name of a file in `homeFiles`. */
export const policyFile = 'policy.toml';

/** The name of the command that carries the prompt. */
export function questionCommand(mark: string): string {
  // The name differs from that of any command of the project.
  return `question-${sessionIdOf(mark).slice(0, 8)}`;
}

/**
 * Makes a home for one run, which keeps out the user’s servers, hooks, extensions, commands and memory,
 * and the lock that it often leaves behind and then waits 12 s for. The login and the sessions are
 * links to the user’s.
 */
export function homeFiles(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const { mark, isolation } = request;
  const { home, variables, authType } = usualHome(user);
  const ours = settings(authType, request);
  const own = isolation === 'none' ? usersOwn(home, user) : null;
  return {
    '.gemini/settings.json': JSON.stringify(
      own === null ? { ...ours, ...closed } : merge(own.theirs, ours),
    ),
    ...own?.links,
    [`.gemini/commands/${questionCommand(mark)}.toml`]: questionText,
    [policyFile]: policyOf(request),
    '.gemini/tmp': { linkTo: sessionsIn(request, join(home, 'tmp')), kind: 'folder' },
    ...(variables === null ? {} : { '.env': fileLink(variables) }),
    ...Object.fromEntries(
      login.map((name) => [`.gemini/${name}`, fileLink(join(home, name))] as const),
    ),
  };
}

/** Finds the user’s own home of Gemini CLI, and the kind of login that they chose. */
function usualHome(user: UserSide): {
  readonly home: string;
  /** The file with the user’s variables. */
  readonly variables: string | null;
  /** The kind of login; a key replaces a login that Google does not serve. */
  readonly authType: string | null;
  /**
   * The value of a variable that reaches its runs, from the environment or from that file; empty if
   * it is not set.
   */
  readonly told: (name: string) => string;
} {
  const usual = user.environment['GEMINI_CLI_HOME'] || user.home;
  const home = join(usual, '.gemini');
  const variables =
    [join(home, '.env'), join(usual, '.env')].find((path) => user.read(path) !== null) ?? null;
  const ofFile = parseEnv((variables === null ? null : user.read(variables)) ?? '');
  const told = (name: string) => user.environment[name] || ofFile[name] || '';
  const chosen = authTypeIn(user.read(join(home, 'settings.json'))) ?? authTypeOf(ofFile);
  const hasKey = chosen === personal && told('GEMINI_API_KEY') !== '' && !hasProject(told);
  return { home, variables, authType: hasKey ? 'gemini-api-key' : chosen, told };
}

const personal = 'oauth-personal';

/** True if a project is set, to which a company’s licence belongs. */
function hasProject(told: (name: string) => string): boolean {
  return projectNames.some((name) => told(name) !== '');
}

const projectNames = ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT_ID'];

/** The model that the user chose in Gemini CLI itself. */
export function userModel(user: UserSide): string | null {
  const { GEMINI_MODEL: named } = user.environment;
  const { model } = settingsIn(join(usualHome(user).home, 'settings.json'), user);
  return named || textOrNull(isObject(model) ? model['name'] : model);
}

const login = [
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'installation_id',
];

// Links lead even to files that do not exist yet, so that a new login ends up in the user’s home.
function fileLink(linkTo: string): RunFile {
  return { linkTo, kind: 'file' };
}

// Reads the kind of login by a pattern, because the file may contain comments, and older versions
// used another name.
function authTypeIn(userSettings: string | null): string | null {
  return /"selected(?:Auth)?Type"\s*:\s*"([\w-]+)"/.exec(userSettings ?? '')?.[1] ?? null;
}

// Reads the kind of login from variables: in an untrusted folder it only takes keys and the project
// from the user’s `.env`.
function authTypeOf(variables: NodeJS.Dict<string>): string | null {
  if (variables['GOOGLE_GENAI_USE_GCA'] === 'true') return personal;
  return variables['GOOGLE_GENAI_USE_VERTEXAI'] === 'true' ? 'vertex-ai' : null;
}

const readTools = ['list_directory', 'read_file', 'glob', 'grep_search'];

/** The names of the tools that it may use. */
function toolNames(request: AgentRequest): readonly string[] {
  const tools = toolsOf(request);
  return [
    ...readTools,
    ...(tools.has('file_write') ? ['write_file', 'replace'] : []),
    ...(tools.has('shell') ? [shellTool] : []),
    ...(tools.has('web') ? ['web_fetch', 'google_web_search'] : []),
  ];
}

export const shellTool = 'run_shell_command';

function settings(authType: string | null, request: AgentRequest): Fields {
  return {
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // Ten attempts take four minutes.
      maxAttempts: 2,
      // Otherwise it is told to use a tool that it does not have.
      topicUpdateNarration: false,
      // It must not delete the user’s sessions.
      sessionRetention: { enabled: false },
    },
    privacy: { usageStatisticsEnabled: false },
    security: {
      // This lets it run although the folder is not trusted.
      folderTrust: { enabled: false },
      ...(authType === null ? {} : { auth: { selectedType: authType } }),
    },
    advanced: { ignoreLocalEnv: true },
    // The number of turns ends a loop; its own detection mistakes similar lines for one.
    model: { disableLoopDetection: true, maxSessionTurns: request.maxTurns ?? 100 },
    // We do not know the names of the tools of the user’s servers.
    tools: request.isolation === 'none' ? {} : { core: toolNames(request) },
    // A flag would split a path at a comma.
    context: { includeDirectories: request.extraDirs },
  };
}

/** Keeps out the user’s hooks, skills and agents; without their settings there are no servers. */
const closed = {
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
};

/** Reads the user’s settings, and links to their extensions, skills, agents and memory. */
function usersOwn(home: string, user: UserSide) {
  const theirs = settingsIn(join(home, 'settings.json'), user);
  const links = ['extensions', 'skills', 'agents', 'GEMINI.md']
    .filter((name) => user.has(join(home, name)))
    .map((name) => [`.gemini/${name}`, fileLink(join(home, name))] as const);
  return { theirs, links: Object.fromEntries(links) };
}

/** Merges two settings section by section; our values win. */
function merge(theirs: Fields, ours: Fields): Fields {
  const sections = Object.entries(ours).map(([name, section]) => {
    const other = theirs[name];
    return [name, isObject(other) && isObject(section) ? { ...other, ...section } : section];
  });
  return { ...theirs, ...Object.fromEntries(sections) };
}

// Writes a policy as a second barrier: a tool that it denies is not even offered to the model.
function policyOf(request: AgentRequest): string {
  const tools = toolsOf(request);
  const names = toolNames(request);
  const all = toolNames({ ...request, permission: 'full', denied: [] });
  const others = request.isolation === 'none' ? all.filter((name) => !names.includes(name)) : '*';
  // Its searches skip the hidden folders anyway, since git ignores them.
  const hidden = hiddenPathsIn(request).map((path) => path.replaceAll(/[^\w/-]/g, '\\$&'));
  const readHidden = { toolName: readTools, argsPattern: hidden.join('|') };
  const rules = [
    ...(others.length === 0 ? [] : [{ toolName: others, decision: 'deny', priority: 900 }]),
    { toolName: names, decision: 'allow', allowRedirection: true, priority: 950 },
    ...(tools.has('shell') && !tools.has('git')
      ? [{ toolName: shellTool, commandPrefix: 'git', decision: 'deny', priority: 955 }]
      : []),
    ...(hidden.length === 0 ? [] : [{ ...readHidden, decision: 'deny', priority: 960 }]),
  ];
  return stringify({ rule: rules });
}

/** A command without a placeholder: Gemini CLI puts the prompt after its text, unchanged. */
const questionText = 'prompt = "You are asked what follows below the name of the command."\n';

/** A login that Google stopped serving; see discussion 28017 of google-gemini/gemini-cli. */
export const personalLogin: UnservedLogin = {
  words: /IneligibleTier|no longer supported for Gemini Code Assist for individuals/i,
  why: 'Google has served no personal login of Gemini CLI since 2026-06-18',
  remedy: `Set GEMINI_API_KEY, or GOOGLE_CLOUD_PROJECT where your company has a licence, or let another agent take part: ${agy.displayName} serves such logins ("--tools ${agy.name},…").`,
};

/**
 * Judges the login; `unknown` if it may be in a keychain, in the user’s `.env`, or with a cloud’s
 * own tools.
 */
export function geminiLogin(user: UserSide): LoginState {
  const { environment } = user;
  const { home, variables, authType, told } = usualHome(user);
  const isKeyed = told('GEMINI_API_KEY') !== '' || told('GOOGLE_API_KEY') !== '';
  const isStored = !isKeyed && user.has(join(home, 'oauth_creds.json'));
  const isPersonal = authType === null ? isStored : authType === personal;
  if (isPersonal && !hasProject(told)) {
    const { why, remedy } = personalLogin;
    return { state: 'logged-out', why, remedy };
  }
  const accounts = ['oauth_creds.json', 'gemini-credentials.json'];
  const hasAccount = accounts.some((name) => user.has(join(home, name)));
  if (environment['GEMINI_API_KEY'] || environment['GOOGLE_API_KEY'] || hasAccount) {
    return { state: 'stored' };
  }
  const isChosen =
    authType !== null || variables !== null || choosing.some((name) => environment[name]);
  return isChosen || machineSettings(user).some((path) => user.has(path))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'no kind of login is chosen, and no key is set' };
}

const choosing = [
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GEMINI_BASE_URL',
  'CLOUD_SHELL',
  'GEMINI_CLI_USE_COMPUTE_ADC',
];

function machineSettings({ environment }: UserSide): readonly string[] {
  return [
    environment['GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
    environment['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
    ...['/etc/gemini-cli', '/Library/Application Support/GeminiCli'].flatMap((folder) => [
      join(folder, 'settings.json'),
      join(folder, 'system-defaults.json'),
    ]),
  ].flatMap((path) => path || []);
}
