// Reads the lines of a program of the user.
import { AgentEvent, CallState, FailureCategory } from '../../model/agent-event.ts';
import { errorOf } from '../../model/make-events.ts';
import { jsonIn } from '../../model/json.ts';
import { type Fields, jsonLines, fieldsIn, isString } from './adapter-parts.ts';

/** Reads one line of a program of the user. */
export const readOwnLine = jsonLines(eventOf);

/** Reads a line; null if it is none of ours, or a field that it needs is missing or of another type. */
function eventOf({ kind, id, state, ...line }: Fields): AgentEvent | null {
  if (!isString(kind) || !Object.hasOwn(kinds, kind)) return null;
  const event = AgentEvent.safeParse({
    ...kinds[kind]?.(line),
    // A program may use these names for something else, which does not make its event unreadable.
    ...(isString(id) ? { id } : {}),
    ...(CallState.options.some((one) => one === state) ? { state } : {}),
  });
  return event.success ? event.data : null;
}

/** The fields of our events for each kind of line. Whatever is left out takes its default. */
const kinds: Readonly<Record<string, (line: Fields) => object>> = {
  started: ({ agent_session: agentSession, model, version }) => {
    return { type: 'started', agentSession, model, version };
  },
  message: ({ text: content, partial }) => ({ type: 'message', content, partial }),
  thinking: ({ text: content }) => ({ type: 'thinking', content }),
  'tool-call': ({ name, detail, input, diff }) => {
    const given = isString(input) ? (jsonIn(input) ?? input) : (input ?? detail);
    return { type: 'tool_call', name, detail, input: given, diff };
  },
  'tool-output': ({ output = null }) => ({ type: 'tool_call', name: '', output }),
  'file-read': ({ path }) => ({ type: 'file_read', path }),
  'file-change': ({ path, change, diff }) => ({ type: 'file_change', path, change, diff }),
  command: ({ command, exit_code: exitCode, output }) => {
    return { type: 'command', command, exitCode, output };
  },
  'approval-needed': ({ tool = null, what: description = '', answer = 'denied' }) =>
    answer === 'denied'
      ? { type: 'approval_needed', tool, description, options: ['allow', 'deny'] }
      : {},
  cancelled: ({ what }) => ({ type: 'cancelled', what }),
  usage: ({ tokens, cost_usd: costUsd, window }) => {
    const none = window === undefined ? {} : { inputTokens: 0, outputTokens: 0, window };
    const {
      input: inputTokens,
      output: outputTokens,
      cached: cachedTokens,
      estimated,
    } = fieldsIn(tokens);
    return { type: 'usage', inputTokens, outputTokens, cachedTokens, estimated, costUsd, ...none };
  },
  retrying: ({ reason, delay_ms: delay }) => ({ type: 'retrying', reason, delay }),
  warning: ({ text: message }) => ({ type: 'warning', message }),
  error({ category, text: message = '', retry_after_ms: wait = null }) {
    // An error of a category that we do not know is still an error.
    const known = FailureCategory.safeParse(category).data ?? 'unknown';
    const asked = typeof wait === 'number' ? wait : null;
    return { ...errorOf(known, '', asked), message, retryAfter: wait };
  },
  completed: ({ text: summary, model }) => ({ type: 'completed', summary, model }),
  unknown: ({ line }) => ({ type: 'unknown', line }),
};
