import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { isObject } from '../model/json.ts';
import { type Fields, textOr, sessionIdOf, storedLogin } from './adapter-parts.ts';
import { toolsOf } from './permission.ts';
import type { AgentRequest, RunFile, UserSide, LoginState } from './agent.ts';

/** In the folder that `homeFiles` describes. */
export const policyFile = 'policy.toml';

/** The name of the command below which the prompt is given. */
export function questionCommand(mark: string): string {
  // The project’s own commands are known too: none of them may have this name.
  return `question-${sessionIdOf(mark).slice(0, 8)}`;
}

/**
 * A home for one run of Gemini CLI, so that the user’s servers, hooks, extensions, commands and
 * memory stay out, as does the lock that it often leaves behind and then waits 12 s for. The login
 * and the sessions are links to the user’s.
 */
export function homeFiles(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const { cwd, hidden, mark, isolation } = request;
  const { home, variables, authType } = usualHome(user);
  const ours = settings(authType, request);
  const own = isolation === 'none' ? usersOwn(home, user) : null;
  return {
    '.gemini/settings.json': JSON.stringify(
      own === null ? { ...ours, ...closed } : merged(own.theirs, ours),
    ),
    ...own?.links,
    [`.gemini/commands/${questionCommand(mark)}.toml`]: questionText,
    [policyFile]: policyOf(request) + hiddenPolicy(cwd, hidden),
    '.gemini/tmp': { linkTo: join(home, 'tmp'), kind: 'folder' },
    ...(variables === null ? {} : { '.env': fileLink(variables) }),
    ...Object.fromEntries(
      login.map((name) => [`.gemini/${name}`, fileLink(join(home, name))] as const),
    ),
  };
}

/** Where the user’s own use of it is kept, and the kind of login that they chose. */
function usualHome(user: UserSide): {
  readonly home: string;
  /** The file with the user’s variables. */
  readonly variables: string | null;
  readonly authType: string | null;
} {
  const usual = user.environment['GEMINI_CLI_HOME'] || user.home;
  const home = join(usual, '.gemini');
  const variables =
    [join(home, '.env'), join(usual, '.env')].find((path) => user.read(path) !== null) ?? null;
  const authType =
    authTypeIn(user.read(join(home, 'settings.json'))) ??
    authTypeOf(variables === null ? null : user.read(variables));
  return { home, variables, authType };
}

/** The model that the user chose, as it would find it itself. */
export function chosenModel(user: UserSide): string | null {
  const { GEMINI_MODEL: named } = user.environment;
  const chosen: unknown = parse(user.read(join(usualHome(user).home, 'settings.json')) ?? '');
  const model = isObject(chosen) ? chosen['model'] : null;
  return named || textOr(isObject(model) ? model['name'] : model, null);
}

const login = [
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'installation_id',
];

// Links to nothing too, so that a login that is renewed or stored anew meets the user’s files.
function fileLink(linkTo: string): RunFile {
  return { linkTo, kind: 'file' };
}

// By its words, since the file may hold comments, and older versions named it otherwise.
function authTypeIn(userSettings: string | null): string | null {
  return /"selected(?:Auth)?Type"\s*:\s*"([\w-]+)"/.exec(userSettings ?? '')?.[1] ?? null;
}

// Of the user’s `.env` only keys and the project are read where the folder is not trusted.
function authTypeOf(variables: string | null): string | null {
  const [, name] =
    /^\s*(?:export\s+)?GOOGLE_GENAI_USE_(VERTEXAI|GCA)\s*=\s*["']?true\b/m.exec(variables ?? '') ??
    [];
  if (name === undefined) return null;
  return name === 'GCA' ? 'oauth-personal' : 'vertex-ai';
}

const readTools = ['list_directory', 'read_file', 'glob', 'grep_search'];

/** The names of the tools that it may use. */
function toolNames(request: AgentRequest): readonly string[] {
  const tools = toolsOf(request);
  return [
    ...readTools,
    ...(tools.has('file_write') ? ['write_file', 'replace'] : []),
    ...(tools.has('shell') || tools.has('git') ? [shellTool] : []),
    ...(tools.has('web') ? ['web_fetch', 'google_web_search'] : []),
  ];
}

const shellTool = 'run_shell_command';

function settings(authType: string | null, request: AgentRequest): Fields {
  return {
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // Ten attempts take four minutes.
      maxAttempts: 2,
      // Else it is told to use a tool that it is not given.
      topicUpdateNarration: false,
      // The user’s sessions are not ours to clear away.
      sessionRetention: { enabled: false },
    },
    privacy: { usageStatisticsEnabled: false },
    security: {
      // The folder is not trusted, by a variable; this is so that it runs all the same.
      folderTrust: { enabled: false },
      ...(authType === null ? {} : { auth: { selectedType: authType } }),
    },
    advanced: { ignoreLocalEnv: true },
    // A loop is ended by the number of turns: what it takes for one may be a list of like lines.
    model: { disableLoopDetection: true, maxSessionTurns: request.maxTurns ?? 100 },
    // The tools of the user’s servers have names that we do not know.
    tools: request.isolation === 'none' ? {} : { core: toolNames(request) },
    // Not by flag, where a comma in a path would part it.
    context: { includeDirectories: request.extraDirs },
  };
}

/** What keeps the user’s own out; servers are not there where their settings are not. */
const closed = {
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
};

