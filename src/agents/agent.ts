// Defines the ports `Agent` and `AgentAdapter`: what goes in and out of a run, workspace, user.
import type { CheckRun } from '../model/check-record.ts';
import type { Check } from '../model/check.ts';
import type { BuildFact, CodebaseContext } from '../model/context.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { AgentEnd, Readiness, RunFacts, SentContent } from './agent-shapes.ts';
import type { Transport } from '../model/receipt.ts';
import type { SchemaWay } from '../prompts/request.ts';
import type { Isolation, RunWishes, ToolWishes } from './permission.ts';

export type { AgentEnd, Readiness, RunFacts } from './agent-shapes.ts';

/** Limits of one agent run, in ms; `Infinity` for no limit. */
export interface RunLimits {
  /** The time from the start to the first byte on stdout. */
  readonly firstOutputMs: number;
  /** The time between two bytes of output. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** The time between TERM and KILL. */
  readonly graceMs: number;
}

/** The input of the built-in analysts. */
export interface AnalystInput {
  readonly session: string;
  readonly round: number;
  readonly task: string;
  readonly context: CodebaseContext;
  readonly constraints: readonly string[];
}

/** The content of a request. Models read `prompt`; the built-in analysts read `about`. */
export interface RequestContent extends Readonly<SentContent> {
  /** The input for analysts; null outside of planning. */
  readonly about: AnalystInput | null;
  /** The machine of the user’s configuration on which it must run; absent or null for the usual one. */
  readonly machine?: string | null;
  /** The absolute folder of its sessions if it has a separate home; absent for the user’s home. */
  readonly ownSessions?: string;
}

/** The folders of an agent run, all absolute. */
export interface WorkFolders {
  readonly cwd: string;
  /** Further folders that its tools may reach. */
  readonly extraDirs: readonly string[];
  /** Folders that its tools must not read, because they hold the answers of other agents. */
  readonly hidden: readonly string[];
}

/** A call of one agent: what it is asked, where it works, and what its process receives. */
export interface AgentRequest extends RequestContent, WorkFolders {
  /** Unique for this attempt; every descendant has it in its environment. */
  readonly mark: string;
  /** Absolute path of the file for the raw output. */
  readonly rawOutput: string;
  /** Absolute path of the folder with the adapter’s `files`; absent if it has none. */
  readonly filesFolder?: string;
  readonly limits: RunLimits;
  /** The kind of isolation; by default the first one of the adapter. Never `none` for a read-only run. */
  readonly isolation?: Isolation | undefined;
  /** True if the CLI’s own sandbox for commands can be used on this machine. */
  readonly confined?: boolean;
}

/** The facts of a run of which nothing is known. */
export const noFacts: Omit<RunFacts, 'startedAt'> = {
  agentSession: null,
  model: null,
  version: null,
  exitCode: null,
  signal: null,
  durationMs: 0,
  outputBytes: 0,
  tokens: null,
  costUsd: null,
  unknownEvents: 0,
  filesChanged: [],
  notes: [],
};

/** The readiness of an agent that the settings switch off; `enabledBy` is the file or variable that does so. */
export function switchedOff(name: string, enabledBy = 'the settings'): Readiness {
  return {
    state: 'disabled',
    why: `it is switched off in ${enabledBy}`,
    remedy: `Set "enabled = true" under [agents.${name}] there.`,
  };
}

/** The properties of an agent that its caller needs before any call. */
export interface AgentTraits {
  /** The name for people. */
  readonly label: string;
  readonly transport: Transport;
  /** The folders from which it can continue one of its own sessions. */
  readonly resumes: 'anywhere' | 'in-its-folder' | 'never';
  /** The largest prompt that it accepts whole, in bytes. */
  readonly maxPromptBytes: number;
  /** The instruction files at the project’s root that it loads on its own. */
  readonly loads: readonly string[];
  /** Says in sentences for people which of the wishes it does not enforce. */
  unenforced(wishes: RunWishes): readonly string[];
  /** False for an agent that only reads, so that it cannot execute tasks. */
  readonly edits: boolean;
  /** Its own way to tell its model the schema of an answer; null if only the prompt can. */
  schemaWay(schema: Readonly<Record<string, unknown>>): SchemaWay | null;
  /** The command by which a person starts it with a task; null if it is unknown or the agent is missing. */
  startCommand(text: string): readonly string[] | null;
}

/** The traits of an agent that only answers questions: no session, no limit, nothing that a person starts. */
export function bareTraits(label: string): AgentTraits {
  return {
    label,
    transport: 'built-in',
    resumes: 'never',
    maxPromptBytes: Infinity,
    loads: [],
    unenforced: () => [],
    edits: false,
    schemaWay: () => null,
    startCommand: () => null,
  };
}

