import type { AgentEvent } from '../model/event.ts';
import { FailureCategory } from '../model/agent-failure.ts';
import { isObject, jsonIn } from '../model/json.ts';
import type { AgentAdapter } from './agent.ts';
import { amountOr, countOr, type Fields, isString, textOr } from './adapter-parts.ts';

/**
 * Any program that reads the prompt on stdin and prints `AgentEvent`s, one JSON object a line, on
 * stdout. Model and role reach it as CONCLAVE_MODEL and CONCLAVE_ROLE. It answers `--version`.
 */
export function programAdapter(name: string, vendor: string | null): AgentAdapter {
  return {
    name,
    displayName: name,
    command: name,
    install: `[agents.${name}] path has to name a program that answers --version`,
    login: `see the documentation of ${name}`,
    can: { model: true, schema: false, resume: false, extraDirs: false },
    loads: [],
    maxPromptBytes: Infinity,
    variables: [],
    versionArgv: ['--version'],
    argv: () => [],
    env: ({ model, role }) => ({
      ...(model === null ? {} : { CONCLAVE_MODEL: model }),
      ...(role === null ? {} : { CONCLAVE_ROLE: role }),
    }),
    read: (line) => eventOf(fieldsOf(line)) ?? { kind: 'unknown', line },
    vendorOf: () => vendor,
  };
}

function fieldsOf(line: string): Fields {
  if (!line.startsWith('{')) return {};
  const value = jsonIn(line);
  return isObject(value) ? value : {};
}

// Checked by hand, since this runs for every line: zod takes several times as long as JSON.parse.
// A test holds it against the zod shape.
function eventOf(fields: Fields): AgentEvent | null {
  const { kind, text } = fields;
  switch (kind) {
    case 'message':
      return isString(text) ? { kind, text, partial: fields['partial'] === true } : null;
    case 'thinking':
    case 'warning':
      return isString(text) ? { kind, text } : null;
    case 'file-read':
    case 'file-change':
      return isString(fields['path']) ? { kind, path: fields['path'] } : null;
    case 'tool-call':
      return isString(fields['name'])
        ? { kind, name: fields['name'], detail: textOr(fields['detail'], '') }
        : null;
    case 'command':
      return isString(fields['command'])
        ? { kind, command: fields['command'], exit_code: countOr(fields['exit_code'], null) }
        : null;
    case 'started':
      return {
        kind,
        agent_session: textOr(fields['agent_session'], null),
        model: textOr(fields['model'], null),
        version: textOr(fields['version'], null),
      };
    case 'completed':
      return { kind, text: textOr(text, null) };
    case 'retrying':
      return isString(fields['reason'])
        ? { kind, reason: fields['reason'], delay_ms: amountOr(fields['delay_ms'], null) }
        : null;
    case 'usage':
      return usageOf(fields);
    case 'error':
      return errorOf(fields);
    default:
      return null;
  }
}

function usageOf(fields: Fields): AgentEvent | null {
  const { tokens } = fields;
  if (!isObject(tokens)) return null;
  const input = countOr(tokens['input'], null);
  const output = countOr(tokens['output'], null);
  if (input === null || output === null) return null;
  const cached = countOr(tokens['cached'], 0);
  const cost_usd = amountOr(fields['cost_usd'], null);
  return { kind: 'usage', tokens: { input, output, cached }, cost_usd };
}

// An error stays one even if its category is none that we know.
function errorOf(fields: Fields): AgentEvent {
  const category = FailureCategory.safeParse(fields['category']);
  return {
    kind: 'error',
    category: category.success ? category.data : 'unknown',
    text: textOr(fields['text'], ''),
    retry_after_ms: amountOr(fields['retry_after_ms'], null),
  };
}