/** The user’s settings, and links to the rest of theirs. */
function usersOwn(home: string, user: UserSide) {
  const theirs: unknown = parse(user.read(join(home, 'settings.json')) ?? '');
  const links = ['extensions', 'skills', 'agents', 'GEMINI.md']
    .filter((name) => user.has(join(home, name)))
    .map((name) => [`.gemini/${name}`, fileLink(join(home, name))] as const);
  return { theirs: isObject(theirs) ? theirs : {}, links: Object.fromEntries(links) };
}

/** Section by section; ours win. */
function merged(theirs: Fields, ours: Fields): Fields {
  const sections = Object.entries(ours).map(([name, section]) => {
    const other = theirs[name];
    return [name, isObject(other) && isObject(section) ? { ...other, ...section } : section];
  });
  return { ...theirs, ...Object.fromEntries(sections) };
}

// A second lock beside the list of tools: what is denied so is not offered to the model.
function policyOf(request: AgentRequest): string {
  const tools = toolsOf(request);
  const names = toolNames(request).filter((name) => name !== shellTool || tools.has('shell'));
  const ofGit = `
[[rule]]
toolName = "${shellTool}"
commandPrefix = "git"
decision = "${tools.has('git') ? 'allow' : 'deny'}"
priority = 955
`;
  return `${denyRest(request, names)}[[rule]]
toolName = ${JSON.stringify(names)}
decision = "allow"
allowRedirection = true
priority = 950
${tools.has('shell') === tools.has('git') ? '' : ofGit}`;
}

function denyRest(request: AgentRequest, names: readonly string[]): string {
  const all = toolNames({ ...request, permission: 'full', denied: [] });
  const rest = request.isolation === 'none' ? all.filter((name) => !names.includes(name)) : '*';
  if (rest.length === 0) return '';
  return `[[rule]]
toolName = ${JSON.stringify(rest)}
decision = "deny"
priority = 900

`;
}

// By name. Its searches pass over what git ignores, as what we write is.
function hiddenPolicy(cwd: string, hidden: readonly string[]): string {
  const names = hidden.flatMap((folder) =>
    folder.startsWith(`${cwd}/`)
      ? [folder.slice(cwd.length + 1).replaceAll(/[^\w/-]/g, '\\$&')]
      : [],
  );
  if (names.length === 0) return '';
  return `
[[rule]]
toolName = ${JSON.stringify(readTools)}
argsPattern = ${JSON.stringify(names.join('|'))}
decision = "deny"
priority = 960
`;
}

// Without a place for the text in it, the text is put after it as it is.
const questionText = 'prompt = "Below the name of the command stands what you are asked."\n';

/**
 * Gemini CLI has no command that would tell it. What is there tells it: variables, the kind of
 * login in the user’s settings, and the files that are there. A key in a
 * keychain or in the user’s `.env`, and settings of the machine, leave it unknown.
 */
export function geminiLogin(user: UserSide): LoginState {
  const { home, variables, authType } = usualHome(user);
  const state = stateFor(authType ?? authTypeFrom(user.environment), { user, home });
  const mayBeElsewhere = variables !== null || machineSettings(user).some((path) => user.has(path));
  return state.state === 'logged-out' && mayBeElsewhere ? unknown : state;
}

const stored: LoginState = { state: 'stored' };
const unknown: LoginState = { state: 'unknown' };

// In the order in which it looks for them itself.
function authTypeFrom(environment: UserSide['environment']): string | null {
  if (environment['GOOGLE_GENAI_USE_GCA'] === 'true') return 'oauth-personal';
  if (environment['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (environment['GOOGLE_GEMINI_BASE_URL']) return 'gateway';
  if (environment['GEMINI_API_KEY']) return 'gemini-api-key';
  const { CLOUD_SHELL: inShell, GEMINI_CLI_USE_COMPUTE_ADC: ofMachine } = environment;
  return inShell === 'true' || ofMachine === 'true' ? 'compute-default-credentials' : null;
}

function stateFor(
  authType: string | null,
  { user, home }: { readonly user: UserSide; readonly home: string },
): LoginState {
  const { environment } = user;
  switch (authType) {
    case null:
      return { state: 'logged-out', why: 'no kind of login is chosen, and no key is set' };
    case 'gemini-api-key':
      return environment['GEMINI_API_KEY'] ? stored : unknown;
    case 'oauth-personal':
      return googleAccount(user, home);
    case 'vertex-ai':
      return vertex(environment);
    default:
      return unknown;
  }
}

function googleAccount(user: UserSide, home: string): LoginState {
  const { environment } = user;
  const { GOOGLE_APPLICATION_CREDENTIALS: given, GOOGLE_CLOUD_ACCESS_TOKEN: token } = environment;
  // Encrypted, it may lie in a keychain.
  const isEncrypted = environment['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true';
  if (isEncrypted || token) return unknown;
  const account = join(home, 'oauth_creds.json');
  if (user.has(account)) {
    return storedLogin(
      account,
      user,
      ({ expiry_date: expiresAt, refresh_token: refreshToken }) => ({
        expiresAt,
        refreshToken,
      }),
    );
  }
  if (given && user.has(given)) return stored;
  return { state: 'logged-out', why: 'the login with a Google account was not finished' };
}

// The credentials of a project may come from the machine itself.
function vertex(environment: UserSide['environment']): LoginState {
  if (environment['GOOGLE_API_KEY']) return stored;
  return environment['GOOGLE_CLOUD_PROJECT'] && environment['GOOGLE_CLOUD_LOCATION']
    ? unknown
    : { state: 'logged-out', why: 'Vertex AI has neither a key nor a project and its location' };
}

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
