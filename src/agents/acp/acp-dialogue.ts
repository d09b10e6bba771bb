// Talks with an ACP agent through one turn: handshake, session, mode, prompt.
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AgentRequest } from '../agent.ts';
import { type Fields, fieldsIn, textOr } from '../cli/adapter-parts.ts';
import type { Dialogue, Heard } from '../cli/dialogue.ts';
import { choiceOf, currentModel } from './choices.ts';
import { answerPermission, isPermitted } from './policy.ts';
import {
  type Incoming,
  incomingIn,
  noticeLine,
  refusalLine,
  requestLine,
  resultLine,
} from './rpc.ts';
import { refusalEvent, turnEvents } from './turn-end.ts';
import { type Remarks, updateReader } from './updates.ts';

/** The modes of a run. */
export interface AcpModes {
  /** The mode to set before the prompt; null for the program’s first one. */
  readonly wanted: string | null;
  /** True where the run must not go on without it. */
  readonly isNeeded: boolean;
}

/** Takes the answer to a request of ours. */
type Then = (result: Fields) => Heard;

const nothing: Heard = { events: [], reply: '', isOver: false };

/** The version of the protocol that we speak. */
const protocolVersion = 1;

/** One turn with an ACP agent, as far as lines go. */
export function acpDialogue(
  request: AgentRequest,
  modes: AcpModes,
  remarks: Remarks = {},
): Dialogue {
  const updates = updateReader(remarks);
  const notes: string[] = [];
  const waiting = new Map<number | string, { readonly method: string; readonly take: Then }>();
  let requests = 0;
  let session: string | null = null;
  let version: string | null = null;
  let logins: unknown = null;
  let isPrompted = false;
  let isLeaving = false;
  let refusedCall: string | null = null;
  /** The calls that were allowed, as they were told of then. */
  const allowed = new Map<string, Fields>();

  function ask(method: string, params: Fields, take: Then): string {
    requests += 1;
    waiting.set(requests, { method, take });
    return requestLine(requests, method, params);
  }

  function greeted(result: Fields): Heard {
    if (result['protocolVersion'] !== protocolVersion) {
      const spoken = JSON.stringify(result['protocolVersion'] ?? null);
      return over(
        refused(
          `it speaks version ${spoken} of the Agent Client Protocol, and only 1 is known here`,
        ),
      );
    }
    version = textOr(fieldsIn(result['agentInfo'])['version'], null);
    logins = result['authMethods'];
    const folder = { cwd: request.cwd, mcpServers: [] };
    if (request.resume === null) return say(ask('session/new', folder, opened));
    const { agentSession: sessionId } = request.resume;
    const can = fieldsIn(result['agentCapabilities']);
    const method =
      fieldsIn(can['sessionCapabilities'])['resume'] === undefined
        ? 'session/load'
        : 'session/resume';
    return say(ask(method, { sessionId, ...folder }, (found) => opened({ ...found, sessionId })));
  }

  function opened(result: Fields): Heard {
    session = textOr(result['sessionId'], null);
    if (session === null) return over(refused('it began a session without an id'));
    const model = currentModel(result);
    const started: AgentEvent = { kind: 'started', agent_session: session, model, version };
    const events: AgentEvent[] = [started];
    const choices: { readonly method: string; readonly params: Fields }[] = [];
    if (modes.wanted !== null) {
      const choice = choiceOf(result, 'mode', modes.wanted);
      if (choice.state === 'offered') choices.push(choice);
      if (choice.state === 'unknown' && modes.isNeeded) {
        return over(
          {
            ...refused(`it has no mode "${modes.wanted}"${choice.offers}`),
            category: 'permission-refused',
          },
          events,
        );
      }
    }
    if (request.model !== null && request.model !== model) {
      const choice = choiceOf(result, 'model', request.model);
      if (choice.state === 'offered') {
        choices.push(choice);
        events.push({ ...started, model: request.model });
      }
      if (choice.state === 'unknown') {
        const text = `it cannot be told the model ${request.model}, and answers with its own${choice.offers}`;
        events.push({ kind: 'warning', text });
        notes.push(text);
      }
    }
    return { ...setUp(session, choices), events };
  }

  function setUp(
    sessionId: string,
    [next, ...others]: readonly { readonly method: string; readonly params: Fields }[],
  ): Heard {
    if (next === undefined) return prompt(sessionId);
    const params = { sessionId, ...next.params };
    return say(ask(next.method, params, () => setUp(sessionId, others)));
  }

  function prompt(sessionId: string): Heard {
    isPrompted = true;
    const { role, prompt: words } = request;
    const text = role === null ? words : `${role}\n\n${words}`;
    const params = { sessionId, prompt: [{ type: 'text', text }] };
    return say(ask('session/prompt', params, (end) => over(turnEvents(end, turnFacts()))));
  }

  function turnFacts() {
    return { isLeaving, said: updates.said(), refused: refusedCall, ownError: remarks.error };
  }

  function answer(line: string, incoming: Incoming): Heard {
    switch (incoming.kind) {
      case 'result':
      case 'refusal': {
        const asked = waiting.get(incoming.id);
        if (asked === undefined) return { ...nothing, events: [{ kind: 'unknown', line }] };
        waiting.delete(incoming.id);
        if (incoming.kind === 'result') return asked.take(incoming.result);
        return over(isLeaving ? [] : refusalEvent(asked.method, incoming, logins));
      }
      case 'request':
        return incoming.method === 'session/request_permission'
          ? permit(incoming.id, incoming.params)
          : say(refusalLine(incoming.id, incoming.method));
      case 'notice':
        return noted(line, incoming);
    }
  }

  function permit(id: number | string, params: Fields): Heard {
    if (isLeaving) return say(resultLine(id, { outcome: { outcome: 'cancelled' } }));
    const asked = fieldsIn(params['toolCall']);
    // Nothing of what another session is about is known here.
    const isOurs = params['sessionId'] === session;
    const whole = updates.whole(asked);
    const told = isOurs
      ? answerPermission(request, whole, params['options'])
      : answerPermission(request, asked, []);
    const { outcome, isAllowed, tool, what, call } = told;
    if (isAllowed) allowed.set(call ?? '', whole);
    else refusedCall = what || tool;
    const denied: AgentEvent = { kind: 'approval-needed', id: call, tool, what, answer: 'denied' };
    return { ...say(resultLine(id, { outcome })), events: isAllowed ? [] : [denied] };
  }

  // Before the prompt, a session that is loaded tells what was said in it earlier.
  function noted(line: string, { method, params }: Extract<Incoming, { kind: 'notice' }>): Heard {
    if (method !== 'session/update') return nothing;
    const isOurs = session === null || params['sessionId'] === session;
    if (isOurs && !isPrompted) return nothing;
    const update = fieldsIn(params['update']);
    const events = isOurs ? updates.read(update) : null;
    if (isOurs && isWidened(update)) return widened(update, events ?? []);
    return { ...nothing, events: events ?? [{ kind: 'unknown', line }] };
  }

  /** True where a call that was allowed is now told of as one that may not be. */
  function isWidened(update: Fields): boolean {
    const id = textOr(update['toolCallId'], '');
    const judged = allowed.get(id);
    if (judged === undefined || !textOr(update['sessionUpdate'], '').startsWith('tool_call')) {
      return false;
    }
    const { kind, rawInput } = update;
    const now = {
      ...judged,
      kind: kind ?? judged['kind'],
      rawInput: rawInput ?? judged['rawInput'],
    };
    if (JSON.stringify(now) === JSON.stringify(judged)) return false;
    allowed.set(id, now);
    return !isPermitted(request, now);
  }

  /** Ends the run at once: the program may be doing it by now. */
  function widened(update: Fields, before: readonly AgentEvent[]): Heard {
    isLeaving = true;
    const { title } = updates.whole(update);
    const text = `it changed a call after it was allowed, to one that it may not make: ${textOr(title, 'without a title')}`;
    const end = {
      kind: 'error',
      category: 'permission-refused',
      text,
      retry_after_ms: null,
    } as const;
    return { ...over(end, before), mustEnd: true };
  }

  const hello = {
    protocolVersion,
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      // Their own notices then stand in no answer.
      session: { notices: {} },
    },
    clientInfo: { name: 'conclave', version: '1' },
  };
  return {
    opening: ask('initialize', hello, greeted),
    isTalk: true,
    hear(line) {
      const incoming = incomingIn(line);
      return incoming === null
        ? { ...nothing, events: [{ kind: 'unknown', line }] }
        : answer(line, incoming);
    },
    farewell() {
      isLeaving = true;
      return session === null ? '' : noticeLine('session/cancel', { sessionId: session });
    },
    notes: () => notes,
    owed: () => [...waiting.values()].at(-1)?.method ?? null,
  };
}

function say(reply: string): Heard {
  return { ...nothing, reply };
}

function over(end: AgentEvent | readonly AgentEvent[], before: readonly AgentEvent[] = []): Heard {
  return { events: [...before, end].flat(), reply: '', isOver: true };
}

function refused(text: string) {
  return { kind: 'error', category: 'request-refused', text, retry_after_ms: null } as const;
}
