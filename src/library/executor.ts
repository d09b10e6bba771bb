// Defines the port `Executor` of the library, which carries out a request, and its events.

/** How it reaches a model: by a program, an API, an agent of the Agent Client Protocol, or its own code. */
export type ExecutorType = 'cli' | 'api' | 'acp' | 'built-in';

/** Carries out requests: an agent that Conclave knows, or one of your own. */
export interface Executor {
  /**
   * The name in settings, folders and receipts: at most 32 lower-case letters, digits, `-` and `_`,
   * starting with a letter or a digit.
   */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  readonly type: ExecutorType;
  /** The provider of its model. Only agreement between different, known providers counts. */
  readonly vendor?: string | undefined;
  /** The models that it answers for when `getForModel` is asked. */
  readonly models?: readonly string[] | undefined;
  /** True if it is installed and, as far as that shows without a call, logged in. */
  isAvailable(): Promise<boolean>;
  /**
   * Carries out a request, and then the messages that came meanwhile, each as a separate turn. A
   * turn ends with `completed`, `error` or `cancelled`. Breaking off the iteration ends what runs.
   * Throws for invalid options; a turn that fails is an event.
   */
  execute(options: ExecutorOptions): AsyncIterable<ExecutorEvent>;
  /** Queues a message for the session, as a turn after the current one. Rejects if none runs. */
  sendMessage(sessionId: string, message: string): Promise<void>;
  /** Ends the current turn and drops the queue; resolves when nothing of it is running. */
  cancel(sessionId: string): Promise<void>;
  /** Cancels and forgets the session. */
  dispose(sessionId: string): Promise<void>;
}

/** A request. Folders are absolute. */
export interface ExecutorOptions {
  /** Your own id; the same id continues the same conversation. */
  readonly sessionId: string;
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  /** The permissions; by default it may only read. */
  readonly permissions?: ToolPermissions | undefined;
  /** The most turns that its model may take; by default its own limit. */
  readonly maxTurns?: number | undefined;
  /** The time limit of each turn in the conversation, in ms; by default that of the settings. */
  readonly timeout?: number | undefined;
  /** The agent’s own session id from a `started` or `completed` event, possibly of an earlier process. */
  readonly resumeSessionId?: string | undefined;
}

/** The tools of all agents in a common vocabulary. */
export type ToolName = 'file_read' | 'file_write' | 'shell' | 'git' | 'web';

export interface ToolPermissions {
  /** Allows every tool, within the limits of `sandboxMode` if it is given, else without limits. */
  readonly allowAll?: boolean | undefined;
  /** Tools added to those of the mode. */
  readonly allowed?: readonly ToolName[] | undefined;
  /** Tools removed from those of the mode; a denial wins. */
  readonly denied?: readonly ToolName[] | undefined;
  /**
   * `read-only` reads, `full-auto` also edits and runs commands in its folders,
   * `danger-full-access` does whatever you may. The default is `read-only`.
   */
  readonly sandboxMode?: 'read-only' | 'full-auto' | 'danger-full-access' | undefined;
}

/** Something that an executor does. Events of one tool call share its `id`. */
export type ExecutorEvent =
  /** Emitted once per turn, before all events except warnings. `timestamp` is in ms since 1970. */
  | {
      readonly type: 'started';
      readonly sessionId: string;
      readonly timestamp: number;
      /** The agent’s own session, for `resumeSessionId`; null if it is not yet known. */
      readonly agentSession?: string | null | undefined;
      readonly model?: string | null | undefined;
    }
  /** A message of its model: pieces have `partial`; after them the whole message follows once. */
  | { readonly type: 'message'; readonly content: string; readonly partial?: boolean | undefined }
  | { readonly type: 'thinking'; readonly content: string }
  /** Emitted when a call begins, and again with its `output` if there is any. */
  | {
      readonly type: 'tool_call';
      readonly id?: string | null | undefined;
      readonly name: string;
      readonly input: unknown;
      readonly output?: unknown;
    }
  | { readonly type: 'file_read'; readonly path: string; readonly id?: string | null | undefined }
  /** Emitted when a file has been changed; `diff` holds the lines of a unified diff without its head. */
  | {
      readonly type: 'file_change';
      readonly path: string;
      readonly diff?: string | undefined;
      readonly id?: string | null | undefined;
    }
  /** Emitted when a shell command has ended. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly output?: string | undefined;
      readonly exitCode?: number | null | undefined;
      readonly id?: string | null | undefined;
    }
  /** The tokens and US dollars used since the last such event. */
  | {
      readonly type: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens?: number | undefined;
      readonly costUsd?: number | null | undefined;
    }
  /** It asks its model again. `delay` is in ms. */
  | {
      readonly type: 'retrying';
      readonly reason: string;
      readonly delay?: number | null | undefined;
    }
  /** A warning; the turn continues. Warnings before `started` name limits that it does not enforce. */
  | { readonly type: 'warning'; readonly message: string }
  /** A call that exceeded the permissions. These are fixed in advance, so it was denied. */
  | {
      readonly type: 'approval_needed';
      readonly id?: string | null | undefined;
      readonly tool?: string | null | undefined;
      readonly description: string;
      readonly options: readonly string[];
    }
  /** The turn failed. `recoverable` if the same request may succeed later. */
  | {
      readonly type: 'error';
      readonly message: string;
      readonly recoverable: boolean;
      /** The reason, in one of the words of `conclave schema event`, such as `rate-limited`. */
      readonly category?: string | undefined;
      /** The time to wait in ms, if it was reported. */
      readonly retryAfter?: number | null | undefined;
    }
  /** The turn was answered. */
  | {
      readonly type: 'completed';
      /** The whole answer. */
      readonly summary?: string | undefined;
      readonly agentSession?: string | null | undefined;
      readonly model?: string | null | undefined;
    }
  /** The turn was cancelled, and nothing of it is running. */
  | { readonly type: 'cancelled' };
