// Defines what the screens need of the machine.
import type { PlanRejection } from '../../model/decision.ts';
import type { Forecast } from '../../model/event.ts';

export interface AgentState {
  readonly name: string;
  readonly kind: 'model' | 'analyst';
  /** The way in which it is reached, e.g. `cli` or `api`. */
  readonly transport?: string;
  /** `looking` until it has been asked; `offered` of a local model that only the settings can add. */
  readonly state: 'looking' | 'ready' | 'not-installed' | 'not-logged-in' | 'disabled' | 'offered';
  readonly version: string | null;
  readonly model: string | null;
  /** Vendor of its model, if it is known. */
  readonly vendor?: string | null;
  /** Its part: asked in the first round, a backup for those who are, or not used. */
  readonly part: 'asked' | 'backup' | 'not used';
  /** Its place among those who are asked, from 0; null where it is not. */
  readonly turn: number | null;
  readonly why: string | null;
  readonly remedy: string | null;
  /** The command that logs it in; null where there is nothing to log in to. */
  readonly login: string | null;
}

export interface SavedEntry {
  readonly id: string;
  readonly task: string;
  /** In plain words, e.g. `interrupted in round 2`. */
  readonly state: string;
  /** ISO 8601, as is the next one. */
  readonly started: string;
  readonly changed: string;
  /** US dollars; 0 if no agent reported a price. */
  readonly cost: number;
  readonly hasPlan: boolean;
  /** Its plan is approved, and no result of it was applied yet. */
  readonly canExecute: boolean;
  /** A running process seems to own it. */
  readonly isOpen: boolean;
  /** The id of the session that it is a copy of; null where it is none. */
  readonly forkOf: string | null;
  /** Null unless its plan is rejected. */
  readonly rejected: PlanRejection | null;
  /** Why it cannot be read; null if it can. */
  readonly fault: string | null;
}

/** A line of a file of the project, from 1. */
export interface CodeLocation {
  readonly path: string;
  readonly line: number;
}

/** Lines of a file of the repository around a place. Line numbers count from 1. */
export interface CodeAround {
  readonly path: string;
  readonly start: number;
  readonly lines: readonly string[];
}

/** A text after the user edited it, or one sentence on why it is unchanged. */
export type EditorResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** The needs of the screens from the machine; the commands provide them. */
export interface TuiPorts {
  /** The words that start this program: commands are shown with them. */
  readonly program: string;
  /** Interrupts the running session as Ctrl-C does; it is saved. */
  interrupt(): void;
  /** Ends the run or the wait of the agent of a pane; the session continues without it. */
  skip(pane: string): void;
  /** Asks the agent of a pane again, which waited for its login. */
  askAgain(pane: string): void;
  /** Stops the program as Ctrl-Z does; returns when it continues. */
  suspend(): void;
  /** The address of a file of the project; null while it is not known where that is. */
  fileUrl(path: string): string | null;
  /** True if the settings want attention called when an answer is needed. */
  notifies(): Promise<boolean>;
  /** The usage of earlier sessions here; null where there is none. */
  forecast(): Promise<Forecast | null>;
  /** The tasks of earlier sessions here, each once, the latest first. */
  earlierTasks(): Promise<readonly string[]>;
  /** The files of the repository that git does not ignore, relative; at most 50,000. */
  files(): Promise<readonly string[]>;
  /** Shows all agents at once, as `looking`, and again whenever more is known. */
  agents(show: (standings: readonly AgentState[]) => void): Promise<void>;
  /** Lets the user log an agent in, by its own program; one sentence where it is not logged in then. */
  logIn(name: string): Promise<string | null>;
  sessions(): Promise<readonly SavedEntry[]>;
  /** Gives a sentence for each thing of it that stays. Rejects with one where it cannot be removed. */
  removeSession(id: string): Promise<readonly string[]>;
  /** The file as it was when the session started; null where there is no such text file. */
  codeAround(place: CodeLocation): Promise<CodeAround | null>;
  /** Opens the file as it is now in the user’s editor; one sentence where it cannot be opened. */
  openFile(place: CodeLocation): Promise<string | null>;
  /** Lets the user change a text in their editor. `name` ends the name of the file. */
  editText(file: { readonly name: string; readonly text: string }): Promise<EditorResult>;
}
