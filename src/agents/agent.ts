import type { CodebaseContext } from '../model/context.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { AgentFailure } from '../model/agent-failure.ts';
import type { Isolation, ToolWishes } from './permission.ts';

/** Limits of one agent run, in ms. A limit that is not wanted is `Infinity`. */
export interface RunLimits {
  /** From start to the first byte on stdout. */
  readonly firstOutputMs: number;
  /** Between two bytes of output. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Between TERM and KILL. */
  readonly graceMs: number;
}

/** What the built-in analysts work on. */
export interface AnalystInput {
  readonly session: string;
  readonly round: number;
  readonly task: string;
  readonly context: CodebaseContext;
  readonly constraints: readonly string[];
}

/** One question to one agent. Models read `prompt`; the built-in analysts read `about`. */
export interface AgentRequest extends ToolWishes {
  readonly prompt: string;
  /** Null outside of planning. */
  readonly about: AnalystInput | null;
  /** How many turns of the model it may take; null for the CLI’s own limit. */
  readonly maxTurns?: number | null;
  /** Standing instructions, e.g. the role; null where the prompt says it all. */
  readonly role: string | null;
  /** The JSON Schema of the answer, for CLIs that take one. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly cwd: string;
  readonly model: string | null;
  /** How hard the model thinks, in the words of the CLI; null for the CLI’s own. */
  readonly effort?: string | null;
  /**
   * The agent’s own session to go on with, and the folder it was made in: a CLI is started there,
   * since some find a session only from its folder.
   */
  readonly resume: {
    readonly agentSession: string;
    readonly cwd: string;
    /** What its earlier runs used, added up, for CLIs that count over the whole session. */
    readonly spent?: Tokens;
  } | null;
  readonly extraDirs: readonly string[];
  /** Folders, absolute, that its tools are denied as far as it can be told: others’ answers are there. */
  readonly hidden: readonly string[];
  /** Unique for this attempt; found in the environment of every descendant. */
  readonly mark: string;
  /** Absolute path of the file that takes the raw output. */
  readonly rawOutput: string;
  /** Absolute path of the folder with the adapter’s `files`; not there where it asked for none. */
  readonly filesFolder?: string;
  readonly limits: RunLimits;
  /** One of the adapter’s; its first where nothing is said. Never `none` for who may only read. */
  readonly isolation?: Isolation | undefined;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** What is known about a run when it has ended. Sizes in bytes, times in ms. */
export interface RunFacts {
  readonly agentSession: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outputBytes: number;
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
  readonly unknownEvents: number;
  /** Files the agent said it changed: a proof against it while planning. */
  readonly filesChanged: readonly string[];
  /** What was degraded, e.g. "a line of 3 MB was cut". */
  readonly notes: readonly string[];
}

/** An agent run ends in an answer (its final text) or a failure. */
export type AgentEnd =
  | { readonly ok: true; readonly text: string; readonly facts: RunFacts }
  | { readonly ok: false; readonly failure: AgentFailure; readonly facts: RunFacts };

export type Readiness =
  | {
      readonly state: 'ready';
      readonly path: string | null;
      readonly version: string | null;
      /** What a person should know all the same. */
      readonly note?: string;
    }
  | { readonly state: 'not-installed'; readonly why: string; readonly remedy: string }
  | { readonly state: 'not-logged-in'; readonly why: string; readonly remedy: string }
  | { readonly state: 'disabled'; readonly why: string; readonly remedy: string };

/** Takes part in a session: a CLI under the process runner, an API model, a built-in analyst. */
export interface Agent {
  readonly name: string;
  /** A `model` counts for convergence by its vendor; an `analyst` reads only the repository. */
  readonly kind: 'model' | 'analyst';
  ready(signal: AbortSignal): Promise<Readiness>;
  /** The provider of the model that answered, or null if unknown. */
  vendorOf(model: string | null): string | null;
  run(request: AgentRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentEnd, undefined>;
}

/** A file for one run: its content, or a link to what is the user’s own and stays. */
export type RunFile = string | RunLink;
export interface RunLink {
  /** Absolute; need not be there yet. */
  readonly linkTo: string;
  /** A missing folder is made; where that is refused, there will be no link. */
  readonly kind: 'file' | 'folder';
}

/** What an adapter may know of the user’s own use of its CLI. */
export interface UserSide {
  /** Absolute. */
  readonly home: string;
  /** The variables that the CLI gets from the user. */
  readonly environment: Readonly<Record<string, string>>;
  /** The model that is to be asked, or that our settings name; null where nobody chose one. */
  readonly model: string | null;
  readonly isolation?: Isolation | undefined;
  /** The text of a file of the user, by absolute path; null if there is none to be read. */
  read(path: string): string | null;
  /** The names in a folder of the user, by absolute path; none where there is none. */
  list(path: string): readonly string[];
  /** Whether there is such a file or folder, by absolute path. */
  has(path: string): boolean;
  /** The time, in ms since 1970. */
  readonly now: number;
}

/** Whether a CLI is logged in, as far as that can be told without asking a model. */
export type LoginState =
  /** A login or a key is there; only a run shows whether it is accepted. */
  | { readonly state: 'stored' }
  /** `remedy` where it is not to log in. */
  | { readonly state: 'logged-out'; readonly why: string; readonly remedy?: string }
  | { readonly state: 'unknown' };

export interface OwnChoice {
  readonly model: string | null;
  readonly effort: string | null;
}

/** How a CLI itself is asked whether it is logged in. */
export interface LoginQuestion {
  readonly argv: readonly string[];
  /** What keeps it from writing and from the network; `folder` is empty, and the one it runs in. */
  env(folder: string): Readonly<Record<string, string>>;
  read(reply: LoginReply): LoginState;
}

/** What it answered. */
export interface LoginReply {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to call one CLI and read its lines. Pure: it starts nothing and reads no file itself. */
export interface AgentAdapter {
  readonly name: string;
  readonly displayName: string;
  /** The program’s name on PATH. */
  readonly command: string;
  /** What to type to install it, and to log in. */
  readonly install: string;
  readonly login: string;
  /** What a person types after its command to start it on a task; none where that is not known. */
  begin?(text: string): readonly string[];
  readonly can: {
    readonly model: boolean;
    readonly schema: boolean;
    readonly resume: boolean;
    readonly extraDirs: boolean;
  };
  /** Whether it goes on with a session that was made in another folder. */
  readonly resumesAnywhere?: boolean;
  /** The project’s files with instructions that it loads by itself, as we call it; at the root. */
  readonly loads: readonly string[];
  /** What it can do of this; the first is the default, and keeps the login. None where nothing is known. */
  readonly isolations?: readonly Isolation[];
  /** The largest prompt the CLI takes whole, in bytes. */
  readonly maxPromptBytes: number;
  /** Names of its own and its vendor’s variables; a trailing `*` stands for any rest. */
  readonly variables: readonly string[];
  /** Names of further ones, by the model that is asked and the user’s own settings of the CLI. */
  variablesOf?(user: UserSide): readonly string[];
  readonly versionArgv: readonly string[];
  /** The versions it was measured with, e.g. `2.1.x`. */
  readonly tested?: string;
  /** What keeps it read-only, in a few words. */
  readonly readOnlyBy?: string;
  /** The question for its help, where that lists every flag that a read-only run is given. */
  readonly helpArgv?: readonly string[];
  /** Variables for the questions for its version and its help, where they may write only to this empty folder. */
  versionEnv?(folder: string): Readonly<Record<string, string>>;
  /**
   * Whether the user is logged in: known by what is there, or a question to the CLI. Only what is
   * certain may be told as logged out. Where an adapter does not say, it is unknown.
   */
  askLogin?(user: UserSide): LoginState | LoginQuestion;
  /** What the user chose in settings that the CLI is not given, or would choose otherwise. */
  ownChoice?(user: UserSide): OwnChoice;
  /** Which model answered in an agent session, where no event tells. */
  modelIn?(agentSession: string, user: UserSide): string | null;
  /**
   * Files that the CLI has to be given for this run, by path. They are put into a private folder,
   * `filesFolder` of the request that `argv`, `env` and `input` get, and removed after the run.
   */
  files?(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>>;
  argv(request: AgentRequest): readonly string[];
  /** Why it may not be started there: what it would load that cannot be kept from it; else null. */
  refusal?(request: AgentRequest, user: UserSide): string | null;
  /** What is written to stdin; the prompt alone where an adapter does not say. */
  input?(request: AgentRequest): string;
  /**
   * True where the CLI, with an open stdin, waits for more after its answer. It is held open then
   * until the end of the answer has been read: some lose what nobody read before they exited.
   */
  readonly waitsForInput?: boolean;
  /**
   * What of the permission the CLI cannot be held to, as sentences for people; whether files were
   * changed is seen all the same, by the work tree.
   */
  unenforced?(wishes: ToolWishes & Pick<AgentRequest, 'maxTurns' | 'isolation'>): readonly string[];
  /** Variables that we set for it. */
  env(request: AgentRequest): Readonly<Record<string, string>>;
  /** One line of stdout, without its line end. An unreadable line is an `unknown` event. */
  read(line: string): AgentEvent | readonly AgentEvent[];
  /** The `usage` event, where a file that the run has left is all that tells it. */
  usageIn?(request: AgentRequest, user: UserSide): readonly AgentEvent[];
  /** True where its `usage` events count from the begin of the agent session, not of the run. */
  readonly usageOfSession?: boolean;
  vendorOf(model: string | null): string | null;
}
