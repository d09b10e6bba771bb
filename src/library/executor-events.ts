// Turns the events of our agents into those of executors, and back.
import type { AgentEvent } from '../model/agent-event.ts';
import { FailureCategory } from '../model/agent-failure.ts';
import { jsonIn } from '../model/json.ts';
import type { ExecutorEvent } from './executor.ts';

type Call = Pick<Extract<ExecutorEvent, { type: 'tool_call' }>, 'name' | 'input'>;

/** Makes a reader for the events of one turn that remembers the tool calls. Other code reports its end. */
export function executorEvents(): (event: AgentEvent) => readonly ExecutorEvent[] {
  const calls = new Map<string, Call>();
  const latest = (id: string | null | undefined): Call =>
    calls.get(id ?? '') ?? { name: 'other', input: null };
  return (event) => {
    switch (event.kind) {
      case 'message':
        return [{ type: 'message', content: event.text, partial: event.partial }];
      case 'thinking':
        return [{ type: 'thinking', content: event.text }];
      case 'tool-call': {
        const call = { name: event.name, input: inputOf(event) };
        calls.set(event.id ?? '', call);
        return [{ type: 'tool_call', id: event.id, ...call }];
      }
      case 'tool-output':
        return [{ type: 'tool_call', id: event.id, ...latest(event.id), output: event.output }];
      case 'file-read':
        return [{ type: 'file_read', id: event.id, path: event.path }];
      case 'file-change':
        return [{ type: 'file_change', id: event.id, path: event.path, diff: event.diff }];
      case 'command': {
        const { id, command, output, exit_code: exitCode } = event;
        return [{ type: 'command', id, command, output, exitCode }];
      }
      case 'usage': {
        const { input: inputTokens, output: outputTokens, cached: cachedTokens } = event.tokens;
        const costUsd = event.cost_usd;
        return [{ type: 'usage', inputTokens, outputTokens, cachedTokens, costUsd }];
      }
      case 'approval-needed': {
        const description = [event.tool, event.what].filter(Boolean).join(': ');
        return [
          { type: 'approval_needed', id: event.id ?? '', description, options: ['allow', 'deny'] },
        ];
      }
      case 'retrying':
        return [{ type: 'warning', message: `it asks its model again: ${event.reason}` }];
      case 'warning':
        return [{ type: 'warning', message: event.text }];
      case 'started':
      case 'completed':
      case 'error':
      case 'cancelled':
      case 'unknown':
        return [];
    }
  };
}

function inputOf({ input, detail }: Extract<AgentEvent, { kind: 'tool-call' }>): unknown {
  if (input === undefined) return detail;
  // A long input is cut in the middle, so that it is no longer JSON.
  return jsonIn(input) ?? input;
}

/** Converts an event of an outside executor into ours. */
export function agentEventOf(event: ExecutorEvent): AgentEvent {
  switch (event.type) {
    case 'started': {
      const { agentSession = null, model = null } = event;
      return { kind: 'started', agent_session: agentSession, model, version: null };
    }
    case 'message':
      return { kind: 'message', text: event.content, partial: event.partial ?? false };
    case 'thinking':
      return { kind: 'thinking', text: event.content };
    case 'tool_call': {
      const { id = null, name, input, output } = event;
      if (output !== undefined) return { kind: 'tool-output', id, output: textOf(output) };
      return { kind: 'tool-call', id, name, detail: '', input: textOf(input) };
    }
    case 'file_read':
      return { kind: 'file-read', id: event.id, path: event.path };
    case 'file_change':
      return { kind: 'file-change', id: event.id, path: event.path, diff: event.diff };
    case 'command': {
      const { id, command, output, exitCode = null } = event;
      return { kind: 'command', id, command, output, exit_code: exitCode };
    }
    case 'usage': {
      const { inputTokens: input, outputTokens, cachedTokens = 0, costUsd = null } = event;
      const tokens = { input, output: outputTokens, cached: cachedTokens };
      return { kind: 'usage', tokens, cost_usd: costUsd };
    }
    case 'warning':
      return { kind: 'warning', text: event.message };
    case 'approval_needed': {
      const { id, description: what } = event;
      return { kind: 'approval-needed', id, tool: null, what, answer: 'denied' };
    }
    case 'error': {
      const usual = event.recoverable ? 'crashed' : 'request-refused';
      const category = FailureCategory.safeParse(event.category).data ?? usual;
      const { message: text, retryAfter = null } = event;
      return { kind: 'error', category, text, retry_after_ms: retryAfter };
    }
    case 'completed': {
      const model = event.model ?? null;
      const text = event.summary ?? null;
      return { kind: 'completed', text, ...(model === null ? {} : { model }) };
    }
    case 'cancelled':
      return { kind: 'cancelled', what: null };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
