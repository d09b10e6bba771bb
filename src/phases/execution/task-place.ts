import type { Tools } from '../tools.ts';
import { type CheckPlace, setUpPlace } from './checks.ts';
import type { Job } from './execution.ts';

/** The work tree of one task, brought to where each step of it needs it. */
export interface TaskPlace {
  /** Absolute. */
  readonly path: string;
  /** Makes it clean at that commit, and set up. Throws `NotSetUp`. */
  at(commit: string): Promise<void>;
  /** What the work tree holds as a commit on `parent`, or `parent` where nothing was changed. */
  keep(parent: string, message: string): Promise<string>;
  readonly checks: CheckPlace;
}

/** The command that prepares a work tree failed. */
export class NotSetUp extends Error {}

/** `name` is that of the work tree. */
export function taskPlace(name: string, { tools, trees, signal, ...job }: Job): TaskPlace {
  const { setup } = tools.execution.settings;
  const path = trees.path(name);
  const buildFacts = job.package.build_facts ?? [];
  const checks = { ...checkLimits(tools), cwd: path, buildFacts, signal };
  let isMade = false;
  return {
    path,
    checks,
    async at(commit) {
      if (isMade) {
        await trees.clean(name, commit);
        return;
      }
      await trees.make(name, [commit]);
      const why = await setUpPlace(setup, checks);
      if (why !== null) throw new NotSetUp(why);
      isMade = true;
    },
    keep: async (parent, message) =>
      (await trees.commit(name, { parents: [parent], message })) ?? parent,
  };
}

function checkLimits({ execution: { settings, environment }, markPrefix }: Tools) {
  return { mostMs: settings.checkMs, environment, markPrefix };
}
