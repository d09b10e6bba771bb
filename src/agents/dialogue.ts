// Defines the dialogue with a program in one run: what is said to it, and what its lines mean.
import type { AgentEvent } from '../model/agent-event.ts';
import type { AgentAdapter, AgentRequest } from './agent.ts';

/** The dialogue with a program in one run. Pure, so that the record of a killed run can be read again. */
export interface Dialogue {
  /** The text that is written first. */
  readonly opening: string;
  /** True for a program with a dialogue: its stdin stays open until `isOver`. */
  readonly isTalk: boolean;
  /** Reads one line of stdout, without its line end. */
  hear(line: string): Heard;
  /** The text that asks it to end its turn when the run is cancelled. */
  readonly farewell?: () => string;
  /** Our request that it has not answered yet, or null. */
  readonly owed?: () => string | null;
  /** Facts for the receipt about what could not be done as requested. */
  readonly notes?: () => readonly string[];
}

export interface Heard {
  readonly events: readonly AgentEvent[];
  /** The text for its stdin; may be empty. */
  readonly reply: string;
  /** True if it has said its last word. */
  readonly isOver: boolean;
}

/** A dialogue of one input, and of lines that need no reply. */
export async function plainDialogue(
  adapter: AgentAdapter,
  request: AgentRequest,
): Promise<Dialogue> {
  const read = (await adapter.reader?.()) ?? ((line: string) => adapter.read(line));
  return {
    opening: adapter.input?.(request) ?? request.prompt,
    isTalk: false,
    hear: (line) => ({ events: [read(line)].flat(), reply: '', isOver: false }),
  };
}
