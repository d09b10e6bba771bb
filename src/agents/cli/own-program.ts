// Calls and reads a program of the user that speaks our own events.
import { AgentEvent, CallState } from '../../model/agent-event.ts';
import { FailureCategory } from '../../model/agent-failure.ts';
import { isObject } from '../../model/json.ts';
import type { AgentAdapter } from '../agent.ts';
import { type Fields, isString, jsonLines } from './adapter-parts.ts';

/**
 * Adapts any program that reads the prompt on stdin and prints `AgentEvent`s, one JSON object per
 * line, on stdout. Model, role, permission and the session to continue reach it as CONCLAVE_MODEL,
 * CONCLAVE_ROLE, CONCLAVE_PERMISSION and CONCLAVE_RESUME. It answers `--version`.
 */
export function programAdapter(name: string, vendor: string | null): AgentAdapter {
  return {
    name,
    displayName: name,
    command: name,
    install: `let path under [agents.${name}] name a program that answers --version`,
    login: `see the documentation of ${name}`,
    keepsIn: [],
    unenforced: ({ permission }) =>
      permission === 'read-only' ? [] : ['it may read and write wherever you may'],
    resumes: 'never',
    maxPromptBytes: Infinity,
    variables: [],
    argv: () => [],
    env: ({ model, role, permission, resume }) => ({
      CONCLAVE_PERMISSION: permission,
      ...(resume === null ? {} : { CONCLAVE_RESUME: resume.agentSession }),
      ...(model === null ? {} : { CONCLAVE_MODEL: model }),
      ...(role === null ? {} : { CONCLAVE_ROLE: role }),
    }),
    read: jsonLines(eventOf),
    vendorOf: () => vendor,
  };
}

function eventOf({ id, state, ...line }: Fields): AgentEvent | null {
  const { kind, category, tokens } = line;
  const isNamed = kind !== 'error' || FailureCategory.safeParse(category).success;
  const event = AgentEvent.safeParse({
    ...(isString(kind) ? optional[kind] : {}),
    ...line,
    // A program may use these names for something else, which does not make its event unreadable.
    ...(isString(id) ? { id } : {}),
    // A failing check is slow, and most events have no state.
    ...(state !== undefined && CallState.safeParse(state).success ? { state } : {}),
    ...(isObject(tokens) ? { tokens: { cached: 0, ...tokens } } : {}),
    // An error with an unknown category is still an error.
    ...(isNamed ? {} : { category: 'unknown' }),
  });
  return event.success ? event.data : null;
}

/** The fields that may be omitted, by the kind of event. */
const optional: Readonly<Record<string, Fields>> = {
  started: { agent_session: null, model: null, version: null },
  message: { partial: false },
  'tool-call': { detail: '' },
  command: { exit_code: null },
  'approval-needed': { tool: null, what: '', answer: 'denied' },
  cancelled: { what: null },
  usage: { cost_usd: null },
  retrying: { delay_ms: null },
  error: { text: '', retry_after_ms: null },
  completed: { text: null },
};
