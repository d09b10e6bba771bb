// Talks with an ACP agent through one turn: handshake, session, mode, prompt, and how the turn ended.
import type { AgentEvent, FailureCategory } from '../../model/agent-event.ts';
import { errorOf, usageOf } from '../../model/make-events.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import type { AgentRequest } from '../agent.ts';
import type { Dialogue, Heard } from '../dialogue.ts';
import {
  type Fields,
  fieldsIn,
  objectsIn,
  isString,
  textOr,
  textOf,
  textOrNull,
  countOf,
  startEvent,
  promptWithRole,
  denialEvent,
  errorEvent,
} from '../cli/adapter-parts.ts';
import { answerPermission } from './policy.ts';
import { type Remarks, updateReader } from './updates.ts';

/** The modes of a run. */
export interface AcpModes {
  /** The mode to set before the prompt; null to keep the program’s first one. */
  readonly wanted: string | null;
  /** True if the run must not continue without it. */
  readonly isNeeded: boolean;
}

/** A request of ours. */
interface Asked {
  readonly method: string;
  readonly params: Fields;
}

/** The version of the protocol that we speak. */
const protocolVersion = 1;

const hello: Asked = {
  method: 'initialize',
  params: {
    protocolVersion,
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      // Their own notices are then kept out of the answer.
      session: { notices: {} },
    },
    clientInfo: { name: 'conclave', version: '1' },
  },
};

/** Makes the talk of one turn with an ACP agent. */
export function acpDialogue(
  request: AgentRequest,
  modes: AcpModes,
  remarks: Remarks = {},
): Dialogue {
  const updates = updateReader(remarks);
  const notes: string[] = [];
  /** The events since the last line. */
  const told: AgentEvent[] = [];
  let count = 0;
  let owed: string | null = null;
  let session: string | null = null;
  let logins: unknown = null;
  let isPrompted = false;
  let isLeaving = false;
  let refused: string | null = null;

  /** The whole turn: it yields each of our requests, continues with its result, and returns the end. */
  function* takeTurn(): Generator<Asked, readonly AgentEvent[], Fields> {
    const greeting = yield hello;
    const { protocolVersion: spoken = null, agentInfo } = greeting;
    if (spoken !== protocolVersion) {
      const what = `it speaks version ${JSON.stringify(spoken)} of the Agent Client Protocol`;
      return [refusal(`${what}, and only ${protocolVersion} is known here`)];
    }
    logins = greeting['authMethods'];
    const found = yield sessionFor(request, greeting);
    session = request.resume?.agentSession ?? textOrNull(found['sessionId']);
    if (session === null) return [refusal('it began a session without an id')];
    const sessionId = session;
    const started = startEvent(session, currentModel(found), fieldsIn(agentInfo)['version']);
    told.push(started);
    const mode = choiceOf(found, 'mode', modes.wanted);
    if (mode.offers !== undefined && modes.isNeeded) {
      const text = `it has no mode "${modes.wanted}"${mode.offers}`;
      return [errorOf('permission-refused', text)];
    }
    const own = choiceOf(found, 'model', request.model);
    if (own.asks !== undefined) told.push({ ...started, model: request.model });
    if (own.offers !== undefined) {
      const text = `it cannot be told the model ${request.model}, and answers with its own${own.offers}`;
      told.push({ type: 'warning', message: text });
      notes.push(text);
    }
    for (const { asks } of [mode, own]) {
      if (asks !== undefined) yield { ...asks, params: { sessionId, ...asks.params } };
    }
    isPrompted = true;
    const prompt = [{ type: 'text', text: promptWithRole(request) }];
    const end = yield { method: 'session/prompt', params: { sessionId, prompt } };
    return turnEvents(end, { isLeaving, said: updates.said(), refused, ownError: remarks.error });
  }

  const turn = takeTurn();

  function goOn(result: Fields): Heard {
    const next = turn.next(result);
    const events = told.splice(0);
    if (next.done === true) {
      owed = null;
      return over([...events, ...next.value]);
    }
    owed = next.value.method;
    count += 1;
    return { events, ...say({ id: count, ...next.value }) };
  }

  function hear(line: string): Heard {
    const message = jsonIn(line);
    const { id, method, params, error, result } = isObject(message) ? message : {};
    if (isString(method)) {
      if (!isString(id) && typeof id !== 'number')
        return hearNotice(line, method, fieldsIn(params));
      if (method === 'session/request_permission') return permit(id, fieldsIn(params));
      const fault = { code: -32_601, message: `"${method}" is not offered` };
      return { events: [], ...say({ id, error: fault }) };
    }
    if (owed === null || id !== count) return unknown(line);
    if (error === undefined) return goOn(fieldsIn(result));
    const refusedOurs = refusalEvent(owed, fieldsIn(error), logins);
    owed = null;
    return over(isLeaving ? [] : [refusedOurs]);
  }

  function permit(id: number | string, params: Fields): Heard {
    const cancelled = { outcome: 'cancelled' };
    if (isLeaving) return { events: [], ...say({ id, result: { outcome: cancelled } }) };
    const asked = fieldsIn(params['toolCall']);
    // A request of another session gets none of its options, because nothing is known of that session.
    const isOurs = params['sessionId'] === session;
    const call = isOurs ? updates.whole(asked) : asked;
    const answer = answerPermission(request, call, isOurs ? params['options'] : []);
    const { outcome, isAllowed, tool, what, call: callId } = answer;
    const reply = say({ id, result: { outcome } });
    if (isAllowed) return { events: [], ...reply };
    refused = what || tool;
    return { events: [denialEvent(what, { id: callId, tool })], ...reply };
  }

  // Handles a notice. Before the prompt, a session that is being loaded repeats what was said in it
  // earlier.
  function hearNotice(line: string, method: string, params: Fields): Heard {
    if (method !== 'session/update') return nothing;
    if (session !== null && params['sessionId'] !== session) return unknown(line);
    if (!isPrompted) return nothing;
    const events = updates.read(fieldsIn(params['update']));
    return events === null ? unknown(line) : { ...nothing, events };
  }

  return {
    opening: goOn({}).reply,
    isTalk: true,
    hear,
    farewell() {
      isLeaving = true;
      const leave = { method: 'session/cancel', params: { sessionId: session } };
      return session === null ? '' : say(leave).reply;
    },
    notes: () => notes,
    owed: () => owed,
  };
}