/** The set-up of a folder on another machine; its commands run one after the other. */
export interface SetUpFolder {
  /** The name of this set-up; a folder that was set up under another one is cleaned and set up again. */
  readonly key: string;
  readonly commands: readonly (readonly string[])[];
}

/** The folder of a check elsewhere, as an absolute path here, with what the check may do. */
export interface ElsewhereConditions {
  readonly folder: string;
  readonly buildFacts: readonly BuildFact[];
  /** The commands that the user allows besides those of the repository; null if a person allowed all. */
  readonly mayRun: readonly string[] | null;
  readonly mostMs: number;
  /** The number for its ports and databases. */
  readonly slot: string;
}

/** Sets folders up and runs checks on the machine where an agent runs. */
export interface Elsewhere {
  /**
   * Runs a check in a folder that is set up first, or has it only set up; a set-up that is given holds for whatever
   * runs there next, too. Without a run, `why` says why the set-up failed.
   */
  check(
    check: Check | null,
    conditions: ElsewhereConditions & { readonly setUp?: SetUpFolder },
    signal: AbortSignal,
  ): Promise<{ readonly run: CheckRun | null; readonly why: string | null }>;
}

/** Takes part in a session: a CLI under the process runner, an API model, a built-in analyst. */
export interface Agent {
  readonly name: string;
  readonly traits: AgentTraits;
  /** A `model` counts for convergence by its vendor; an `analyst` reads only the repository. */
  readonly kind: 'model' | 'analyst';
  ready(signal: AbortSignal): Promise<Readiness>;
  /** The provider of the model that answered; null if unknown. */
  vendorOf(model: string | null): string | null;
  run(request: AgentRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentEnd, undefined>;
  /** The answer in the raw output of this request’s run that was killed after `since`, else null. */
  recall?(request: AgentRequest, since: Date): Promise<AgentEnd | null>;
  /** Runs checks where it runs, or on the machine of this name; absent or null if that is here. */
  elsewhere?(machine: string | null): Elsewhere | null;
}

/** A file for one run: its content, or a link to the user’s own file, which stays. */
export type RunFile = string | RunLink;
export interface RunLink {
  /** An absolute path; the target need not exist. */
  readonly linkTo: string;
  /** A missing folder is created; if that fails, there is no link. */
  readonly kind: 'file' | 'folder';
}

/** Calls one CLI and reads its output. Pure: it starts nothing and reads no file itself. */
export interface AgentAdapter {
  readonly name: string;
  readonly displayName: string;
  /** Another name that people use for it, and that none of its models has. */
  readonly alsoCalled?: string;
  /** Folders that its sandbox may leave behind, empty, where it works. */
  readonly mounts?: readonly string[];
  /** The program’s name on PATH. */
  readonly command: string;
  /** The commands that a person can run. */
  readonly install: string;
  readonly login: string;
  /** The arguments after its command that start it with a task for a person, if known. */
  begin?(text: string): readonly string[];
  /** Warnings for people who use the program on its own; `doctor` shows them. */
  readonly warnings?: readonly string[];
  readonly resumes: AgentTraits['resumes'];
  /** The instruction files at the project’s root that it loads even when we call it. */
  readonly loads?: readonly string[];
  /** Its way to tell its model the schema of an answer; null for a schema that it cannot tell. */
  schemaWay?(schema: Readonly<Record<string, unknown>>): SchemaWay | null;
  /** The kinds of isolation that it supports; the first is the default, and keeps the login. */
  readonly isolations?: readonly Isolation[];
  /** True if the user’s login cannot be taken into a separate home. */
  readonly homeHidesLogin?: true;
  /** The paths in a home, relative to it, that hold its login and its sessions. */
  readonly keepsIn: readonly string[];
  /** The largest prompt that the CLI accepts whole, in bytes. */
  readonly maxPromptBytes: number;
  /** The variables that it receives: its own and its vendor’s. A trailing `*` matches any rest. */
  readonly variables: readonly string[];
  /** Further variables, which depend on the model and on the user’s own settings of the CLI. */
  variablesOf?(user: UserSide): readonly string[];
  /** Says why a program of its name and this version is not it, or too old; null if it can be used. */
  misfit?(version: string): string | null;
  /** The versions it was measured with, e.g. `2.1.x`. */
  readonly tested?: string;
  /** True if no real write was ever refused to it: then it only reads inside a confinement of ours. */
  readonly isUntried?: true;
  /** The means that keep it read-only, in a few words. */
  readonly readOnlyBy?: string;
  /** Sentences for people on what its calls keep out, and on what determines how it works. */
  readonly explained?: readonly string[];
  /** The arguments for its help, if that lists every flag of a read-only run. */
  readonly helpArgv?: readonly string[];
  /** Its own list of models: the arguments that print it, and how to read the names. */
  readonly catalogue?: {
    readonly argv: readonly string[];
    names(output: string): readonly string[];
  };
  /** Variables that make `--version` and `--help` write only to this empty folder. */
  versionEnv?(folder: string): Readonly<Record<string, string>>;
  /** A kind of login that its vendor no longer serves. */
  readonly unserved?: UnservedLogin;
  /** Judges the login by variables and files. `logged-out` only if that is certain. */
  loginState?(user: UserSide): LoginState;
  /** The user’s choice in settings of the CLI that our runs ignore. */
  ownChoice?(user: UserSide): OwnChoice;
  /** The model that answered in an agent session, if no event names it. */
  modelIn?(agentSession: string, request: AgentRequest, user: UserSide): string | null;
  /**
   * Files for this run, by relative path. They are written to a private folder, which `argv`, `env`
   * and `input` receive as `filesFolder`, and removed after the run.
   */
  files?(request: AgentRequest, user: UserSide): Readonly<Record<string, RunFile>>;
  argv(request: AgentRequest): readonly string[];
  /** Says why it must not be started there: it would load something that we cannot prevent. Else null. */
  refusal?(request: AgentRequest, user: UserSide): string | null;
  /** The text for stdin; by default the prompt. */
  input?(request: AgentRequest): string;
  /**
   * True if the CLI waits for more input after its answer. Its stdin stays open until the whole
   * answer has been read, because a CLI may lose unread output when it exits.
   */
  readonly waitsForInput?: boolean;
  /** Says which part of the permission it does not enforce; its changes are detected anyway. */
  unenforced?(
    wishes: ToolWishes & Pick<AgentRequest, 'maxTurns' | 'isolation' | 'confined'>,
  ): readonly string[];
  /** The programs with which, on Linux, its own sandbox confines its commands; on macOS it needs none. */
  readonly confinesWith?: readonly string[];
  /** Variables that we set for it. */
  env(request: AgentRequest): Readonly<Record<string, string>>;
  /** Reads one line of stdout, without its line end. An unreadable line is an `unknown` event. */
  read(line: string): AgentEvent | readonly AgentEvent[];
  /** Loads what reads its lines in place of `read`. */
  reader?(): Promise<AgentAdapter['read']>;
  /** The `usage` events that only files have which the run leaves behind. */
  usageIn?(
    request: AgentRequest,
    user: UserSide,
    agentSession?: string | null,
  ): readonly AgentEvent[];
  /** True if it tells how much of a plan is used, at least at times. */
  readonly tellsPlan?: true;
  /** True if its `usage` events count from the start of the agent session, not of the run. */
  readonly usageOfSession?: boolean;
  vendorOf(model: string | null): string | null;
  /** Short names of models that only this CLI accepts. */
  readonly aliases?: readonly string[];
  /** Beginnings of the names of its models: `gpt-`; `o#` for an o and a digit; `/` for `any/name`. */
  readonly models?: readonly string[];
}

/** The workspace of a call. `T` is what is kept of a call whose answer no schema reads. */
export interface Workspace<T> extends WorkFolders {
  /**
   * Prepares it for a call. If the previous call was killed, returns what it left, if that was
   * complete, or else null.
   */
  prepare?(call: { readonly wasKilled: boolean }): Promise<T | null>;
  /** Keeps what a call did, according to its final text. */
  keep?(text: string): Promise<T>;
  /** Keeps what a call did that had answered before the program was killed; null if it is gone. */
  keepLeft?(text: string): Promise<T | null>;
}

/** Makes the workspace of a call that is answered in words. */
export function textWorkspace(folders: Omit<WorkFolders, 'hidden'>): Workspace<string> {
  return { ...folders, hidden: [], keep: async (text) => text };
}

/** The part of the user’s own setup of its CLI that an adapter may look at. */
export interface UserSide {
  /** The absolute path of the user’s home. */
  readonly home: string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The requested model, or the one in our settings; null if nobody chose one. */
  readonly model: string | null;
  readonly isolation?: Isolation | undefined;
  /** The text of a file, by absolute path; null if it cannot be read. */
  read(path: string): string | null;
  /** The names in a folder, by absolute path; empty if it does not exist. */
  list(path: string): readonly string[];
  /** True if a file or folder exists, by absolute path. */
  has(path: string): boolean;
}

/** The login of a CLI, as far as it is known without asking a model. */
export type LoginState =
  /** There is a login or a key; only a run shows whether it is accepted. */
  | { readonly state: 'stored' }
  /** `remedy` is set if the remedy is something other than logging in. */
  | { readonly state: 'logged-out'; readonly why: string; readonly remedy?: string }
  | { readonly state: 'unknown' };

export interface OwnChoice {
  readonly model: string | null;
  readonly effort: string | null;
  readonly verbosity?: string | null;
}

/** A kind of login that a vendor refuses, with sentences for people. */
export interface UnservedLogin {
  /** Matches the vendor’s words for the refusal. */
  readonly words: RegExp;
  readonly why: string;
  readonly remedy: string;
}
