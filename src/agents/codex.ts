import { join } from 'node:path';
import type { AgentEvent } from '../model/agent-event.ts';
import { isObject, jsonIn } from '../model/json.ts';
import type { AgentAdapter, AgentRequest, RunFile, UserSide } from './agent.ts';
import { chosenByUser, codexHome, codexLogin, modelOfThread } from './codex-home.ts';
import {
  callOf,
  type Causes,
  changeOf,
  countOr,
  endedCommand,
  errorEvent,
  type Events,
  type Fields,
  isString,
  jsonLines,
  notDone,
  outputOf,
  textOr,
} from './adapter-parts.ts';
import {
  sandbox,
  temporary,
  temporaryFolder,
  tomlString,
  unenforced,
  writes,
} from './codex-sandbox.ts';
import { strictSchema } from './strict-schema.ts';

/** OpenAI’s Codex CLI. The facts stand as measured with 0.169.0. */
export const codex: AgentAdapter = {
  name: 'codex',
  displayName: 'Codex',
  command: 'codex',
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  begin: (text) => [text],
  can: { model: true, schema: true, resume: true, extraDirs: true },
  resumesAnywhere: true,
  loads: ['AGENTS.md'],
  isolations: ['flags', 'home', 'none'],
  // It counts characters, of which there are never more than bytes.
  maxPromptBytes: 1_048_576,
  // Not CODEX_*: what tells it that it runs inside itself or a sandbox stays out.
  variables: [
    'OPENAI_*',
    'AZURE_OPENAI_*',
    'CODEX_HOME',
    'CODEX_SQLITE_HOME',
    'CODEX_API_KEY',
    'CODEX_ACCESS_TOKEN',
    'CODEX_CA_CERTIFICATE',
  ],
  versionArgv: ['--version'],
  tested: '0.169.x',
  readOnlyBy: 'its kernel sandbox',
  helpArgv: ['exec', '--help'],
  // In the user’s home even this leaves helpers for a run behind.
  versionEnv: (folder) => ({ CODEX_HOME: folder }),
  askLogin: codexLogin,
  ownChoice: chosenByUser,
  modelIn: modelOfThread,
  files,
  argv,
  unenforced,
  input,
  env: (request) => ({
    ...(writes(request) ? { TMPDIR: temporary(request) } : {}),
    ...(request.isolation === 'home' ? { CODEX_HOME: request.filesFolder ?? '' } : {}),
  }),
  read: jsonLines(eventsOf),
  usageOfSession: true,
  vendorOf: (model) => (model === null || openAiModel.test(model) ? 'openai' : null),
};

const openAiModel = /^(?:openai\/)?(?:gpt|chatgpt|codex|o\d)\b/i;
const schemaFile = 'answer.schema.json';

