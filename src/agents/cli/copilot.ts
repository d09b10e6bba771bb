// Calls and reads the Copilot CLI, makes its home for one run, and says whether it is logged in.
import { join } from 'node:path';
import type { AgentEvent } from '../../model/agent-event.ts';
import { messageOf, usageOf, windowOf } from '../../model/make-events.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import {
  type Fields,
  type Events,
  jsonLines,
  sessionsIn,
  fieldsIn,
  objectsIn,
  isString,
  textOr,
  textOf,
  textOrNull,
  countOr,
  countOf,
  amountOr,
  markCall,
  callOf,
  startEvent,
  afterRetries,
  flag,
  promptWithRole,
  outputOf,
  commandEvent,
  notDone,
  changeOf,
  settingsIn,
  hiddenPathsIn,
  sessionIdOf,
  makerOf,
  errorEvent,
} from './adapter-parts.ts';
import type {
  AgentAdapter,
  AgentRequest,
  LoginState,
  OwnChoice,
  RunFile,
  UserSide,
} from '../agent.ts';
import { toolsOf, unboundRun } from '../permission.ts';

/** GitHub’s Copilot CLI, measured with 1.0.102. */
export const copilot: AgentAdapter = {
  name: 'copilot',
  displayName: 'Copilot CLI',
  alsoCalled: 'copilot-cli',
  command: 'copilot',
  install: 'npm install -g @github/copilot',
  login: 'copilot login',
  begin: (text) => ['--interactive', text],
  keepsIn: ['.copilot'],
  resumes: 'anywhere',
  isolations: ['home', 'none'],
  // Its models refuse longer ones themselves; few accept more than this.
  maxPromptBytes: 1_000_000,
  // COPILOT_* is left out: one of these allows every tool and runs the project’s hooks.
  variables: [
    'COPILOT_GITHUB_TOKEN GH_TOKEN GITHUB_TOKEN GH_HOST COPILOT_GH_HOST GH_CONFIG_DIR',
    'COPILOT_HOME COPILOT_MODEL COPILOT_AUTO_TIER COPILOT_OFFLINE COPILOT_PROVIDER_*',
    'COPILOT_PROXY_KERBEROS_SPN',
  ].flatMap((names) => names.split(' ')),
  tested: '1.0.x',
  readOnlyBy: 'only its reading tools are offered to the model',
  helpArgv: ['--help'],
  versionEnv: (folder) => ({ COPILOT_HOME: folder, ...withoutUpdates }),
  loginState: copilotLogin,
  ownChoice: ownSettings,
  files: copilotHome,
  argv,
  unenforced: unboundRun,
  input: promptWithRole,
  env: ({ isolation, filesFolder = '' }) => ({
    ...(isolation === 'none' ? {} : { COPILOT_HOME: filesFolder }),
    RIPGREP_CONFIG_PATH: join(filesFolder, searchFile),
    // Otherwise it leaves an index server running for a large repository.
    USE_TGREP: 'false',
    ...withoutUpdates,
  }),
  read: jsonLines(eventsOf),
  usageOfSession: true,
  usageIn,
  tellsPlan: true,
  vendorOf: makerOf,
};

const withoutUpdates = { COPILOT_AUTO_UPDATE: 'false' };

function argv(request: AgentRequest): string[] {
  const { cwd, model, effort, resume, extraDirs, mark, filesFolder = '' } = request;
  return [
    '--output-format=json',
    // This keeps a long answer from looking like silence.
    '--stream=on',
    ...toolFlags(request),
    // It cannot read outside of its folders anyway.
    ...hiddenPathsIn(request).map((path) => `--deny-tool=read(${cwd}/${path}/**)`),
    '--no-ask-user',
    ...(request.isolation === 'none' ? [] : isolation),
    '--no-auto-update',
    '--no-remote-export',
    '--disable-client-telemetry',
    '--log-level=none',
    `--usage-output-file=${join(filesFolder, usageFile)}`,
    ...flag('--model=', model),
    ...flag('--reasoning-effort=', effort),
    ...extraDirs.map((folder) => `--add-dir=${folder}`),
    resume === null ? `--session-id=${sessionIdOf(mark)}` : `--resume=${resume.agentSession}`,
  ];
}

const isolation = ['--no-custom-instructions', '--disable-builtin-mcps'];

