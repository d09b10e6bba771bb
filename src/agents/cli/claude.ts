// Calls and reads Claude Code.
import { join } from 'node:path';
import type { AgentEvent } from '../../model/agent-event.ts';
import { errorOf, messageOf, usageOf } from '../../model/make-events.ts';
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
  countOr,
  countOf,
  windowEvent,
  amountOr,
  markCall,
  callOf,
  startEvent,
  flag,
  outputOf,
  commandEvent,
  notDone,
  changeOf,
  diffOf,
  hiddenPathsIn,
  sessionIdOf,
  errorEvent,
} from './adapter-parts.ts';
import type { AgentAdapter, AgentRequest, LoginState, RunFile, UserSide } from '../agent.ts';
import { type ToolKind, type ToolWishes, toolsOf, unboundCommands } from '../permission.ts';
import { lenientSchema } from './strict-schema.ts';
import { secretPaths } from '../process/home-places.ts';

/** Anthropic’s Claude Code, measured with 2.1.197. */
export const claude: AgentAdapter = {
  name: 'claude',
  displayName: 'Claude Code',
  alsoCalled: 'claude-code',
  command: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude auth login',
  begin: (text) => [text],
  keepsIn: ['.claude', '.claude.json'],
  resumes: 'in-its-folder',
  schemaWay: () => ({ tool: structuredAnswer }),
  isolations: ['flags', 'home', 'none'],
  // It renews a login by replacing the file, which would also replace a link to it.
  homeHidesLogin: true,
  // The limit of its plain-text input.
  maxPromptBytes: 10 * 1024 * 1024,
  // CLAUDE_CODE_* is left out: it would mistake the variables of a surrounding session for its own.
  variables: [
    'ANTHROPIC_* CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_* CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
    'CLAUDE_CODE_CLIENT_* CLAUDE_CODE_CERT_STORE CLAUDE_CODE_EFFORT_LEVEL',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS MAX_THINKING_TOKENS API_TIMEOUT_MS',
    'CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY',
  ].flatMap((names) => names.split(' ')),
  variablesOf: cloudVariables,
  tested: '2.1.x',
  confinesWith: ['bwrap', 'socat'],
  readOnlyBy: 'only its reading tools are offered to the model',
  helpArgv: ['--help'],
  loginState: claudeLogin,
  files: claudeHome,
  argv,
  unenforced: unenforcedWishes,
  input: stdin,
  waitsForInput: true,
  env: ({ isolation, filesFolder = '' }) => ({
    ...(isolation === 'home' ? { CLAUDE_CONFIG_DIR: filesFolder } : {}),
    // Otherwise “@path” anywhere in a prompt sends that file, even from outside of the project.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    // Its ten retries take three minutes.
    CLAUDE_CODE_MAX_RETRIES: '2',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  read: jsonLines(eventsOf),
  aliases: ['opus', 'sonnet', 'haiku', 'fable'],
  models: ['claude-'],
  tellsPlan: true,
  vendorOf: (model) => (model === null || anthropicModel.test(model) ? 'anthropic' : null),
};

// Matches its models and aliases; behind a gateway it runs other vendors’ models, too.
const anthropicModel = /claude|^(?:default|best|fable|haiku|opus|sonnet)/i;

function argv(request: AgentRequest): string[] {
  const { effort, role, schema, resume, extraDirs, mark } = request;
  // A resumed session keeps its model, but not the large context that belonged to its name.
  const large = resume?.model?.endsWith('[1m]') === true ? resume.model : null;
  const model = request.model ?? large;
  return [
    '-p',
    '--input-format=stream-json',
    '--output-format=stream-json',
    '--verbose',
    // This keeps a long answer from looking like silence.
    '--include-partial-messages',
    ...toolFlags(request),
    ...sandboxFlags(request),
    // It cannot read outside of its folders anyway. The rule covers searches, too.
    ...hiddenPathsIn(request).map((path) => `--disallowedTools=Read(./${path}/**)`),
    '--setting-sources=user',
    ...(request.isolation === 'none' ? [] : isolation),
    ...flag('--model', model),
    ...flag('--effort', effort),
    ...flag('--append-system-prompt', role),
    ...flag('--json-schema', schema && JSON.stringify(lenientSchema(schema))),
    ...extraDirs.flatMap((folder) => ['--add-dir', folder]),
    ...(resume === null ? ['--session-id', sessionIdOf(mark)] : ['--resume', resume.agentSession]),
  ];
}

// Tools that are not listed are not offered to the model. Commands need rules, or it would ask for
// permission; `--dangerously-skip-permissions` would lift all rules, and is refused for root.
function toolFlags(request: AgentRequest): string[] {
  const tools = toolsOf(request);
  const has = (kind: ToolKind, names: readonly string[]) => (tools.has(kind) ? names : []);
  const writing = has('file_write', ['Edit', 'Write', 'NotebookEdit']);
  const web = has('web', ['WebFetch', 'WebSearch']);
  const commands = has('shell', ['Bash']);
  const allowed = [
    ...commands,
    ...web,
    // Without a rule it would ask before an edit outside of its folders, which denies the edit.
    ...(request.permission === 'full' ? writing : []),
  ];
  const denied = tools.has('shell') && !tools.has('git') ? ['Bash(git *)'] : [];
  return [
    `--tools=${['Read', 'Grep', 'Glob', ...writing, ...commands, ...web].join(',')}`,
    `--permission-mode=${writing.length === 0 ? 'default' : 'acceptEdits'}`,
    ...allowed.map((rule) => `--allowedTools=${rule}`),
    ...denied.map((rule) => `--disallowedTools=${rule}`),
    ...(typeof request.maxTurns === 'number' ? [`--max-turns=${request.maxTurns}`] : []),
  ];
}

// A leading slash would turn the prompt into one of its own commands.
function stdin({ prompt }: AgentRequest): string {
  const content = prompt.startsWith('/') ? `\n${prompt}` : prompt;
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
}

// Keeps out hooks, plug-ins, skills, MCP servers, memory files and the project’s settings. The
// user’s settings are kept, because they may hold the login (`apiKeyHelper`, `env`) and the choice
// of the model. Flags are used rather than variables: a version too old for them fails instead of
// running the hooks.
const isolation = ['--safe-mode', '--strict-mcp-config', '--disable-slash-commands'];

/** Reads one event; null for an unknown one. */
function eventsOf(line: Fields): Events | null {
  switch (line['type']) {
    case 'system':
      return systemEvents(line);
    case 'assistant':
      return answerEvents(fieldsIn(line['message']));
    case 'user':
      return doneEvents(line);
    case 'result':
      return [...denials(line['permission_denials']), usageIn(line), endOf(line)];
    case 'rate_limit_event':
      return windowEvents(fieldsIn(line['rate_limit_info']));
    // A whole `assistant` line repeats each piece.
    case 'stream_event':
    case 'tool_progress':
    case 'tool_use_summary':
    case 'auth_status':
      return [];
    default:
      return null;
  }
}

// It tells the share only once much of a window is used.
function windowEvents({ rateLimitType: kind, utilization, resetsAt }: Fields): Events {
  const minutes = textOf(kind).startsWith('five_hour') ? 300 : 10_080;
  return windowEvent({ minutes, used: utilization, resetsAt });
}

// It has many progress events, whose names change; only these two matter.
function systemEvents(line: Fields): Events {
  switch (line['subtype']) {
    case 'init':
      return startEvent(line['session_id'], line['model'], line['claude_code_version']);
    case 'api_retry': {
      const status = countOr(line['error_status'], null);
      const reason = textOr(line['error'], 'unknown');
      return {
        type: 'retrying',
        reason: status === null ? reason : `${reason} (${status})`,
        delay: amountOr(line['retry_delay_ms'], null),
      };
    }
    default:
      return [];
  }
}

// A message without a model is an error, which the `result` line repeats.
function answerEvents({ model, content }: Fields): Events {
  if (model === '<synthetic>') return [];
  return objectsIn(content).flatMap((block): AgentEvent[] => {
    switch (block['type']) {
      case 'text':
        return [messageOf(textOf(block['text']))];
      case 'thinking':
        return [{ type: 'thinking', content: textOf(block['thinking']) }];
      case 'tool_use':
        return callEvents(block);
      default:
        return [];
    }
  });
}

// A read is reported when it is done.
function callEvents({ id, name, input }: Fields): AgentEvent[] {
  return name === 'Read' || name === structuredAnswer
    ? []
    : markCall(id, 'started', [callOf(name, input)]);
}

// The tool with which the model answers to a schema.
const structuredAnswer = 'StructuredOutput';

// Only results count, because a call may have been refused.
function doneEvents({ message, tool_use_result: result }: Fields): AgentEvent[] {
  const parts = objectsIn(fieldsIn(message)['content']);
  const file = fileEvent(fieldsIn(result));
  const isCommand = isString(fieldsIn(result)['stdout']);
  if (file === null) return parts.flatMap((part) => resultEvents(part, isCommand));
  const id = parts.find(({ type }) => type === 'tool_result')?.['tool_use_id'];
  return markCall(id, 'completed', [file]);
}

/** The file that a call read or changed, or null. */
function fileEvent({ file, filePath, structuredPatch, content, type }: Fields): AgentEvent | null {
  const { filePath: read } = fieldsIn(file);
  if (isString(read)) return { type: 'file_read', path: read };
  if (!Array.isArray(structuredPatch) || !isString(filePath)) return null;
  // A partial edit has no type.
  if (type === 'create') return changeOf(filePath, 'create', diffOf('', content));
  return changeOf(filePath, 'update', objectsIn(structuredPatch).flatMap(hunk).join('\n'));
}

function hunk({ oldStart, oldLines, newStart, newLines, lines }: Fields): string[] {
  const [from, many, to, now] = [oldStart, oldLines, newStart, newLines].map((n) => countOf(n));
  const head = `@@ -${from},${many} +${to},${now} @@`;
  return [head, ...(Array.isArray(lines) ? lines.filter(isString) : [])];
}

function resultEvents({ type, tool_use_id: id, ...result }: Fields, ran: boolean): AgentEvent[] {
  if (type !== 'tool_result') return [];
  return markCall(id, 'completed', outcomeOf(result, ran));
}

// The exit code is only in the text of a failed command.
function outcomeOf({ content, is_error }: Fields, ran: boolean): AgentEvent[] {
  const parts = isString(content) ? [{ text: content }] : objectsIn(content);
  const texts = parts.map(({ text }) => text).filter(isString);
  const text = texts.join('\n').replaceAll(/<\/?tool_use_error>/g, '');
  if (is_error !== true && ran) return [commandEvent('', 0, text)];
  if (is_error !== true) return outputOf(text);
  const [, code, output] = /^Exit code (\d+)\n?([^]*)$/.exec(text) ?? [];
  return [code === undefined ? notDone(text) : commandEvent('', Number(code), output)];
}

function denials(listed: unknown): AgentEvent[] {
  return objectsIn(listed).flatMap(({ tool_use_id: id, tool_name, tool_input }) => {
    const { name: tool, detail } = callOf(tool_name, tool_input);
    return markCall(id, 'completed', [notDone(detail, true, tool)]);
  });
}

// `usage` leaves out sub-agents; `modelUsage` counts all models, whoever asked them, where it is told.
function usageIn({ modelUsage, usage, total_cost_usd }: Fields): AgentEvent {
  const models = Object.values(fieldsIn(modelUsage)).map(fieldsIn);
  const own = fieldsIn(usage);
  const sum = (name: string, alone: string) =>
    models.length === 0
      ? countOf(own[alone])
      : models.reduce((all, one) => all + countOf(one[name]), 0);
  const cached = sum('cacheReadInputTokens', 'cache_read_input_tokens');
  const written = sum('cacheCreationInputTokens', 'cache_creation_input_tokens');
  const input = sum('inputTokens', 'input_tokens') + written + cached;
  const tokens = { input, output: sum('outputTokens', 'output_tokens'), cached };
  return usageOf(tokens, amountOr(total_cost_usd, null));
}

// Failures have the subtype “success”, too, so that `is_error` decides. Zero turns mean that the
// prompt was mistaken for a command and no model was asked.
function endOf(line: Fields): AgentEvent {
  const { is_error, subtype, num_turns, structured_output, result, errors } = line;
  const told = Array.isArray(errors) ? errors.filter(isString).join('; ') : '';
  const text = textOr(result, told);
  if (is_error === true || subtype !== 'success') {
    return errorEvent(text, countOr(line['api_error_status'], null));
  }
  if (num_turns === 0) {
    return errorOf('request-refused', text);
  }
  const answer = structured_output ?? null;
  // An empty result does not undo the text that was streamed.
  if (answer === null) return { type: 'completed', summary: text.trim() === '' ? null : text };
  return { type: 'completed', summary: JSON.stringify(answer) };
}

/** Writes its sandbox for commands, if that can be used. */
function sandboxFlags(request: AgentRequest): readonly string[] {
  return isSandboxed(request) ? [`--settings=${JSON.stringify({ sandbox })}`] : [];
}

/** True if its commands are sandboxed; its other tools are held by rules. */
function isSandboxed(wishes: Pick<AgentRequest, 'confined'> & ToolWishes): boolean {
  return wishes.confined === true && wishes.permission !== 'full' && toolsOf(wishes).has('shell');
}

// Without the third setting it would run a command unconfined if the model asks for that, without
// the second all commands if its sandbox is missing. With no domain allowed, there is no network.
const sandbox = {
  enabled: true,
  failIfUnavailable: true,
  allowUnsandboxedCommands: false,
  autoAllowBashIfSandboxed: true,
  network: { allowedDomains: [] },
  filesystem: { denyRead: secretPaths },
};

function unenforcedWishes({
  isolation: kind,
  ...wishes
}: Parameters<Unenforced>[0]): readonly string[] {
  const hasRules = kind !== 'home' && wishes.permission !== 'full';
  return [
    ...(isSandboxed(wishes) ? [readsMost] : unboundCommands(wishes)),
    ...(hasRules && toolsOf(wishes).has('file_write')
      ? ['rules in your settings that allow edits also apply outside its folders']
      : []),
  ];
}

const readsMost =
  'a command that it runs may read whatever you may, except the usual places of secrets in your home, and may move branches of the repository';

type Unenforced = NonNullable<AgentAdapter['unenforced']>;

/** A separate home, if wanted; only the sessions outlive it. */
function claudeHome(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>> {
  const sessions = sessionsIn(request, join(usualPlaces(user).folder, 'projects'));
  return request.isolation === 'home' ? { projects: { linkTo: sessions, kind: 'folder' } } : {};
}

/**
 * Judges the login by files: `claude auth status` renews an account’s login as a side effect, and
 * ending it meanwhile would leave its lock behind.
 */
function claudeLogin(user: UserSide): LoginState {
  const { environment } = user;
  if (keys.some((name) => environment[name])) return { state: 'stored' };
  const { folder, stateFile } = usualPlaces(user);
  const has = (file: string) => user.isolation !== 'home' && user.has(join(folder, file));
  const state = user.isolation === 'home' ? null : user.read(stateFile);
  if (has('.credentials.json') || /"oauthAccount"\s*:\s*\{|"primaryApiKey"/.test(state ?? '')) {
    return { state: 'stored' };
  }
  const settings = has('settings.json') ? user.read(join(folder, 'settings.json')) : null;
  const mayBeInSettings = /"(?:apiKeyHelper|env)"/.test(settings ?? '');
  // On macOS a key is in the keychain; earlier versions kept their state in `.config.json`.
  const mayBeElsewhere = process.platform === 'darwin' || has('.config.json');
  return mayBeInSettings || mayBeElsewhere || machineSettings.some((path) => user.has(path))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'it has neither a login nor a key' };
}

const keys = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

const machineSettings = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** Passes a cloud’s keys on only if that cloud sells its models to the user: they open more than models. */
function cloudVariables(user: UserSide): readonly string[] {
  const settings = user.read(join(usualPlaces(user).folder, 'settings.json')) ?? '';
  return clouds.flatMap(([choice, names]) =>
    user.environment[choice] || settings.includes(choice) ? names.split(' ') : [],
  );
}

const clouds = [
  ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_SKIP_BEDROCK_AUTH AWS_*'],
  [
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH CLOUD_ML_REGION VERTEX_REGION_* GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT',
  ],
  ['CLAUDE_CODE_USE_FOUNDRY', 'CLAUDE_CODE_SKIP_FOUNDRY_AUTH AZURE_*'],
] as const;

function usualPlaces({ home, environment }: UserSide) {
  const own = environment['CLAUDE_CONFIG_DIR'];
  return {
    folder: own || join(home, '.claude'),
    stateFile: join(own || home, '.claude.json'),
  };
}
