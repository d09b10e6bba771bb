// Defines the port `Executor` of the library: whoever carries out a request, and its events.

/** Its way to a model: a program, an API, an agent of the Agent Client Protocol, code of its own. */
export type ExecutorType = 'cli' | 'api' | 'acp' | 'built-in';

/** Carries out requests: an agent that Conclave knows, or one of your own. */
export interface Executor {
  /**
   * Names it in settings, folders and receipts: at most 32 lower-case letters, digits, `-` and `_`,
   * the first of them a letter or a digit.
   */
  readonly id: string;
  /** Its name for people. */
  readonly name: string;
  readonly type: ExecutorType;
  /** The provider of its model. Agreement counts between different ones, and unknown ones are none. */
  readonly vendor?: string | undefined;
  /** The models that it answers for, as `getForModel` is asked for them. */
  readonly models?: readonly string[] | undefined;
  /** True if it is installed and, as far as that shows without a call, logged in. */
  isAvailable(): Promise<boolean>;
  /**
   * Carries out a request, and then the messages that came meanwhile, each as a turn of its own. A
   * turn ends with `completed`, `error` or `cancelled`. Breaking off the iteration ends what runs.
   * Throws for options that cannot be; how a turn ends badly is an event.
   */
  execute(options: ExecutorOptions): AsyncIterable<ExecutorEvent>;
  /** Queues a message for the session, as a turn after the one that runs. Rejects if none runs. */
  sendMessage(sessionId: string, message: string): Promise<void>;
  /** Ends the turn that runs, and drops the queue; resolves when nothing of it runs any more. */
  cancel(sessionId: string): Promise<void>;
  /** Cancels and forgets the session. */
  dispose(sessionId: string): Promise<void>;
}

/** One request. Folders are absolute. */
export interface ExecutorOptions {
  /** Yours: the same id goes on with the same conversation. */
  readonly sessionId: string;
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  /** By default it may only read. */
  readonly permissions?: ToolPermissions | undefined;
  /** The most turns that its model may take; by default its own limit. */
  readonly maxTurns?: number | undefined;
  /** For each turn of the conversation, in ms; by default that of the settings. */
  readonly timeout?: number | undefined;
  /** The agent’s own session, as `started` or `completed` told it, also in an earlier process. */
  readonly resumeSessionId?: string | undefined;
}

/** The tools of all agents in one vocabulary. */
export type ToolName = 'file_read' | 'file_write' | 'shell' | 'git' | 'web';

export interface ToolPermissions {
  /** Every tool, as far as `sandboxMode` goes; without one, everywhere. */
  readonly allowAll?: boolean | undefined;
  /** Added to the tools of the mode. */
  readonly allowed?: readonly ToolName[] | undefined;
  /** Removed from them; a denial wins. */
  readonly denied?: readonly ToolName[] | undefined;
  /**
   * `read-only` reads, `full-auto` also edits and runs commands in its folders, `danger-full-access`
   * does whatever you may. By default `read-only`.
   */
  readonly sandboxMode?: 'read-only' | 'full-auto' | 'danger-full-access' | undefined;
}

/** One thing that an executor does. Events of one tool call share its `id`. */
export type ExecutorEvent =
  /** Once in a turn, before all but warnings. `timestamp` in ms since 1970. */
  | {
      readonly type: 'started';
      readonly sessionId: string;
      readonly timestamp: number;
      /** Its own session, for `resumeSessionId`; null where it is not known yet. */
      readonly agentSession?: string | null | undefined;
      readonly model?: string | null | undefined;
    }
  /** A message of its model: where it comes in pieces, each with `partial`; then the whole, once. */
  | { readonly type: 'message'; readonly content: string; readonly partial?: boolean | undefined }
  | { readonly type: 'thinking'; readonly content: string }
  /** When a call begins, and once more with its `output` where it put anything out. */
  | {
      readonly type: 'tool_call';
      readonly id?: string | null | undefined;
      readonly name: string;
      readonly input: unknown;
      readonly output?: unknown;
    }
  | { readonly type: 'file_read'; readonly path: string; readonly id?: string | null | undefined }
  /** When a file has been changed; `diff` are lines of a unified diff without its head. */
  | {
      readonly type: 'file_change';
      readonly path: string;
      readonly diff?: string | undefined;
      readonly id?: string | null | undefined;
    }
  /** When a shell command has ended. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly output?: string | undefined;
      readonly exitCode?: number | null | undefined;
      readonly id?: string | null | undefined;
    }
  /** Its use of tokens and US dollars since the last such event. */
  | {
      readonly type: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens?: number | undefined;
      readonly costUsd?: number | null | undefined;
    }
  /** It goes on; those before `started` name limits that it does not enforce. */
  | { readonly type: 'warning'; readonly message: string }
  /** A call that needed more than the permissions. These are settled before, so it was denied. */
  | {
      readonly type: 'approval_needed';
      readonly id: string;
      readonly description: string;
      readonly options: readonly string[];
    }
  /** The turn has no answer. `recoverable` if the same request may succeed later. */
  | {
      readonly type: 'error';
      readonly message: string;
      readonly recoverable: boolean;
      /** Why, in one of the words of `conclave schema event`, such as `rate-limited`. */
      readonly category?: string | undefined;
      /** In ms, where it was told. */
      readonly retryAfter?: number | null | undefined;
    }
  /** The turn is answered. */
  | {
      readonly type: 'completed';
      /** The whole answer. */
      readonly summary?: string | undefined;
      readonly agentSession?: string | null | undefined;
      readonly model?: string | null | undefined;
    }
  /** The turn was cancelled, and nothing of it runs any more. */
  | { readonly type: 'cancelled' };
