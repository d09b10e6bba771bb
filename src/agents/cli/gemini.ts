// Calls and reads Gemini CLI.
import { join } from 'node:path';
import type { AgentEvent } from '../../model/agent-event.ts';
import { errorOf, usageOf } from '../../model/make-events.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import {
  type Fields,
  type Events,
  jsonLines,
  fieldsIn,
  textOr,
  textOf,
  countOr,
  countOf,
  markCall,
  callOf,
  startEvent,
  afterRetries,
  flag,
  outputOf,
  commandEvent,
  notDone,
  diffOf,
  sessionIdOf,
  errorEvent,
} from './adapter-parts.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { unboundCommands } from '../permission.ts';
import {
  userModel,
  homeFiles,
  personalLogin,
  policyFile,
  questionCommand,
  shellTool,
  geminiLogin,
} from './gemini-home.ts';

/** Google’s Gemini CLI, measured with 0.61.0. */
export const gemini: AgentAdapter = {
  name: 'gemini',
  displayName: 'Gemini CLI',
  alsoCalled: 'gemini-cli',
  command: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  login: 'start "gemini" and choose /auth, or set GEMINI_API_KEY',
  begin: (text) => ['--prompt-interactive', text],
  keepsIn: ['.gemini'],
  resumes: 'in-its-folder',
  isolations: ['home', 'none'],
  // It sends at most 4,194,304 characters; the rest is for the role and its own additions.
  maxPromptBytes: 4_000_000,
  // GEMINI_* is left out: the user’s shell must not set its prompt, sandbox, tools or telemetry.
  variables: [
    'GEMINI_API_KEY* GEMINI_MODEL GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH GEMINI_CLI_USE_COMPUTE_ADC',
    'GEMINI_FORCE_ENCRYPTED_FILE_STORAGE GEMINI_FORCE_FILE_STORAGE',
    'GOOGLE_* CLOUDSDK_* CLOUD_SHELL CODE_ASSIST_*',
  ].flatMap((names) => names.split(' ')),
  tested: '0.61.x',
  readOnlyBy: 'a policy of its own',
  warnings: [
    'started by yourself without a terminal, its plan mode approves its own plan and then runs every tool',
  ],
  helpArgv: ['--help'],
  // Even `--version` would leave files in the user’s home, and wait for a lock.
  versionEnv: (folder) => ({ GEMINI_CLI_HOME: folder, GEMINI_CLI_NO_RELAUNCH: 'true' }),
  loginState: geminiLogin,
  unserved: personalLogin,
  explained: ['a key in GEMINI_API_KEY takes the place of a login that Google serves no longer'],
  ownChoice: (user) => ({ model: userModel(user), effort: null }),
  files: homeFiles,
  argv,
  unenforced: unboundCommands,
  input: stdin,
  env,
  read: jsonLines(eventsOf),
  aliases: ['pro', 'flash'],
  models: ['gemini-', 'gemma-'],
  vendorOf: (model) => (model === null || googleModel.test(model) ? 'google' : null),
};

// Matches its models and aliases.
const googleModel = /gem(?:ini|ma)|^(?:auto|pro|flash)/i;

function argv({ model, resume, mark, filesFolder = '' }: AgentRequest): string[] {
  return [
    '--output-format=stream-json',
    ...flag('--model=', model),
    `--policy=${join(filesFolder, policyFile)}`,
    resume === null ? `--session-id=${sessionIdOf(mark)}` : `--resume=${resume.agentSession}`,
  ];
}

// A plain prompt would have each @word replaced by the file of that name, and spaces around it
// changed. The text below the name of a command is left alone.
function stdin({ mark, role, prompt }: AgentRequest): string {
  const parts = [`/${questionCommand(mark)}`, ...(role === null ? [] : [role, '']), prompt];
  return parts.join('\n');
}

function env({ isolation, filesFolder = '' }: AgentRequest): Readonly<Record<string, string>> {
  return {
    GEMINI_CLI_HOME: filesFolder,
    // Without trust it ignores the project’s settings, servers, hooks, tool discovery and memory. It
    // starts the user’s servers only in a trusted folder.
    GEMINI_CLI_TRUST_WORKSPACE: String(isolation === 'none'),
    // Otherwise it runs in a child process, and the parent ignores every signal.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    // Otherwise the end of a long answer is lost, because it exits before it has written everything.
    NODE_OPTIONS: `--import=data:text/javascript,${writeAtOnce}`,
    // Its error reports contain the whole conversation.
    TMPDIR: filesFolder,
  };
}

