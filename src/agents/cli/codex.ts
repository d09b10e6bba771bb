// Calls and reads Codex.
import { join } from 'node:path';
import type { AgentEvent } from '../../model/agent-event.ts';
import { messageOf } from '../../model/make-events.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import type { AgentAdapter, AgentRequest, RunFile, UserSide } from '../agent.ts';
import { userChoice, codexHome, codexLogin, modelOfThread, windowsOfThread } from './codex-home.ts';
import {
  type Fields,
  type Events,
  jsonLines,
  fieldsIn,
  objectsIn,
  isString,
  textOf,
  countOr,
  usageIn,
  markCall,
  callOf,
  startEvent,
  flag,
  promptWithRole,
  outputOf,
  commandEvent,
  notDone,
  changeOf,
  errorEvent,
  subAgentWarning,
} from './adapter-parts.ts';
import { strictSchema } from './strict-schema.ts';
import { type ToolWishes, toolsOf } from '../permission.ts';

/** The models that it shows to people; with a login, the list is the account’s. */
export const codexCatalogue = {
  argv: ['debug', 'models'],
  names: (output: string): readonly string[] =>
    objectsIn(fieldsIn(jsonIn(output))['models'])
      .filter(({ visibility }) => visibility === 'list')
      .map(({ slug }) => textOf(slug))
      .filter((name) => name !== ''),
};

/** OpenAI’s Codex CLI, measured with 0.169.0. */
export const codex: AgentAdapter = {
  name: 'codex',
  displayName: 'Codex',
  alsoCalled: 'codex-cli',
  command: 'codex',
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  begin: (text) => [text],
  keepsIn: ['.codex'],
  resumes: 'anywhere',
  schemaWay: (schema) => (strictSchema(schema) === null ? null : { tool: null }),
  loads: ['AGENTS.md'],
  isolations: ['flags', 'home', 'none'],
  // Its limit is in characters, of which there are never more than bytes.
  maxPromptBytes: 1_048_576,
  // CODEX_* is left out: some of these make it believe that it runs inside itself or a sandbox.
  variables: [
    ...['HOME', 'SQLITE_HOME', 'API_KEY', 'ACCESS_TOKEN', 'CA_CERTIFICATE'].map(
      (name) => `CODEX_${name}`,
    ),
    'OPENAI_*',
    'AZURE_OPENAI_*',
  ],
  tested: '0.169.x',
  readOnlyBy: 'its kernel sandbox',
  mounts: ['.git', '.codex', '.agents', '.aws'],
  explained: [
    'effort and verbosity are those of your config.toml, else the defaults of its model, which may be low',
    'its sub-agents are off, since its count of tokens leaves them out; versions before 0.169 may start some',
    'where it only reads, its home is a private one with links to your login and sessions, without your AGENTS.md',
  ],
  helpArgv: ['exec', '--help'],
  // Even `--version` would leave helper files in the user’s home.
  catalogue: codexCatalogue,
  versionEnv: (folder) => ({ CODEX_HOME: folder }),
  loginState: codexLogin,
  ownChoice: userChoice,
  modelIn: (thread, request, user) => modelOfThread({ thread, request }, user),
  files,
  argv,
  unenforced: unenforcedWishes,
  input,
  env: (request) => ({
    ...(isConfined(request) ? { TMPDIR: temporary(request) } : {}),
    ...(hasOwnHome(request) ? { CODEX_HOME: request.filesFolder ?? '' } : {}),
  }),
  read: jsonLines(eventsOf),
  usageOfSession: true,
  usageIn: (request, user, thread) => windowsOfThread({ thread: thread ?? '', request }, user),
  models: ['gpt-', 'o#', 'codex'],
  tellsPlan: true,
  vendorOf: (model) => (model === null || openAiModel.test(model) ? 'openai' : null),
};

const openAiModel = /^(?:openai\/)?(?:(?:chat)?gpt|codex|o\d)/i;
const schemaFile = 'answer.schema.json';