function files(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>> {
  const strict = schemaOf(request);
  return {
    ...(strict === null ? {} : { [schemaFile]: JSON.stringify(strict) }),
    ...(writes(request) ? { [`${temporaryFolder}/.keep`]: '' } : {}),
    ...(request.isolation === 'home' ? codexHome(user) : {}),
  };
}

function schemaOf({ schema }: AgentRequest) {
  return schema === null ? null : strictSchema(schema);
}

// The folder and further folders are taken only before `resume`. The prompt comes by
// stdin, which `-` says.
function argv(request: AgentRequest): string[] {
  const { cwd, extraDirs, resume, model, effort, role, filesFolder } = request;
  return [
    'exec',
    // Not by `--sandbox`, which would win over the profile below.
    ...sandbox(request).flatMap((setting) => ['-c', setting]),
    '--cd',
    cwd,
    ...extraDirs.flatMap((folder) => ['--add-dir', folder]),
    ...(resume === null ? [] : ['resume']),
    '--json',
    '--skip-git-repo-check',
    ...(request.isolation === 'none' ? [] : isolation),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(model === null ? [] : ['--model', model]),
    ...(effort ? ['-c', `model_reasoning_effort=${tomlString(effort)}`] : []),
    ...(role === null || resume !== null
      ? []
      : ['-c', `developer_instructions=${tomlString(role)}`]),
    ...(filesFolder === undefined || schemaOf(request) === null
      ? []
      : ['--output-schema', join(filesFolder, schemaFile)]),
    ...(resume === null ? [] : [resume.agentSession]),
    '-',
  ];
}

// A thread that is gone on with keeps the instructions that it began with, and takes no others.
function input({ prompt, role, resume }: AgentRequest): string {
  return role === null || resume === null ? prompt : `${role}\n\n${prompt}`;
}

// By `-c`, since a name that a version does not know is passed over there.
const isolation = [
  // The login stays: only config.toml is passed over, and with it what it trusts.
  '--ignore-user-config',
  '--ignore-rules',
  ...['hooks', 'plugins', 'apps'].flatMap((name) => ['-c', `features.${name}=false`]),
  '-c',
  'skills.include_instructions=false',
];

// Without its config.toml the user’s word against statistics is lost, so that nobody’s are sent.
const settings = [
  // What helpers use is not in its count of tokens. Models in code mode get them all the same.
  'features.multi_agent=false',
  'analytics.enabled=false',
  // Keys and tokens are not for the commands that the model runs.
  'shell_environment_policy.ignore_default_excludes=false',
  // Else it waits for the network for ever. The retries of its built-in provider have no setting.
  'features.unbounded_connection_retries=false',
];

/** Null for what is no event that we know. */
function eventsOf(line: Fields): Events | null {
  switch (line['type']) {
    case 'thread.started':
      return isString(line['thread_id'])
        ? { kind: 'started', agent_session: line['thread_id'], model: null, version: null }
        : null;
    case 'turn.started':
      return [];
    case 'item.started':
      return isObject(line['item']) ? begunEvents(line['item']) : null;
    case 'item.updated':
      return isObject(line['item']) ? [] : null;
    case 'item.completed':
      return isObject(line['item']) ? itemEvents(line['item']) : null;
    case 'turn.completed':
      return [...usageEvents(line['usage']), { kind: 'completed', text: null }];
    case 'turn.failed':
      return failure(isObject(line['error']) ? textOr(line['error']['message'], '') : '');
    case 'error':
      return notice(textOr(line['message'], ''));
    default:
      return null;
  }
}

// What takes long is told when it begins; a message or a change only when it is whole.
function begunEvents(item: Fields): Events {
  switch (item['type']) {
    case 'command_execution':
      return callOf('shell', { command: item['command'] });
    case 'mcp_tool_call':
      return callOf(`${textOr(item['server'], '')}.${textOr(item['tool'], '')}`, item['arguments']);
    case 'collab_tool_call':
      return callOf(item['tool'], isString(item['prompt']) ? { prompt: item['prompt'] } : {});
    default:
      return [];
  }
}

function itemEvents(item: Fields): Events | null {
  switch (item['type']) {
    case 'agent_message':
      return { kind: 'message', text: textOr(item['text'], ''), partial: false };
    case 'reasoning':
      return { kind: 'thinking', text: textOr(item['text'], '') };
    case 'command_execution':
      return endedCommand(textOr(item['command'], ''), {
        exitCode: countOr(item['exit_code'], null),
        output: item['aggregated_output'],
      });
    case 'file_change':
      return item['status'] === 'completed' ? changes(item['changes']) : [];
    // Some versions know the words only when it has ended.
    case 'web_search':
      return callOf('web_search', { query: item['query'] });
    // Despite its name: an unknown model, a resumed thread that had another one.
    case 'error':
      return { kind: 'warning', text: textOr(item['message'], '') };
    case 'mcp_tool_call':
      return resultEvents(item);
    // Told when they began.
    case 'collab_tool_call':
    case 'todo_list':
      return [];
    default:
      return null;
  }
}

function resultEvents({ result, error }: Fields): AgentEvent[] {
  if (isObject(error)) return [notDone(error['message'], { isDenied: false })];
  const parts = isObject(result) && Array.isArray(result['content']) ? result['content'] : [];
  return parts.filter(isObject).flatMap(({ text }) => outputOf(text));
}

// It tells no diff.
function changes(listed: unknown): AgentEvent[] {
  const changed = Array.isArray(listed) ? listed.filter(isObject) : [];
  return changed.flatMap(({ path, kind }) => (isString(path) ? [changeOf(path, kind)] : []));
}

function usageEvents(usage: unknown): AgentEvent[] {
  if (!isObject(usage)) return [];
  const tokens = {
    input: countOr(usage['input_tokens'], 0),
    output: countOr(usage['output_tokens'], 0),
    cached: countOr(usage['cached_input_tokens'], 0),
  };
  return [{ kind: 'usage', tokens, cost_usd: null }];
}

// A failure that it gets over looks like one that it gives up on, but for the first word.
function notice(message: string): AgentEvent {
  const [, reason = ''] = /^Reconnecting\.\.\.\s*(.*)$/s.exec(message) ?? [];
  return reason === '' ? failure(message) : { kind: 'retrying', reason, delay_ms: null };
}

function failure(message: string): AgentEvent {
  const refusal = refusalIn(message);
  const text = refusal ?? message;
  return errorEvent(text, { causes, status: refusal === null ? statusIn(text) : 400 });
}

function statusIn(message: string): number | null {
  const [, status] = /\bstatus:? ([45]\d\d)\b/i.exec(message) ?? [];
  return status === undefined ? null : Number(status);
}

// A request that the provider refuses (400) is passed on as the JSON that it answered.
function refusalIn(message: string): string | null {
  const body = jsonIn(message);
  if (!isObject(body)) return null;
  const { error, detail } = body;
  const told = isObject(error) ? error['message'] : detail;
  return isString(told) ? told : message;
}

// Words first, then the status. In this order: a refusal for want of quota has the status 429 too.
const causes: Causes = [
  ['answer-cut', /reason: max_output_tokens/i],
  ['content-filtered', /reason: content_filter/i],
  ['rate-limited', /usage limit|quota exceeded|rate limit|at capacity|status:? (?:429|529)\b/i],
  ['not-logged-in', /status:? 40[13]\b|missing environment variable|not logged in|refresh token/i],
  ['request-refused', /does not exist|not supported|context window|invalid schema|upgrade to/i],
  ['network', /high demand|stream disconnected|connection failed|request timed out/i],
];
