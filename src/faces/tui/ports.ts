/** An agent as the start screen shows it. */
export interface AgentStanding {
  readonly name: string;
  readonly kind: 'model' | 'analyst';
  readonly state: string;
  readonly version: string | null;
  readonly model: string | null;
  /** Whether it has a seat, stands in, or takes part only when named. */
  readonly part: string;
  readonly why: string | null;
  readonly remedy: string | null;
  readonly login: string | null;
}

/** A saved session as the picker shows it. */
export interface SavedEntry {
  readonly id: string;
  readonly task: string;
  readonly status: string;
  readonly phase: string;
  /** ISO 8601. */
  readonly changed: string;
  readonly score: number | null;
  /** Why it cannot be read; null if it can. */
  readonly fault: string | null;
}

/** Lines of a file of the repository around a place. Line numbers count from 1. */
export interface CodeAround {
  readonly path: string;
  readonly start: number;
  readonly lines: readonly string[];
}

/** What the screens need of the machine; the commands hand it in. */
export interface TuiPorts {
  /** Interrupts the running session as Ctrl-C does; it is saved. */
  interrupt(): void;
  /** Tasks of earlier sessions, the latest first. */
  earlierTasks(): Promise<readonly string[]>;
  /** All files of the repository, relative. */
  files(): Promise<readonly string[]>;
  agents(): Promise<readonly AgentStanding[]>;
  sessions(): Promise<readonly SavedEntry[]>;
  /** Rejects with a sentence for people where it cannot be removed. */
  removeSession(id: string): Promise<void>;
  /** Null where there is no such text file. */
  codeAround(place: { readonly path: string; readonly line: number }): Promise<CodeAround | null>;
  /**
   * Lets the user change a text in their editor, which gets the terminal meanwhile; null where
   * it ended with an error or no editor is set up. `name` ends the name of the file.
   */
  editText(file: { readonly name: string; readonly text: string }): Promise<string | null>;
}
