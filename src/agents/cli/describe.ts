// Describes a CLI to the commands about agents, and finds flags that its help does not know.
import {
  type Isolation,
  type Permission,
  type ToolKind,
  permissions,
  toolsOf,
} from '../permission.ts';
import { confinementNote } from '../process/confinement.ts';
import {
  type CliSetup,
  isolateRequest,
  isolationNotes,
  programPath,
  userSide,
  variablesOf,
} from './cli-setup.ts';
import { matches } from '../process/environment.ts';
import type { AgentRequest } from '../agent.ts';
import { askProgram } from './cli-readiness.ts';

/** The facts of an agent with a model besides its traits, its readiness and its login. */
export interface AgentProgram {
  /** The address of its API; null for a program. */
  readonly address: string | null;
  readonly login: string;
  /** The ways to give it a key, one sentence each; empty if it has its own login. */
  readonly keyWays: readonly string[];
  /** The versions that it was measured with, e.g. `2.1.x`. */
  readonly tested: string | null;
  readonly readOnlyBy: string | null;
  readonly isolations: readonly Isolation[];
  /** The isolation that is used; null if none is known. */
  readonly isolation: Isolation | null;
  readonly isolationNotes: readonly string[];
  /** The key, plan or credit that pays for its calls; null if neither variables nor files tell. */
  paidBy(): string | null;
  /** See `AgentAdapter.tellsPlan`. */
  readonly tellsPlan: boolean;
  /** See `AgentAdapter.warnings`. */
  readonly warnings: readonly string[];
  /** See `AgentAdapter.explained`. */
  readonly explained: readonly string[];
  /** The changes that the user’s settings make to each call. */
  readonly changes: {
    readonly args: readonly string[] | undefined;
    readonly isolation: Isolation | undefined;
  };
  /** Its calls in a project for each permission, and the limits that they do not enforce. */
  callsIn(root: string): readonly DescribedCall[];
  /** See `unknownFlags` of the probe. */
  unknownFlags(signal: AbortSignal): Promise<readonly string[]>;
  /** See `offeredModels` of the probe. */
  offeredModels(signal: AbortSignal): Promise<readonly string[] | null>;
}

interface DescribedCall {
  readonly permission: Permission;
  readonly tools: readonly ToolKind[];
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the files that it receives for a run. */
  readonly files: readonly string[];
  readonly isolation: Isolation | null;
  readonly not_enforced: readonly string[];
}

export function describeProgram(setup: CliSetup): AgentProgram {
  const { adapter, settings } = setup;
  const { login, tested = null, readOnlyBy = null, isolations = [] } = adapter;
  const { args, isolation } = settings;
  return {
    address: null,
    login,
    keyWays: [],
    tested,
    readOnlyBy,
    isolations,
    isolation: isolation ?? isolations[0] ?? null,
    isolationNotes: isolationNotes(setup),
    paidBy: () => payerOf(setup),
    tellsPlan: adapter.tellsPlan === true,
    warnings: adapter.warnings ?? [],
    explained: [
      ...(adapter.explained ?? []),
      ...(adapter.isUntried === true ? [confinementNote] : []),
    ],
    changes: { args, isolation },
    callsIn: (root: string) => permissions.map((permission) => callOf(setup, root, permission)),
    unknownFlags: (signal: AbortSignal) => unknownFlags(setup, signal),
    offeredModels: (signal: AbortSignal) => offeredModels(setup, signal),
  };
}

function payerOf(setup: CliSetup): string | null {
  const { adapter, settings, environment } = setup;
  const all = { ...environment, ...settings.env };
  const passed = [...variablesOf(setup, null), ...Object.keys(settings.env ?? {})];
  const key = Object.keys(all).find(
    (name) => name.endsWith('API_KEY') && all[name] !== '' && matches(name, passed),
  );
  if (key !== undefined) return `the key in ${key}`;
  const isStored = adapter.loginState?.(userSide(setup)).state === 'stored';
  return isStored ? 'the plan or the credit of its stored login' : null;
}

function callOf(setup: CliSetup, root: string, permission: Permission): DescribedCall {
  const { adapter } = setup;
  const hidden = [`${root}/.workflow`];
  const request = isolateRequest({ ...plainRequest(root), permission, hidden }, setup);
  return {
    permission,
    tools: [...toolsOf(request)],
    argv: adapter.argv(request),
    variables: adapter.env(request),
    files: Object.keys(adapter.files?.(request, userSide(setup)) ?? {}),
    isolation: request.isolation ?? null,
    not_enforced: adapter.unenforced?.(request) ?? [],
  };
}

/**
 * The flags of a read-only run that the help of the installed version does not list. Empty if it lists
 * none of them or there is no help, since that proves nothing.
 */
export async function unknownFlags(
  setup: CliSetup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { adapter } = setup;
  const path = programPath(setup);
  const argv = adapter.helpArgv;
  if (path === null || argv === undefined) return [];
  const { lines, end } = await askProgram(setup, { path, argv, signal, totalMs: 10_000 });
  if (end.exitCode !== 0) return [];
  const listed = flagsIn([...lines, end.stderrTail].join('\n'));
  const used = [...flagsIn(adapter.argv(fullRequest).map(beforeValue).join('\n'))];
  const unknown = used.filter((flag) => !listed.has(flag));
  return unknown.length === used.length ? [] : unknown;
}

/** The models that the installed version says it offers; null if it has no such list. */
export async function offeredModels(
  setup: CliSetup,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const { catalogue } = setup.adapter;
  const path = programPath(setup);
  if (path === null || catalogue === undefined) return null;
  const { argv } = catalogue;
  const question = { path, argv, signal, totalMs: 20_000, isAtHome: true };
  const { lines } = await askProgram(setup, question);
  const names = catalogue.names(lines.join('\n'));
  return names.length === 0 ? null : names;
}

function flagsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<![\w-])--[a-z][\w-]*/gi));
}

function beforeValue(word: string): string {
  return word.split('=')[0] ?? '';
}

/** A minimal read-only request. */
export function plainRequest(cwd: string): AgentRequest {
  return {
    prompt: '',
    about: null,
    permission: 'read-only',
    role: null,
    schema: null,
    cwd,
    model: null,
    resume: null,
    extraDirs: [],
    hidden: [],
    mark: 'mark',
    rawOutput: 'events.jsonl',
    filesFolder: 'FILES',
    limits: { firstOutputMs: 0, idleMs: 0, totalMs: 0, graceMs: 0 },
  };
}

/** A request with everything that results in a flag. */
const fullRequest: AgentRequest = {
  ...plainRequest('/project'),
  role: 'role',
  schema: { type: 'object', properties: {} },
  model: 'model',
  effort: 'effort',
  extraDirs: ['/folder'],
  hidden: ['/project/hidden'],
};
