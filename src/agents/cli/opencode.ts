// Calls and reads opencode.
import type { AgentEvent, FailureCategory } from '../../model/agent-event.ts';
import { errorOf, messageOf, usageOf } from '../../model/make-events.ts';
import { isObject } from '../../model/json.ts';
import { familyOf } from '../api/api-providers.ts';
import {
  type Fields,
  type Events,
  jsonLines,
  fieldsIn,
  objectsIn,
  isString,
  textOf,
  countOr,
  countOf,
  subAgentWarning,
  amountOr,
  markCall,
  callOf,
  startEvent,
  afterRetries,
  flag,
  outputOf,
  commandEvent,
  notDone,
  changeOf,
  diffOf,
  hiddenPathsIn,
  makerOf,
  errorEvent,
} from './adapter-parts.ts';
import type { AgentAdapter, AgentRequest, UserSide } from '../agent.ts';
import {
  configFiles,
  homeVariables,
  keysOf,
  opencodeLogin,
  pluginOf,
  roleAgent,
  usualModel,
} from './opencode-home.ts';
import { toolsOf, unboundRun } from '../permission.ts';

/** opencode, which offers the models of many providers, measured with 1.18.33. */
export const opencode: AgentAdapter = {
  name: 'opencode',
  displayName: 'opencode',
  command: 'opencode',
  install: 'npm install -g opencode-ai',
  login: 'opencode auth login',
  begin: (text) => ['--prompt', text],
  keepsIn: ['.local/share/opencode', '.config/opencode'],
  resumes: 'in-its-folder',
  isolations: ['home', 'none'],
  maxPromptBytes: 4_000_000,
  tested: '1.18.x',
  readOnlyBy: 'only its reading tools are offered to the model',
  explained: [
    'its sub-agents are off, since its count of tokens leaves them out; with isolation = "none" it may start some',
  ],
  helpArgv: ['run', '--help'],
  // OPENCODE_* is left out: the user’s shell must not set its settings, plugins or permissions.
  variables: ['OPENCODE_CONFIG', 'OPENCODE_AUTH_CONTENT'],
  variablesOf: keysOf,
  // Even `--version` would make folders in the user’s home.
  versionEnv: (folder) => ({
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: folder,
  }),
  loginState: opencodeLogin,
  ownChoice: (user) => ({ model: usualModel(user), effort: null }),
  files: configFiles,
  refusal,
  argv,
  unenforced: unboundRun,
  env,
  read: jsonLines(eventsOf),
  models: ['/'],
  vendorOf,
};

// Many providers sell other vendors’ models, e.g. `openrouter/qwen/qwen3`; a model counts as it does behind an API.
function vendorOf(model: string | null): string | null {
  return familyOf(model) ?? makerOf(model) ?? model?.split('/').at(-2) ?? null;
}

function argv(request: AgentRequest): string[] {
  const { cwd, model, effort, role, resume } = request;
  return [
    'run',
    '--format=json',
    '--thinking',
    // Otherwise it asks another model for a title.
    '--title=Conclave',
    `--dir=${cwd}`,
    // Only its log contains errors in its own code.
    '--print-logs',
    '--log-level=ERROR',
    ...flag('--model=', model),
    ...flag('--variant=', effort),
    ...flag('--agent=', role && roleAgent),
    ...flag('--session=', resume?.agentSession),
  ];
}