// Tools that are not listed are not offered to the model; the rules are a second lock. A rule that
// allows `shell` would not cover commands that write or exit, hence `--allow-all-tools`.
function toolFlags(request: AgentRequest): string[] {
  const tools = toolsOf(request);
  const writing = tools.has('file_write') ? ['create', 'edit', 'apply_patch'] : [];
  const commands = tools.has('shell') ? ['bash'] : [];
  const web = tools.has('web') ? ['web_fetch', 'web_search'] : [];
  const offered = ['view', 'grep', 'glob', ...writing, ...commands, ...web].join(',');
  return [
    // We do not know the names of the tools of the user’s servers.
    ...(request.isolation === 'none' ? [] : [`--available-tools=${offered}`]),
    ...(commands.length === 0 ? ['--deny-tool=shell'] : []),
    ...(writing.length === 0 ? ['--deny-tool=write'] : ['--allow-tool=write']),
    ...(web.length === 0 ? ['--deny-tool=url'] : ['--allow-all-urls']),
    ...(tools.has('shell') ? ['--allow-all-tools'] : []),
    ...(tools.has('shell') && !tools.has('git') ? ['--deny-tool=shell(git:*)'] : []),
    ...(request.permission === 'full' ? ['--allow-all-paths'] : ['--disallow-temp-dir']),
  ];
}

const usageFile = 'usage.json';

/** The file of `copilotHome` that says what its searches leave out. */
const searchFile = 'ripgreprc';

/**
 * A home for one run, which keeps out the user’s servers, hooks, plug-ins and trusted folders; in
 * an untrusted folder, the project’s hooks and servers stay out, too. The login is copied, because
 * the CLI itself writes this file; the sessions are a link to the user’s.
 */
function copilotHome(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>> {
  const login = Object.entries(configOf(user)).filter(([name]) => loginField.test(name));
  const own = Object.entries(settingsOf(user)).filter(([name]) => keptSettings.includes(name));
  // Its searches ignore permissions.
  const unsearched = hiddenPathsIn(request).map((path) => `--glob=!/${path}/**`);
  const searches = { [searchFile]: `${unsearched.join('\n')}\n` };
  if (request.isolation === 'none') return searches;
  return {
    ...searches,
    'config.json': JSON.stringify(Object.fromEntries(login)),
    'settings.json': JSON.stringify({ ...Object.fromEntries(own), disableAllHooks: true }),
    'session-state': {
      linkTo: sessionsIn(request, join(homeOf(user), 'session-state')),
      kind: 'folder',
    },
  };
}

const loginField = /logged_?in|tokens/i;
const keptSettings = ['autoTier', 'contextTier', 'proxyUrl', 'proxyKerberosServicePrincipal'];

function homeOf({ environment, home }: UserSide): string {
  return environment['COPILOT_HOME'] || join(home, '.copilot');
}

function configOf(user: UserSide): Fields {
  return settingsIn(join(homeOf(user), 'config.json'), user);
}

function settingsOf(user: UserSide): Fields {
  return settingsIn(join(homeOf(user), 'settings.json'), user);
}

/** The model and the effort that the user chose. */
function ownSettings(user: UserSide): OwnChoice {
  const { model, effortLevel } = settingsOf(user);
  return {
    model: user.environment['COPILOT_MODEL'] || textOrNull(model),
    effort: textOrNull(effortLevel),
  };
}

/**
 * Judges the login. The user’s own provider needs none. Without a login and a token, the CLI asks
 * the GitHub CLI for one.
 */
function copilotLogin(user: UserSide): LoginState {
  const { environment, home } = user;
  if (environment['COPILOT_PROVIDER_BASE_URL']) return { state: 'stored' };
  const named = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'];
  const token = named.map((name) => environment[name]).find(Boolean);
  if (token?.startsWith('ghp_') === true) {
    return { state: 'logged-out', why: 'it does not take a classic token (ghp_…)' };
  }
  if (token !== undefined) return { state: 'stored' };
  const users = Object.entries(configOf(user)).find(([name]) => /^logged_?in/i.test(name))?.[1];
  if (Array.isArray(users) && users.length > 0) return { state: 'stored' };
  const ofGitHubCli =
    environment['GH_CONFIG_DIR'] || join(environment['XDG_CONFIG_HOME'] || `${home}/.config`, 'gh');
  return user.has(join(ofGitHubCli, 'hosts.yml'))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'it has neither a login nor a token' };
}

