// Calls and reads the Antigravity CLI.
import { join } from 'node:path';
import type { AgentEvent } from '../../model/agent-event.ts';
import { errorOf } from '../../model/make-events.ts';
import { isObject } from '../../model/json.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { familyOf } from '../api/api-providers.ts';
import { toolsOf, unboundRun } from '../permission.ts';
import {
  type Fields,
  type Events,
  jsonLines,
  fieldsIn,
  objectsIn,
  isString,
  textOf,
  textOrNull,
  countOf,
  usageIn,
  markCall,
  callOf,
  startEvent,
  flag,
  promptWithRole,
  outputOf,
  commandEvent,
  notDone,
  denialEvent,
  changeOf,
  diffOf,
  makerOf,
  errorEvent,
} from './adapter-parts.ts';

/** Google’s Antigravity CLI, by its documentation of 1.1.8 to 1.4: the real one cannot be had without a login. */
export const agy: AgentAdapter = {
  name: 'agy',
  displayName: 'Antigravity CLI',
  alsoCalled: 'antigravity',
  command: 'agy',
  install: 'curl -fsSL https://antigravity.google/cli/install.sh | bash',
  login: 'start "agy" once and log in with Google',
  keepsIn: ['.gemini/antigravity-cli', '.gemini/antigravity', '.gemini/config'],
  isUntried: true,
  resumes: 'in-its-folder',
  maxPromptBytes: 1_000_000,
  variables: ['ANTIGRAVITY_*', 'AGY_*'],
  readOnlyBy: 'its plan mode, and a confinement of ours',
  warnings: ['not tried with the real program, which needs a login'],
  helpArgv: ['--help'],
  misfit,
  loginState: (user) => {
    // Some systems keep it in a keyring.
    const path = join(user.home, '.gemini/antigravity-cli/antigravity-oauth-token');
    return { state: user.has(path) ? 'stored' : 'unknown' };
  },
  schemaWay: () => ({ tool: null }),
  argv,
  unenforced: unboundRun,
  input: promptWithRole,
  env: () => ({ AGY_CLI_DISABLE_AUTO_UPDATE: 'true' }),
  read: jsonLines(eventsOf),
  // It offers models of several vendors.
  vendorOf: (model) => familyOf(model) ?? makerOf(model),
};

/** Says why a program of this name cannot be used: an editor also has it, and older ones have no stream. */
function misfit(version: string): string | null {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (minor >= 90) return 'it is the editor of the same name, not the CLI';
  const isOld = major * 1e6 + minor * 1e3 + patch < 1_001_008;
  return isOld
    ? `version ${version} has no stream of events; 1.1.8 or a newer one is needed`
    : null;
}

// There is no `-p`: it would take the next word for the prompt, which comes on stdin.
function argv(request: AgentRequest): string[] {
  const { cwd, extraDirs, model, effort, resume, schema, limits } = request;
  const tools = toolsOf(request);
  const mode = tools.has('file_write') ? 'accept-edits' : 'plan';
  // The program ends after five minutes unless it is told otherwise.
  const seconds = Number.isFinite(limits.totalMs) ? Math.ceil(limits.totalMs / 1000) : 86_400;
  return [
    '--output-format=stream-json',
    `--print-timeout=${seconds}s`,
    tools.has('shell') ? '--dangerously-skip-permissions' : `--mode=${mode}`,
    ...[cwd, ...extraDirs].map((folder) => `--add-dir=${folder}`),
    ...flag('--model=', model),
    ...flag('--effort=', effort),
    ...flag('--json-schema=', schema && JSON.stringify(schema)),
    ...flag('--conversation=', resume?.agentSession),
  ];
}

/** Reads one event; null for an unknown one. */
function eventsOf({ event, ...line }: Fields): Events | null {
  switch (event) {
    case 'init':
      return startEvent(line['conversation_id'], fieldsIn(line['init'])['model']);
    case 'step_update':
      return stepEvents(fieldsIn(line['step_update']));
    case 'result':
      return resultEvents(fieldsIn(line['result']));
    default:
      return null;
  }
}

function stepEvents(step: Fields): Events | null {
  switch (step['step_type']) {
    case 'agent_response': {
      const content = textOf(step['text_delta']);
      return content === '' ? [] : [{ type: 'message', content, partial: true }];
    }
    case 'tool':
      return toolEvents(step);
    // The last update of a step names only its number.
    case undefined:
    case 'user_input':
    case 'system_message':
    case 'checkpoint':
      return [];
    default:
      return null;
  }
}

function toolEvents({ tool_name, tool_info, state, step_index }: Fields): Events {
  const { name, parameters, output, error } = fieldsIn(tool_info);
  const input = fieldsIn(parameters);
  const tool = textOf(name ?? tool_name);
  const id = `step-${countOf(step_index)}`;
  if (state === 'ACTIVE') return markCall(id, 'started', [callOf(tool, input)]);
  const { type, message } = fieldsIn(error);
  const isDenied = /permission|denied/i.test(`${textOf(type)} ${textOf(message)}`);
  const done = isObject(error) ? [notDone(message, isDenied, tool)] : doneBy(input, output);
  return markCall(id, 'completed', done);
}

/** Tells what a tool did from the names of its parameters. */
function doneBy(input: Fields, output: unknown): AgentEvent[] {
  const { TargetFile, CodeContent, ReplacementContent, CommandLine, AbsolutePath } = input;
  if (isString(TargetFile)) {
    const how = isString(CodeContent) ? 'create' : 'update';
    return [changeOf(TargetFile, how, diffOf('', CodeContent ?? ReplacementContent))];
  }
  if (isString(CommandLine)) return [commandEvent(CommandLine, null, output)];
  if (isString(AbsolutePath)) return [{ type: 'file_read', path: AbsolutePath }];
  return outputOf(output);
}

function resultEvents(result: Fields): AgentEvent[] {
  const { conversation_id, usage, denied_actions, status, error, response } = result;
  const denied = objectsIn(denied_actions).map(({ action, display_name }) =>
    denialEvent(textOf(display_name), { tool: textOrNull(action) }),
  );
  const told = [startEvent(conversation_id), ...denied, ...usageIn(usage, 'cache_read_tokens')];
  const { structured_output: given } = result;
  const text = given === undefined ? textOf(response) : JSON.stringify(given);
  if (status !== 'SUCCESS' || isString(error)) {
    return [...told, errorEvent(textOf(error) || `it ended with the status ${String(status)}`)];
  }
  return [...told, text.trim() === '' ? quotaUsedUp : { type: 'completed', summary: text }];
}

const quotaUsedUp = errorOf(
  'quota-used-up',
  'it answered with nothing, as it does when its quota is used up',
);
