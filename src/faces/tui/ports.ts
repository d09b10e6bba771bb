// Defines what the screens need of the machine.
import type { PlanRejection } from '../../model/decision.ts';
import type { Forecast } from '../../model/event.ts';

export interface AgentState {
  readonly name: string;
  readonly kind: 'model' | 'analyst';
  /** How it is reached, e.g. `cli` or `api`. */
  readonly transport?: string;
  /** `looking` until it has been asked; `offered` for a local model that only the settings can add. */
  readonly state: 'looking' | 'ready' | 'not-installed' | 'not-logged-in' | 'disabled' | 'offered';
  readonly version: string | null;
  readonly model: string | null;
  /** The vendor of its model, if known. */
  readonly vendor?: string | null;
  /** Its part: asked in the first round, a backup for those that are, or not used. */
  readonly part: 'asked' | 'backup' | 'not used';
  /** Its position among those that are asked, from 0, or null. */
  readonly turn: number | null;
  /** True if the settings name it for the first round, and another agent sits there. */
  readonly isMissed?: boolean;
  /** True if it tells how much of a plan is used. */
  readonly tellsPlan?: boolean;
  readonly why: string | null;
  readonly remedy: string | null;
  /** The command that logs it in; null if there is nothing to log in to. */
  readonly login: string | null;
}

export interface SavedEntry {
  readonly id: string;
  readonly task: string;
  /** The state in plain words, e.g. `interrupted in round 2`. */
  readonly state: string;
  /** The start as ISO 8601, like the next field. */
  readonly started: string;
  readonly changed: string;
  /** The cost in US dollars; 0 if no agent reported a price. */
  readonly cost: number;
  readonly hasPlan: boolean;
  /** True if its plan is approved, and no result of it was applied yet. */
  readonly canExecute: boolean;
  /** True if a running process seems to own it. */
  readonly isOpen: boolean;
  /** The id of the session that it is a copy of, or null. */
  readonly forkOf: string | null;
  /** The rejection of its plan, or null. */
  readonly rejected: PlanRejection | null;
  /** Why it cannot be read; null if it can. */
  readonly fault: string | null;
}

/** A line of a project file, counted from 1. */
export interface CodeLocation {
  readonly path: string;
  readonly line: number;
}

/** Lines of a repository file around a place. Line numbers count from 1. */
export interface CodeAround {
  readonly path: string;
  readonly start: number;
  readonly lines: readonly string[];
}

/** A text after the user edited it, or one sentence on why it is unchanged. */
export type EditorResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** What the screens need of the machine; the commands provide it. */
export interface TuiPorts {
  /** The words that start this program, which displayed commands begin with. */
  readonly program: string;
  /** Makes a new link to the page of the session, if it has one. */
  newLink(): void;
  /** Interrupts the running session as Ctrl-C does; it is saved. */
  interrupt(): void;
  /** Ends the run or the wait of a pane’s agent; the session continues without it. */
  skip(pane: string): void;
  /** Asks a pane’s agent again after it waited for its login. */
  askAgain(pane: string): void;
  /** Stops the program as Ctrl-Z does; returns when it continues. */
  suspend(): void;
  /** The address of a project file; null while its location is unknown. */
  fileUrl(path: string): string | null;
  /** True if the settings want attention when an answer is needed. */
  notifies(): Promise<boolean>;
  /** The usage of earlier sessions here, or null. */
  forecast(): Promise<Forecast | null>;
  /** The tasks of earlier sessions here without duplicates, the latest first. */
  earlierTasks(): Promise<readonly string[]>;
  /** The files of the repository that git does not ignore, relative; at most 50,000. */
  files(): Promise<readonly string[]>;
  /** Shows all agents at once, as `looking`, and again whenever more is known. */
  agents(show: (standings: readonly AgentState[]) => void): Promise<void>;
  /**
   * Lets the user log an agent in with its own program; returns one sentence if it is still not
   * logged in.
   */
  logIn(name: string): Promise<string | null>;
  sessions(): Promise<readonly SavedEntry[]>;
  /** Returns a sentence for everything that remains. Rejects with one if it cannot be removed. */
  removeSession(id: string): Promise<readonly string[]>;
  /** The file as it was when the session started; null if there is no such text file. */
  codeAround(place: CodeLocation): Promise<CodeAround | null>;
  /** Opens the current file in the user’s editor; returns one sentence if it cannot be opened. */
  openFile(place: CodeLocation): Promise<string | null>;
  /** Lets the user change a text in their editor. `name` is the end of the file name. */
  editText(file: { readonly name: string; readonly text: string }): Promise<EditorResult>;
}
