// Describes a CLI to the commands about agents: how it is called, what confines it, what it lacks.
import {
  type Isolation,
  type Permission,
  permissions,
  type ToolKind,
  toolsOf,
} from '../permission.ts';
import { confinementNote } from '../process/confine-run.ts';
import { type CliSetup, isolateRequest, isolationNotes, userSide } from './cli-setup.ts';
import { offeredModels, plainRequest, unknownFlags } from './probe.ts';

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
