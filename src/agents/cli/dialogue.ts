// Defines what is said to a program in one run, and how its lines are read.
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';

/** The talk with a program in one run. Pure, so that the record of a killed run can be read again. */
export interface Dialogue {
  /** Written first. */
  readonly opening: string;
  /** True for a program that is talked to: its stdin stays open until `isOver`. */
  readonly isTalk: boolean;
  /** Reads one line of stdout, without its line end. */
  hear(line: string): Heard;
  /** Asks it to end its turn, where the run is cancelled. */
  readonly farewell?: () => string;
  /** The request of ours that it has not answered; null where it owes nothing. */
  readonly owed?: () => string | null;
  /** Facts for the receipt of what could not be done as it was asked for. */
  readonly notes?: () => readonly string[];
}

export interface Heard {
  readonly events: readonly AgentEvent[];
  /** Written to its stdin; empty for nothing. */
  readonly reply: string;
  /** True when it has said its last word. */
  readonly isOver: boolean;
  /** True where its program must be ended at once, for it may be doing what it may not. */
  readonly mustEnd?: boolean;
}

/** One input, and lines that need no reply. */
export function plainDialogue(adapter: AgentAdapter, request: AgentRequest): Dialogue {
  const named = commandNames();
  return {
    opening: adapter.input?.(request) ?? request.prompt,
    isTalk: false,
    hear: (line) => ({ events: [adapter.read(line)].flat().map(named), reply: '', isOver: false }),
  };
}

/** Gives a command that has ended the words that only its call had. */
function commandNames(): (event: AgentEvent) => AgentEvent {
  const calls = new Map<string, string>();
  return (event) => {
    if (event.kind === 'tool-call') calls.set(event.id ?? '', event.detail);
    if (event.kind !== 'command' || event.command !== '') return event;
    return { ...event, command: calls.get(event.id ?? '') ?? '' };
  };
}
