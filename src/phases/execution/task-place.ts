import { randomBytes } from 'node:crypto';
import type { Worktrees } from '../../git/worktrees.ts';
import type { BuildFact } from '../../model/context.ts';
import type { Tools } from '../tools.ts';
import { type CheckPlace, setUpPlace } from './checks.ts';

/** The work tree of one task, brought to where each step of it needs it. */
export interface TaskPlace {
  /** Absolute. */
  readonly path: string;
  /** Makes it clean at that commit, and set up. Throws `NotSetUp`. */
  at(commit: string): Promise<void>;
  /** What stands there as a commit on `parent`, or `parent` where nothing was changed. */
  keep(parent: string, message: string): Promise<string>;
  readonly checks: CheckPlace;
}

/** The command that prepares a work tree failed. */
export class NotSetUp extends Error {}

/** `name` is that of the work tree. */
export function taskPlace({
  name,
  tools,
  trees,
  buildFacts,
  signal,
}: {
  readonly name: string;
  readonly tools: Tools;
  readonly trees: Worktrees;
  readonly buildFacts: readonly BuildFact[];
  readonly signal: AbortSignal;
}): TaskPlace {
  const { settings, environment } = tools.execution;
  const path = trees.path(name);
  let isMade = false;
  const checks: CheckPlace = {
    cwd: path,
    buildFacts,
    mostMs: settings.checkMs,
    environment,
    mark: () => `${tools.markPrefix}${randomBytes(6).toString('hex')}`,
    signal,
  };
  return {
    path,
    checks,
    async at(commit) {
      if (isMade) {
        await trees.clean(name, commit);
        return;
      }
      await trees.make(name, [commit]);
      const why = await setUpPlace(settings.setup, checks);
      if (why !== null) throw new NotSetUp(why);
      isMade = true;
    },
    keep: async (parent, message) =>
      (await trees.commit(name, { parents: [parent], message })) ?? parent,
  };
}