const writeAtOnce = 'process.stdout._handle?.setBlocking?.(true)';

/** Reads one event; null for an unknown one. It reports neither thoughts nor costs. */
function eventsOf(line: Fields): Events | null {
  switch (line['type']) {
    case 'init':
      return startEvent(line['session_id'], line['model']);
    case 'message':
      return messageEvents(line);
    case 'tool_use':
      return markCall(line['tool_id'], 'started', [callIn(line)]);
    case 'tool_result':
      return markCall(line['tool_id'], 'completed', resultEvents(line));
    case 'error':
      return notice(line);
    case 'result':
      return [...usageEvents(line['stats']), ...endEvents(line)];
    default:
      return null;
  }
}

// It echoes the prompt as the user’s message.
function messageEvents({ role, content, delta }: Fields): Events {
  if (role !== 'assistant') return [];
  return { type: 'message', content: textOf(content), partial: delta === true };
}

// A call is not a deed yet, because it may be refused.
function callIn({ tool_name, parameters }: Fields): AgentEvent {
  const input = fieldsIn(parameters);
  if (tool_name === 'read_file') return { type: 'file_read', path: textOf(input['file_path']) };
  const { content, old_string, new_string } = input;
  const diff = diffOf(old_string, tool_name === 'write_file' ? content : new_string);
  return { ...callOf(tool_name, input), ...(diff === '' ? {} : { diff }) };
}

// An id starts with the name of its tool. A command’s exit code is only reported if it printed
// nothing else.
function resultEvents({ tool_id: id, status, output, error }: Fields): AgentEvent[] {
  if (status !== 'error') {
    if (!textOf(id).startsWith(shellTool)) return outputOf(output);
    const [, code] = /^Command exited with code: (\d+)$/.exec(textOf(output)) ?? [];
    return [commandEvent('', code === undefined ? null : Number(code), output)];
  }
  const { type, message } = fieldsIn(error);
  return [notDone(message, type === 'policy_violation')];
}

function notice({ severity, message }: Fields): Events {
  const text = textOf(message);
  return severity === 'error' ? failure(text) : { type: 'warning', message: text };
}

// Thoughts are paid for as output, but counted only in the total.
function usageEvents(stats: unknown): AgentEvent[] {
  if (!isObject(stats)) return [];
  const asked = countOf(stats['input_tokens']);
  const answered = countOf(stats['output_tokens']);
  const output = Math.max(answered, countOf(stats['total_tokens']) - asked);
  if (asked + output === 0) return [];
  const tokens = { input: asked, output, cached: countOf(stats['cached']) };
  return [usageOf(tokens, null)];
}

// An error without a text has been reported before. A success without a model means that the
// conversation was too long to be sent.
function endEvents({ status, error, stats }: Fields): AgentEvent[] {
  if (status === 'success') {
    const { models } = fieldsIn(stats);
    const asked = !isObject(models) || Object.keys(models).length > 0;
    return [asked ? { type: 'completed', summary: null, ...answeringModel(models) } : tooLong];
  }
  const text = textOf(fieldsIn(error)['message']);
  return text === '' ? [] : failure(text);
}

/** The model that wrote the most is the one that answered; another one may have chosen it. */
function answeringModel(models: unknown): { model?: string } {
  const told = Object.entries(fieldsIn(models));
  const [most] = told.toSorted(([, a], [, b]) => outputTokens(b) - outputTokens(a));
  return most === undefined ? {} : { model: most[0] };
}

function outputTokens(stats: unknown): number {
  return countOf(fieldsIn(stats)['output_tokens']);
}

const tooLong = errorOf(
  'request-refused',
  'it asked no model: the conversation is longer than the model takes',
);

function failure(message: string): AgentEvent[] {
  const { status, text } = apiError(message);
  // `fetch` gives no further reason.
  const said = text === 'terminated' ? 'the connection to the model was lost' : text;
  const error = { ...errorEvent(text, status), message: said };
  // It has retried responses with an HTTP status itself.
  const isRetried = error.category === 'network' && status !== null;
  return isRetried ? afterRetries(said, error) : [error];
}

// The message contains the provider’s answer, mostly as JSON.
function apiError(message: string): { readonly status: number | null; readonly text: string } {
  const [, body = message, advice = ''] = /\[API Error: ([^]*)\]([^\]]*)$/.exec(message) ?? [];
  const { error } = fieldsIn(jsonIn(body));
  if (!isObject(error)) return { status: null, text: `${body}${advice}`.trim() };
  return { status: countOr(error['code'], null), text: textOr(error['message'], body) };
}