const nothing: Heard = { events: [], reply: '', isOver: false };

function unknown(line: string): Heard {
  return { ...nothing, events: [{ type: 'unknown', line }] };
}

function say(message: Fields) {
  return { reply: `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, isOver: false };
}

function over(events: readonly AgentEvent[]): Heard {
  return { events, reply: '', isOver: true };
}

function refusal(text: string) {
  return errorOf('request-refused', text);
}

/** Asks for a new session, or to continue one in the way that the program supports. */
function sessionFor({ cwd, resume }: AgentRequest, greeting: Fields): Asked {
  const folder = { cwd, mcpServers: [] };
  if (resume === null) return { method: 'session/new', params: folder };
  const known = fieldsIn(fieldsIn(greeting['agentCapabilities'])['sessionCapabilities']);
  const method = known['resume'] === undefined ? 'session/load' : 'session/resume';
  return { method, params: { sessionId: resume.agentSession, ...folder } };
}

/**
 * A choice in a session: the request that makes it, if one is needed, or what is available instead,
 * in words.
 */
interface Choice {
  readonly asks?: Asked;
  readonly offers?: string;
}

/** The fields with the list of a session's modes or models, with the current one, and with their ids. */
const listForms = {
  mode: ['availableModes', 'currentModeId', 'id', 'modeId'],
  model: ['availableModels', 'currentModelId', 'modelId', 'modelId'],
} as const;

/** Reads the result of `session/new` in its two forms: separate lists, or options. */
function choiceOf(session: Fields, what: 'mode' | 'model', wanted: string | null): Choice {
  const [list, current, id, param] = listForms[what];
  const own = fieldsIn(session[`${what}s`]);
  const option = optionOf(session, what);
  const offers = [
    ...objectsIn(own[list]).map((one) => ({
      name: textOf(one[id]),
      isSet: one[id] === own[current],
      method: `session/set_${what}`,
      params: { [param]: one[id] },
    })),
    ...valuesIn(option['options']).map((value) => ({
      name: value,
      isSet: value === option['currentValue'],
      method: 'session/set_config_option',
      params: { configId: option['id'], value },
    })),
  ].filter(({ name }) => name !== '');
  // Some programs identify their modes by addresses: `https://…/session-modes#plan`.
  const found = offers.find(({ name }) => name === wanted || name.endsWith(`#${wanted}`));
  if (wanted === null || found?.isSet === true) return {};
  if (found !== undefined) return { asks: { method: found.method, params: found.params } };
  const names = [...new Set(offers.map(({ name }) => name))].slice(0, 12);
  return { offers: names.length === 0 ? '' : `; it offers ${names.join(', ')}` };
}

/** The model of a session that has just begun; null if it does not say. */
function currentModel(session: Fields): unknown {
  const model = fieldsIn(session['models'])['currentModelId'];
  return model ?? optionOf(session, 'model')['currentValue'];
}

function optionOf(session: Fields, what: 'mode' | 'model'): Fields {
  const options = objectsIn(session['configOptions']);
  return options.find((one) => one['category'] === what || one['id'] === what) ?? {};
}

/** Lists the values of an option, which may be in groups. */
function valuesIn(options: unknown): readonly string[] {
  return objectsIn(options).flatMap((one) =>
    'options' in one ? valuesIn(one['options']) : textOf(one['value']),
  );
}

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
  const reason = textOf(result['stopReason']);
  if (reason === 'cancelled' && refused !== null) return [...usage, brokenOffEvent(refused)];
  return [...usage, ...endOf(reason)];
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

/** Ends the turn: what came counts unless the program says that it broke off. */
function endOf(reason: string): readonly AgentEvent[] {
  const bad = badEnds.get(reason);
  if (bad !== undefined) return [errorOf(...bad)];
  const end: AgentEvent = { type: 'completed', summary: null };
  const message = `its turn ended for a reason that is not known here: "${reason}"`;
  return reason === 'end_turn' ? [end] : [{ type: 'warning', message }, end];
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
  const input = countOf(asked);
  const output = countOf(given ?? quota['output_tokens']);
  if (input + output === 0) return [];
  const cached = countOf(told['cachedReadTokens']);
  const kept = cached + countOf(told['cachedWriteTokens']);
  const thoughts = countOf(told['thoughtTokens']);
  // Some count cached or reasoning tokens separately, which only their total shows.
  const apart = countOf(told['totalTokens']) - input - output;
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
function refusalEvent(method: string, error: Fields, logins: unknown): AgentEvent {
  const { code, message, data } = error;
  const text = textOf(message);
  const cause = textOf(isString(data) ? data : fieldsIn(data)['details']);
  const whole = text.includes(cause) ? text : `${text}: ${cause}`;
  const said = whole.trim() || `it refused "${method}" with code ${JSON.stringify(code ?? 0)}`;
  if (method === 'session/load' || method === 'session/resume') {
    return errorOf('session-lost', said);
  }
  const words = textOr(fieldsIn(fieldsIn(jsonIn(said))['error'])['message'], said);
  // Some programs use it for any refusal of their server, as servers use 403.
  if (code === loginNeeded) return errorEvent(words + loginsText(logins), 403);
  const status = countOf(code);
  return errorEvent(words, status >= 400 && status < 600 ? status : null);
}

function loginsText(logins: unknown): string {
  const ways = objectsIn(logins).flatMap(({ name, description }) => {
    const [told, more] = [textOf(name), textOf(description)];
    return told === '' ? [] : more === '' ? told : `${told} (${more})`;
  });
  return ways.length === 0 ? '' : `; it offers these logins: ${ways.join(', ')}`;
}