function env(request: AgentRequest): Readonly<Record<string, string>> {
  return {
    ...homeVariables(request),
    OPENCODE_PERMISSION: JSON.stringify(permissionOf(request)),
    // Settings, agents and instructions of the project stay out; for its plugins, see `refusal`.
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    // It uses the list of models that the user’s own opencode fetched last.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  };
}

function refusal({ cwd }: AgentRequest, user: UserSide): string | null {
  const place = pluginOf(cwd, user);
  return place === null ? null : `it would run code of the project, which ${place} names`;
}

// The last matching rule counts. A tool that is denied entirely is not offered to the model; a rule
// to ask would end the run without an answer.
function permissionOf(request: AgentRequest): Readonly<Record<string, unknown>> {
  const { hidden, extraDirs, permission, isolation } = request;
  const tools = toolsOf(request);
  const names = hiddenPathsIn(request).flatMap((path) => [`*${path}`, `*${path}/*`]);
  const noHidden = rules(names, 'deny');
  const git = may(tools.has('git'));
  return {
    // We do not know the names of the tools of the user’s servers.
    ...(isolation === 'none' ? {} : { '*': 'deny' }),
    read: {
      '*': 'allow',
      '*.env': 'deny',
      '*.env.*': 'deny',
      '*.env.example': 'allow',
      ...noHidden,
    },
    grep: 'allow',
    glob: 'allow',
    list: 'allow',
    edit: tools.has('file_write') ? { '*': 'allow', ...noHidden } : 'deny',
    bash: tools.has('shell') ? { '*': 'allow', git, 'git *': git } : 'deny',
    webfetch: may(tools.has('web')),
    websearch: may(tools.has('web')),
    external_directory: {
      '*': may(permission === 'full'),
      ...rules(below(extraDirs), 'allow'),
      ...rules(below(hidden), 'deny'),
    },
  };
}

function below(folders: readonly string[]): readonly string[] {
  return folders.map((folder) => `${folder}/*`);
}

function may(isAllowed: boolean): 'allow' | 'deny' {
  return isAllowed ? 'allow' : 'deny';
}

function rules(patterns: readonly string[], action: 'allow' | 'deny') {
  return Object.fromEntries(patterns.map((pattern) => [pattern, action]));
}

/** Reads one event; null for an unknown one. */
function eventsOf({ type, sessionID, part, error }: Fields): Events | null {
  const inside = fieldsIn(part);
  switch (type) {
    case 'step_start':
      return startEvent(sessionID);
    case 'text':
      return messageOf(textOf(inside['text']));
    case 'reasoning':
      return { type: 'thinking', content: textOf(inside['text']) };
    case 'tool_use':
      return markCall(inside['callID'], 'completed', toolEvents(inside));
    case 'step_finish':
      return [...usageEvents(inside), ...endEvents(inside['reason'])];
    case 'error':
      return isObject(error) ? failure(error) : null;
    default:
      return null;
  }
}

// It reports a tool only when it has ended.
function toolEvents({ tool, state }: Fields): AgentEvent[] {
  const { status, input, metadata, output, error } = fieldsIn(state);
  const name = textOf(tool);
  const given = fieldsIn(input);
  const told = fieldsIn(metadata);
  const path = textOf(given['filePath']);
  const call = callOf(name, given);
  if (status === 'error') return [call, failedTool(call, textOf(error))];
  switch (name) {
    case 'read':
      return [{ type: 'file_read', path }];
    case 'bash': {
      const exitCode = countOr(told['exit'], null);
      return [commandEvent(textOf(given['command']), exitCode, output)];
    }
    case 'write':
      // The earlier content is unknown.
      return told['exists'] === false
        ? [changeOf(path, 'create', diffOf('', given['content']))]
        : [changeOf(path, 'update')];
    case 'edit':
      return [changeOf(path, 'edit', told['diff'])];
    case 'apply_patch':
      return changeEvents(told['files']);
    case 'task':
      return [call, subAgentWarning, ...outputOf(output)];
    default:
      return [call, ...outputOf(output)];
  }
}

function failedTool({ name, detail }: ReturnType<typeof callOf>, error: string): AgentEvent {
  if (error === 'Tool execution aborted') return { type: 'cancelled', what: `${name} ${detail}` };
  return /rejected permission to use|specified a rule which prevents/.test(error)
    ? notDone(detail, true, name)
    : notDone(error);
}

function changeEvents(files: unknown): AgentEvent[] {
  return objectsIn(files).flatMap(({ filePath, movePath, type, patch }) => [
    ...(isString(filePath) ? [changeOf(filePath, type, patch)] : []),
    ...(isString(movePath) ? [changeOf(movePath, type)] : []),
  ]);
}

// It counts cached and reasoning tokens separately. A cost of 0 means an unknown price or a subscription.
function usageEvents({ tokens, cost }: Fields): AgentEvent[] {
  if (!isObject(tokens)) return [];
  const { read, write } = fieldsIn(tokens['cache']);
  const cached = countOf(read);
  const input = countOf(tokens['input']) + cached + countOf(write);
  const output = countOf(tokens['output']) + countOf(tokens['reasoning']);
  return [usageOf({ input, output, cached }, amountOr(cost, null) || null)];
}

function endEvents(reason: unknown): AgentEvent[] {
  switch (reason) {
    case 'stop':
      return [{ type: 'completed', summary: null }];
    case 'length':
      return [errorOf('answer-cut', 'its answer reached the limit of output')];
    case 'content-filter':
      return [errorOf('content-filtered', 'the provider filtered its answer')];
    default:
      return [];
  }
}

function failure({ name, data }: Fields): Events {
  const { message, statusCode, isRetryable } = fieldsIn(data);
  const text = textOf(message);
  // The cause is in its log, on stderr.
  if (text.startsWith('Unexpected server error')) return errorEvent('');
  const known = errors[textOf(name)];
  const status = countOr(statusCode, null);
  const error = known === undefined ? errorEvent(text, status) : errorOf(known, text);
  // It has tried five times itself.
  const isRetried = error.category === 'network' && isRetryable === true;
  return isRetried ? afterRetries(text, error) : error;
}

const errors: Readonly<Record<string, FailureCategory>> = {
  ContentFilterError: 'content-filtered',
  ProviderAuthError: 'not-logged-in',
  ContextOverflowError: 'request-refused',
  MessageOutputLengthError: 'answer-cut',
};
