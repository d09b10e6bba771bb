// Describes a CLI to the commands about agents: how it is called, what holds it, what it lacks.
import { type Permission, permissions, toolsOf } from '../permission.ts';
import { type CliSetup, isolateRequest, isolationNotes, userSide } from './cli-setup.ts';
import { plainRequest, unknownFlags } from './probe.ts';

/** The facts of a CLI beside its traits, its readiness and its login. */
export type AgentProgram = ReturnType<typeof describeProgram>;

export function describeProgram(setup: CliSetup) {
  const { adapter, settings } = setup;
  const { login, tested = null, readOnlyBy = null, isolations = [] } = adapter;
  const { args, isolation } = settings;
  return {
    login,
    /** The versions that it was measured with, e.g. `2.1.x`. */
    tested,
    readOnlyBy,
    isolations,
    /** The one that is used; null where none is known. */
    isolation: isolation ?? isolations[0] ?? null,
    isolationNotes: isolationNotes(setup),
    /** See `AgentAdapter.explained`. */
    explained: adapter.explained ?? [],
    /** The changes that the user’s settings make to each call. */
    changes: { args, isolation },
    /** Its calls in a project with each permission, and the limits that they do not enforce. */
    callsIn: (root: string) => permissions.map((permission) => callOf(setup, root, permission)),
    /** See `unknownFlags` of the probe. */
    unknownFlags: (signal: AbortSignal) => unknownFlags(setup, signal),
  };
}

function callOf(setup: CliSetup, root: string, permission: Permission) {
  const { adapter } = setup;
  const hidden = [`${root}/.workflow`];
  const request = isolateRequest({ ...plainRequest(root), permission, hidden }, setup);
  return {
    permission,
    tools: [...toolsOf(request)],
    argv: adapter.argv(request),
    variables: adapter.env(request),
    /** The names of the files that it is given for a run. */
    files: Object.keys(adapter.files?.(request, userSide(setup)) ?? {}),
    isolation: request.isolation ?? null,
    not_enforced: adapter.unenforced?.(request) ?? [],
  };
}
