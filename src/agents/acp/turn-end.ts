// Reads how the turn of an ACP agent ended: its answer, its usage, or why there is none.
import type { AgentEvent } from '../../model/agent-event.ts';
import { errorOf, usageOf } from '../../model/make-events.ts';
import type { FailureCategory } from '../../model/agent-failure.ts';
import { jsonIn } from '../../model/json.ts';
import {
  countOr,
  errorEvent,
  type Fields,
  fieldsIn,
  isString,
  objectsIn,
  textOr,
} from '../cli/adapter-parts.ts';

interface TurnFacts {
  /** True if we asked it to end. */
  readonly isLeaving: boolean;
  /** The last piece of its text. */
  readonly said: string;
  /** The last call that we refused, in a few words, or null. */
  readonly refused?: string | null;
  /** The pattern of the program’s own error, as in `Remarks`. */
  readonly ownError?: RegExp | undefined;
}

/**
 * Makes the events for the result of `session/prompt`. A turn that we cancelled needs no end. Some
 * programs report an error as the text of an answer, and then report no usage.
 */
export function turnEvents(
  result: Fields,
  { isLeaving, said, refused = null, ownError }: TurnFacts,
): readonly AgentEvent[] {
  const usage = usageEvents(result);
  if (isLeaving) return usage;
  const isError = usage.length === 0 && ownError?.test(said) === true;
  if (isError) return [...usage, saidError(said)];
  const reason = textOr(result['stopReason'], '');
  return [
    ...usage,
    reason === 'cancelled' && refused !== null ? brokenOffEvent(refused) : endOf(reason),
  ];
}

/** Ends a turn that its program cancelled because it has no other way to refuse a call. */
function brokenOffEvent(call: string): AgentEvent {
  const text = `it ended its turn when this was refused: ${call}`;
  return errorOf('permission-refused', text);
}

function saidError(text: string): AgentEvent {
  const [, status] = /\(HTTP ([45]\d\d)\)/.exec(text) ?? [];
  return errorEvent(text, status === undefined ? null : Number(status));
}

function endOf(reason: string): AgentEvent {
  if (reason === 'end_turn') return { type: 'completed', summary: null };
  const [category, text] = badEnds.get(reason) ?? [
    'unknown',
    `its turn ended for an unknown reason: "${reason}"`,
  ];
  return errorOf(category, text);
}

const badEnds = new Map<string, readonly [FailureCategory, string]>([
  ['max_tokens', ['answer-cut', 'its answer reached the output limit of its model']],
  ['max_turn_requests', ['timed-out', 'it used up its turns before it had an answer']],
  ['refusal', ['refused', 'its model declined to answer']],
  ['cancelled', ['unknown', 'it stopped its turn without being asked to']],
]);

/** Reads the usage from the result or, for one program, from its remarks about the quota. */
function usageEvents({ usage, _meta }: Fields): readonly AgentEvent[] {
  const told = fieldsIn(usage);
  const quota = fieldsIn(fieldsIn(fieldsIn(_meta)['quota'])['token_count']);
  const [asked, given] = [told['inputTokens'] ?? quota['input_tokens'], told['outputTokens']];
  const input = countOr(asked, 0);
  const output = countOr(given ?? quota['output_tokens'], 0);
  if (input + output === 0) return [];
  const cached = countOr(told['cachedReadTokens'], 0);
  const kept = cached + countOr(told['cachedWriteTokens'], 0);
  const thoughts = countOr(told['thoughtTokens'], 0);
  // Some count cached or reasoning tokens separately, which only their total shows.
  const apart = countOr(told['totalTokens'], 0) - input - output;
  const tokens = {
    input: input + (apart >= kept ? kept : 0),
    output: output + (apart >= kept + thoughts ? thoughts : 0),
    cached,
  };
  return [usageOf(tokens, null)];
}

/** The JSON-RPC code for a missing login in ACP. */
const loginNeeded = -32_000;

/**
 * Makes the event for a request of ours that the program refused. Some programs give the HTTP status as the code, and
 * the cause in the data. `logins` are the ways to log in that the program named at the start.
 */
export function refusalEvent(method: string, error: Fields, logins: unknown): AgentEvent {
  const { code, message, data } = error;
  const text = textOr(message, '');
  const cause = textOr(isString(data) ? data : fieldsIn(data)['details'], '');
  const whole = text.includes(cause) ? text : `${text}: ${cause}`;
  const said = whole.trim() || `it refused "${method}" with code ${JSON.stringify(code ?? 0)}`;
  if (method === 'session/load' || method === 'session/resume') {
    return errorOf('session-lost', said);
  }
  const words = textOr(fieldsIn(fieldsIn(jsonIn(said))['error'])['message'], said);
  if (code === loginNeeded) return errorEvent(words + loginsText(logins), 401);
  const status = countOr(code, 0);
  return errorEvent(words, status >= 400 && status < 600 ? status : null);
}

function loginsText(logins: unknown): string {
  const ways = objectsIn(logins).flatMap(({ name, description }) => {
    const [told, more] = [textOr(name, ''), textOr(description, '')];
    return told === '' ? [] : more === '' ? told : `${told} (${more})`;
  });
  return ways.length === 0 ? '' : `; it offers these logins: ${ways.join(', ')}`;
}