/** Reads one event; null for an unknown one. */
function eventsOf({ type, data: told, ...line }: Fields): Events | null {
  const data = fieldsIn(told);
  switch (type) {
    // The first event with the model; only the last one has the session.
    case 'session.tools_updated':
      return startEvent(null, data['model']);
    case 'assistant.reasoning':
      return { type: 'thinking', content: textOf(data['content']) };
    case 'assistant.message_delta':
      return { type: 'message', content: textOf(data['deltaContent']), partial: true };
    case 'assistant.message':
      return data['content'] === '' ? [] : messageOf(textOf(data['content']));
    case 'assistant.turn_retry': {
      const reason = textOr(data['reason'], 'unknown').replaceAll('_', ' ');
      return { type: 'retrying', reason, delay: null };
    }
    case 'tool.execution_start':
      return markCall(data['toolCallId'], 'started', [callIn(data)]);
    case 'tool.execution_complete':
      return markCall(data['toolCallId'], 'completed', doneEvents(data));
    case 'session.warning':
      return { type: 'warning', message: textOf(data['message']) };
    case 'session.error': {
      const text = textOf(data['message']);
      const error = errorEvent(text, countOr(data['statusCode'], null));
      // Not every retry has its own event.
      const isRetried = /\bretried \d+ times\b/.test(text);
      return isRetried ? afterRetries(text, error) : error;
    }
    case 'result':
      return [
        startEvent(line['sessionId']),
        // The exit code is not 0 after an error, which has been reported.
        ...(line['exitCode'] === 0 ? [{ type: 'completed', summary: null } as const] : []),
      ];
    default:
      return isString(type) && /^(?:session|user|assistant|model|tool)\./.test(type) ? [] : null;
  }
}

// A call is not a deed yet, because it may be refused.
function callIn({ toolName, arguments: values }: Fields): AgentEvent {
  const input = fieldsIn(values);
  return toolName === 'view'
    ? { type: 'file_read', path: textOf(input['path']) }
    : callOf(toolName, input);
}

// The call was reported when it started. A viewed file has the form of a diff, too.
function doneEvents({ success, error, shellExecution, fileEdits, result }: Fields): AgentEvent[] {
  const { content, detailedContent } = fieldsIn(result);
  const edits = objectsIn(fileEdits);
  const diff = edits.length === 1 ? detailedContent : null;
  const changes = edits.flatMap(({ path, kind }) =>
    isString(path) ? [changeOf(path, kind, diff)] : [],
  );
  const output = textOf(content).replace(/\n?<shellId: [^\n]*>\s*$/, '');
  const isShown = changes.length > 0 || textOf(detailedContent).startsWith('\ndiff --git');
  const { code, message } = fieldsIn(error);
  return [
    ...(isObject(shellExecution)
      ? [commandEvent('', countOr(shellExecution['exitCode'], null), output)]
      : outputOf(isShown ? '' : output)),
    ...changes,
    ...(success === false ? [notDone(message, code === 'denied')] : []),
  ];
}

/** Reads the tokens, which it reports only in a file, for the whole session and by model. */
function usageIn({ filesFolder = '', resume }: AgentRequest, user: UserSide): AgentEvent[] {
  const told = fieldsIn(jsonIn(user.read(join(filesFolder, usageFile)) ?? ''));
  const { modelMetrics, totalPremiumRequestCost } = told;
  // The requests of earlier runs of a resumed session are not known.
  const requests = resume === null ? amountOr(totalPremiumRequestCost, 0) : 0;
  const models = Object.values(fieldsIn(modelMetrics));
  const usages = models.map((model) => fieldsIn(model)['usage']).filter(isObject);
  if (usages.length === 0) return [];
  const sum = (field: string) => usages.reduce((all, usage) => all + countOf(usage[field]), 0);
  const tokens = {
    input: sum('inputTokens'),
    output: sum('outputTokens'),
    cached: sum('cacheReadTokens'),
  };
  const name = 'premium requests';
  const window = requests === 0 ? [] : [windowOf({ name, used: requests, resets_at: null })];
  return [usageOf(tokens, null), ...window];
}