function files(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>> {
  const strict = schemaOf(request);
  return {
    ...(strict === null ? {} : { [schemaFile]: JSON.stringify(strict) }),
    ...(isConfined(request) ? { [`${temporaryFolder}/.keep`]: '' } : {}),
    ...(hasOwnHome(request) ? ownHome(request, user) : {}),
  };
}

function ownHome(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>> {
  const kept = helperFolders.map((name) => [`${name}/.keep`, ''] as const);
  return { ...codexHome(request, user), ...Object.fromEntries(kept) };
}

function schemaOf({ schema }: AgentRequest) {
  return schema === null ? null : strictSchema(schema);
}

// It accepts folders only before `resume`. `-` means a prompt on stdin.
function argv(request: AgentRequest): string[] {
  const { cwd, extraDirs, resume, model, effort, verbosity, role, filesFolder } = request;
  return [
    'exec',
    // `--sandbox` is not used, because it would override the profile.
    ...sandbox(request).flatMap((one) => ['-c', one]),
    '--cd',
    cwd,
    ...extraDirs.flatMap((folder) => ['--add-dir', folder]),
    ...(resume === null ? [] : ['resume']),
    '--json',
    '--skip-git-repo-check',
    ...(request.isolation === 'none' ? [] : isolation),
    ...settings.flatMap((one) => ['-c', one]),
    ...flag('--model', model),
    ...setting('model_reasoning_effort', effort),
    ...setting('model_verbosity', verbosity),
    ...setting('developer_instructions', resume === null ? role : null),
    ...(filesFolder === undefined || schemaOf(request) === null
      ? []
      : ['--output-schema', join(filesFolder, schemaFile)]),
    ...(resume === null ? [] : [resume.agentSession]),
    '-',
  ];
}

function setting(name: string, value: string | null | undefined): readonly string[] {
  return value ? ['-c', `${name}=${tomlString(value)}`] : [];
}

// A resumed thread keeps its first instructions and accepts no others.
function input({ prompt, role, resume }: AgentRequest): string {
  return promptWithRole({ prompt, role: resume === null ? null : role });
}

// These are set with `-c`, which ignores names that a version does not know.
const isolation = [
  // This ignores only config.toml, and with it the trusted projects; the login stays.
  '--ignore-user-config',
  '--ignore-rules',
  ...['hooks', 'plugins', 'apps'].flatMap((name) => ['-c', `features.${name}=false`]),
  '-c',
  'skills.include_instructions=false',
];

// Without config.toml it would not know that the user opted out of analytics, so they are always off.
const settings = [
  // Its token count leaves out sub-agents. The second setting turns them off in versions before 0.169.
  'agents.enabled=false',
  'features.multi_agent=false',
  'analytics.enabled=false',
  // Commands that the model runs must not see keys and tokens.
  'shell_environment_policy.ignore_default_excludes=false',
  // Otherwise it waits for the network forever. The retries of its built-in provider cannot be set.
  'features.unbounded_connection_retries=false',
];

/** Reads one event; null for an unknown one. */
function eventsOf(line: Fields): Events | null {
  switch (line['type']) {
    case 'thread.started':
      return isString(line['thread_id']) ? startEvent(line['thread_id']) : null;
    case 'turn.started':
      return [];
    case 'item.started':
      return startedEvents(fieldsIn(line['item']));
    case 'item.updated':
      return [];
    case 'item.completed':
      return completedEvents(fieldsIn(line['item']));
    case 'turn.completed':
      return [
        ...usageIn(line['usage'], 'cached_input_tokens'),
        { type: 'completed', summary: null },
      ];
    case 'turn.failed':
      return failure(textOf(fieldsIn(line['error'])['message']));
    case 'error':
      return notice(textOf(line['message']));
    default:
      return null;
  }
}

// Long work is reported when it starts; a message or a change when it is complete.
function startedEvents(item: Fields): Events {
  const call = callIn(item);
  const more = item['tool'] === 'spawn_agent' ? [subAgentWarning] : [];
  return call === null ? [] : [...markCall(item['id'], 'started', [call]), ...more];
}

function callIn(item: Fields): AgentEvent | null {
  switch (item['type']) {
    case 'command_execution':
      return callOf('shell', { command: item['command'] });
    case 'mcp_tool_call':
      return callOf(`${textOf(item['server'])}.${textOf(item['tool'])}`, item['arguments']);
    case 'collab_tool_call':
      return callOf(item['tool'], isString(item['prompt']) ? { prompt: item['prompt'] } : {});
    default:
      return null;
  }
}

function completedEvents(item: Fields): Events | null {
  const done = doneIn(item);
  return done === null ? messageIn(item) : markCall(item['id'], 'completed', done);
}

/** The events of a finished tool call; null if the item is not a tool call. */
function doneIn(item: Fields): AgentEvent[] | null {
  switch (item['type']) {
    case 'command_execution':
      return [
        commandEvent(
          textOf(item['command']),
          countOr(item['exit_code'], null),
          item['aggregated_output'],
        ),
      ];
    case 'file_change':
      return item['status'] === 'completed' ? changes(item['changes']) : [];
    // Some versions know the query only at the end.
    case 'web_search':
      return [callOf('web_search', { query: item['query'] })];
    case 'mcp_tool_call':
      return resultEvents(item);
    // This was reported when it started.
    case 'collab_tool_call':
      return [];
    default:
      return null;
  }
}

function messageIn(item: Fields): Events | null {
  switch (item['type']) {
    case 'agent_message':
      return messageOf(textOf(item['text']));
    case 'reasoning':
      return { type: 'thinking', content: textOf(item['text']) };
    // Despite its name this is a warning: an unknown model, or a thread resumed with another one.
    case 'error':
      return { type: 'warning', message: textOf(item['message']) };
    case 'todo_list':
      return [];
    default:
      return null;
  }
}

function resultEvents({ result, error }: Fields): AgentEvent[] {
  if (isObject(error)) return [notDone(error['message'])];
  return objectsIn(fieldsIn(result)['content']).flatMap(({ text }) => outputOf(text));
}

// It reports no diff.
function changes(listed: unknown): AgentEvent[] {
  return objectsIn(listed).flatMap(({ path, kind }) =>
    isString(path) ? [changeOf(path, kind)] : [],
  );
}

// Only the first word distinguishes a retry from a failure.
function notice(message: string): AgentEvent {
  const [, reason = ''] = /^Reconnecting\.\.\.\s*(.*)$/s.exec(message) ?? [];
  return reason === '' ? failure(message) : { type: 'retrying', reason, delay: null };
}

function failure(message: string): AgentEvent {
  const refusal = refusalIn(message);
  return refusal === null ? errorEvent(message) : errorEvent(refusal, 400);
}

// It passes on a refused request (400) as the provider’s JSON.
function refusalIn(message: string): string | null {
  const body = jsonIn(message);
  if (!isObject(body)) return null;
  const { error, detail } = body;
  const told = isObject(error) ? error['message'] : detail;
  return isString(told) ? told : message;
}

/**
 * Writes its sandbox, and a profile of the same kind in which commands cannot even read the hidden
 * folders. A version without profiles ignores the profile and keeps the sandbox.
 */
function sandbox(request: AgentRequest): readonly string[] {
  const { hidden } = request;
  if (!isConfined(request)) return ['sandbox_mode="danger-full-access"'];
  const tools = toolsOf(request);
  // Its own web search needs no network.
  const hasNetwork = tools.has('web') && tools.has('shell');
  const canWrite = writes(request);
  const folders = [
    ...hidden.map((folder) => `${tomlString(folder)}="none"`),
    ...helpers(request),
    ...(canWrite ? ['":slash_tmp"="read"'] : []),
  ].join(',');
  const profile = [
    'default_permissions="conclave"',
    `permissions.conclave.extends="${canWrite ? ':workspace' : ':read-only'}"`,
    `permissions.conclave.filesystem={${folders}}`,
    ...(hasNetwork ? ['permissions.conclave.network={enabled=true}'] : []),
  ];
  return [
    `sandbox_mode="${canWrite ? 'workspace-write' : 'read-only'}"`,
    ...(canWrite ? ['sandbox_workspace_write.exclude_slash_tmp=true'] : []),
    ...(hasNetwork ? ['sandbox_workspace_write.network_access=true'] : []),
    ...(folders === '' ? [] : profile),
  ];
}

function unenforcedWishes({ maxTurns, ...wishes }: Parameters<Unenforced>[0]): readonly string[] {
  const tools = toolsOf(wishes);
  return [
    ...(tools.has('shell') ? [] : [heldCommands]),
    ...(isConfined(wishes) ? [readsAll] : []),
    ...(tools.has('shell') && !tools.has('git') ? ['git cannot be taken from its commands'] : []),
    ...(typeof maxTurns === 'number' ? ['it has no limit of turns'] : []),
  ];
}

const heldCommands =
  'commands cannot be taken from it: its kernel sandbox gives them no network, and lets them write only where its edits may';
const readsAll = 'a command that it runs may read whatever you may';

type Unenforced = NonNullable<AgentAdapter['unenforced']>;

/**
 * Allows access to its helpers within a hidden folder: without them no command starts. A hidden
 * folder can only be passed through to what may be written; the helpers themselves may not be
 * written, because they start the sandbox.
 */
function helpers(request: AgentRequest): readonly string[] {
  const { hidden, filesFolder = '' } = request;
  const isHidden = hidden.some((folder) => filesFolder.startsWith(`${folder}/`));
  if (!isHidden || !hasOwnHome(request)) return [];
  const kept = helperFolders.map((name) => `${tomlString(join(filesFolder, name))}="read"`);
  return [`${tomlString(join(filesFolder, 'tmp'))}="write"`, ...kept];
}

/** The folders, relative to a separate home, in which its versions keep their helpers. */
const helperFolders = ['tmp/arg0', 'tmp/arg0-linux'];

// No setting keeps the user’s own AGENTS.md out: it is for work in that folder, not for a plan.
function hasOwnHome(request: AgentRequest): boolean {
  const { isolation: kind, permission } = request;
  return kind === 'home' || (kind !== 'none' && permission === 'read-only');
}

/** True if its sandbox confines its commands: they cannot be taken from it, whatever else it may do. */
function isConfined(wishes: ToolWishes): boolean {
  return wishes.permission !== 'full' || !toolsOf(wishes).has('shell');
}

function writes(request: AgentRequest): boolean {
  return isConfined(request) && toolsOf(request).has('file_write');
}

/**
 * The folder for temporary files within the files of a run. It is not `tmp`, where Codex keeps the
 * helpers of its sandbox if these files are its home: a command that may write there could replace
 * them.
 */
const temporaryFolder = 'temporary';

/**
 * The folder for temporary files. In /tmp its sandbox would leave a `.git` behind; and in a home
 * below the system’s temporary folder it gets no helpers, without which no command starts.
 */
function temporary({ filesFolder = '' }: AgentRequest): string {
  return join(filesFolder, temporaryFolder);
}

// JSON escapes like TOML, except for DEL, which TOML wants escaped too.
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', String.raw`\u007f`);
}
