import type { AgentEvent } from '../../../model/event.ts';
import { activityOf } from '../../activity.ts';
import type { Pane } from './progress.ts';
import { added } from './spent.ts';
import { type PaneTail, closedTail, withPiece, withLine } from './tail.ts';

/** A pane after its agent did something. */
export function acted(pane: Pane, event: AgentEvent): Pane {
  if (event.kind === 'started') {
    return { ...pane, model: event.model ?? pane.model, version: event.version ?? pane.version };
  }
  if (event.kind === 'usage') {
    const { tokens, cost_usd: costUsd } = event;
    const share = { input: tokens.input, output: tokens.output, costUsd };
    return { ...pane, running: added(pane.running, share) };
  }
  return { ...pane, doing: activityOf(event) ?? pane.doing, tail: told(pane.tail, event) };
}

function told(tail: PaneTail, event: AgentEvent): PaneTail {
  switch (event.kind) {
    case 'message':
      return message(tail, event);
    case 'thinking':
      return withLine(tail, event.text, 'quiet');
    case 'tool-call':
      return withLine(tail, `› ${event.name} ${event.detail}`, 'accent');
    case 'file-read':
      return withLine(tail, `› read ${event.path}`, 'accent');
    case 'file-change':
      return withLine(tail, `› changed ${event.path}`, 'warn');
    case 'command':
      return command(tail, event);
    case 'retrying':
      return withLine(tail, `… retrying: ${event.reason}`, 'warn');
    case 'warning':
      return withLine(tail, `! ${event.text}`, 'warn');
    case 'error':
      return withLine(tail, `✗ ${event.category}: ${event.text}`, 'bad');
    case 'unknown':
      return withLine(tail, event.line, 'quiet');
    case 'started':
    case 'usage':
    case 'completed':
      return closedTail(tail);
  }
}

// A CLI that tells its message in pieces repeats it at the end.
function message(tail: PaneTail, event: Extract<AgentEvent, { kind: 'message' }>): PaneTail {
  if (event.partial) return withPiece(tail, event.text);
  return tail.open === '' ? withLine(tail, event.text, 'plain') : closedTail(tail);
}

// Told when it begins and again when it has ended.
function command(tail: PaneTail, event: Extract<AgentEvent, { kind: 'command' }>): PaneTail {
  const begun = `$ ${event.command}`;
  if (event.exit_code === null) return withLine(tail, begun, 'accent');
  const last = tail.lines.at(-1);
  const isTold = tail.open === '' && last?.text === begun;
  if (event.exit_code === 0) return isTold ? tail : withLine(tail, begun, 'accent');
  const failed = `ended with exit code ${event.exit_code}`;
  return withLine(isTold ? tail : withLine(tail, begun, 'accent'), failed, 'warn');
}
