// Brings a work tree to where each step of a task needs it, and commits what was done there.
import type { Workspace } from '../../agents/workspace.ts';
import type { SubmodulePatch, SubmoduleStates } from '../../git/worktrees.ts';
import type { Job } from './execution-team.ts';
import { NotSetUp, prepareAgain, prepareTree } from './prepare-tree.ts';
import type { CheckConditions } from './run-command.ts';
import { type FinishedWork, summarizeWork } from './work-question.ts';

/** The work tree of one task, or of a round of fixes. */
export interface TaskTree {
  /** Absolute. */
  readonly path: string;
  readonly checks: CheckConditions;
  /** Makes it clean at that commit, and set up. Throws `NotSetUp`. */
  moveTo(commit: string): Promise<void>;
  /** For a call that begins at `parent`, of which such a commit is kept. */
  workspace(call: WorkCommit): Workspace<FinishedWork>;
}

interface WorkCommit {
  /** Of what is kept beside the commit, relative to the session folder. */
  readonly folder: string;
  readonly parent: string;
  readonly message: string;
  /** The line of the message by which the commit of a killed call is known; null to call again. */
  readonly trailer: string | null;
  /** True for a call that puts right what was done: a set-up that fails there may be what is wrong. */
  readonly isFix: boolean;
}

/** `name` is that of the work tree. */
export function taskTree(name: string, { tools, trees, signal, ...job }: Job): TaskTree {
  const { settings, environment, confinement, secrets } = tools.execution;
  const { hidden, markPrefix } = tools;
  const path = trees.path(name);
  const buildFacts = job.package.build_facts ?? [];
  const limits = { mostMs: settings.checkMs, environment, markPrefix, signal };
  const own = { home: tools.repository.root, variables: settings.env };
  const mayRun = job.commands === 'named' ? settings.mayRun : null;
  const confine = confinement === null ? null : { confinement, top: trees.top(name), secrets };
  const begins = () => trees.touch(name);
  const { unconfined } = job;
  const checks = { ...limits, ...own, cwd: path, buildFacts, mayRun, confine, unconfined, begins };
  const { copy, link } = settings;
  const { setup } = job;
  const preparation = { trees, setup, copy, link, place: checks, shared: tools.execution.shared };
  let prepared: string | null = null;

  async function moveTo(start: string): Promise<void> {
    if (prepared === null) {
      await trees.make(name, [start]);
      prepared = await prepareTree(name, start, preparation);
    } else {
      await trees.clean(name, start);
      const before = prepared;
      // A set-up that fails may leave half of what it makes.
      prepared = '';
      prepared = await prepareAgain(before, start, preparation);
    }
    if (setup.length + copy.length + link.length > 0) trees.touch(name);
  }

  /** Gives `parent` where nothing was changed. */
  async function commit(parent: string, message: string): Promise<string> {
    return (await trees.commit(name, { parents: [parent], message })) ?? parent;
  }

  async function keep(folder: string, changes: readonly SubmodulePatch[]) {
    const kept: { path: string; patch: string }[] = [];
    for (const [at, { path: submodule, patch }] of changes.entries()) {
      const file = `${folder}/submodule-${at + 1}.patch`;
      await tools.folder.write(file, `${patch}\n`);
      kept.push({ path: submodule, patch: `${tools.folder.relative}/${file}` });
    }
    return kept;
  }

  return {
    path,
    checks,
    moveTo,
    workspace: ({ folder, parent, message, trailer, isFix }) => {
      let submodules: SubmoduleStates | null = null;
      const withSubmodules = async (work: FinishedWork) => {
        const changes = await trees.submoduleChanges(name, submodules);
        return changes.length === 0 ? work : { ...work, submodules: await keep(folder, changes) };
      };
      return {
        cwd: path,
        extraDirs: [],
        hidden,
        async prepare({ wasKilled }) {
          const tip = wasKilled && trailer !== null ? await trees.tip(name) : null;
          if (tip !== null && trailer !== null && tip.message.includes(trailer)) {
            return await withSubmodules(summarizeWork(tip.commit, ''));
          }
          try {
            await moveTo(parent);
          } catch (error) {
            if (!isFix || !(error instanceof NotSetUp)) throw error;
          }
          trees.touch(name);
          submodules = await trees.submodules(name);
          return null;
        },
        keep: async (text) =>
          await withSubmodules(summarizeWork(await commit(parent, message), text)),
        async keepLeft(text) {
          if (!(await trees.isThere(name))) return null;
          return await withSubmodules(summarizeWork(await commit(parent, message), text));
        },
      };
    },
  };
}
