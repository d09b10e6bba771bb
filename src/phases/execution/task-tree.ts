// Brings a work tree to the state that each step of a task needs, and commits the changes made there.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '../../agents/agent.ts';
import type { SubmodulePatch, SubmoduleStates } from '../../git/worktrees.ts';
import { machineForCall } from '../../model/phase-choice.ts';
import type { Job } from './execution-team.ts';
import {
  isSetUpByCopy,
  prepareAgain,
  prepareTree,
  type SecretFile,
  takeSecrets,
} from './prepare-tree.ts';
import { type CheckConditions, NotSetUp, slotVariable } from './run-command.ts';
import type { Prepared } from './shared-set-up.ts';
import { type FinishedWork, summarizeWork } from './work-question.ts';

/** The work tree of one task, or of a round of fixes. */
export interface TaskTree {
  readonly name: string;
  /** The absolute path of the work tree. */
  readonly path: string;
  readonly checks: CheckConditions;
  /** Checks this commit out cleanly and sets the work tree up. Throws `NotSetUp`. */
  moveTo(commit: string): Promise<void>;
  /** Does the same, and removes what checks have left since the first time. */
  renew(commit: string): Promise<void>;
  /** Has the next move make it anew, without anything that was left there. */
  forget(): void;
  /** True if a further tree like it needs no run of the set-up. */
  isSetUpByCopy(commit: string): Promise<boolean>;
  /** True if the work tree holds its commit and nothing else. */
  isBare(): Promise<boolean>;
  /** True if all files of its commit are as they are there. */
  isIntact(): Promise<boolean>;
  /** The workspace for a call whose work becomes a commit on top of `parent`. */
  workspace(call: WorkCommit): Workspace<FinishedWork>;
}

interface WorkCommit {
  /** The folder for the files kept besides the commit, relative to the session folder. */
  readonly folder: string;
  readonly parent: string;
  readonly message: string;
  /** The line of the message that identifies the commit of a killed call; null to call again. */
  readonly trailer: string | null;
  /** True for a call that fixes earlier work: a set-up that fails there may be the thing to fix. */
  readonly isFix: boolean;
}

/** A number for the ports and databases of a work tree: that of its task, or 0 where none other is at work. */
function slotOf(name: string): string {
  return String(Number(/\d+/.exec(name)?.[0] ?? 0));
}

/** Opens the work tree of this name for a task. */
export function taskTree(name: string, { tools, trees, signal, ...job }: Job): TaskTree {
  const { settings, environment, confinement, secrets: hiddenPlaces } = tools.execution;
  const { hidden, markPrefix } = tools;
  const path = trees.path(name);
  const buildFacts = job.package.build_facts ?? [];
  const limits = { mostMs: settings.checkMs, environment, markPrefix, signal };
  const variables = { [slotVariable]: slotOf(name), ...settings.env };
  const own = { home: tools.repository.root, variables };
  const mayRun = job.commands === 'named' ? settings.mayRun : null;
  const confine =
    confinement === null ? null : { confinement, top: trees.top(name), secrets: hiddenPlaces };
  const begins = () => trees.touch(name);
  const { unconfined } = job;
  const worker = job.checksWith === undefined ? undefined : tools.agents.get(job.checksWith);
  const elsewhere = worker?.elsewhere?.(machineForCall(tools.phases, 'execute')) ?? null;
  const checks = {
    ...limits,
    ...own,
    cwd: path,
    buildFacts,
    mayRun,
    confine,
    unconfined,
    begins,
    elsewhere,
  };
  const { link } = settings;
  const { setup, copy } = job;
  const preparation = { trees, setup, copy, link, place: checks, shared: tools.execution.shared };
  const isSetUp = setup.length + copy.length + link.length > 0;
  let prepared: Prepared | null = null;
  let secrets: readonly SecretFile[] = [];
  /** What the set-up brought that is in no commit. */
  let brought: readonly string[] = [];

  async function moveTo(start: string): Promise<void> {
    for (const { layBack } of secrets) await layBack();
    secrets = [];
    if (prepared === null) {
      await trees.make(name, [start]);
      prepared = await prepareTree(name, start, preparation);
    } else {
      await trees.clean(name, start);
      const before = prepared;
      // A failed set-up may leave half of its files.
      prepared = [];
      prepared = await prepareAgain(name, { commit: start, before }, preparation);
    }
    if (isSetUp) trees.touch(name);
  }

  async function renew(start: string): Promise<void> {
    const isFirst = prepared === null;
    await moveTo(start);
    if ((isFirst && !isSetUp) || elsewhere !== null) return;
    const { all } = await trees.untracked(name);
    if (isFirst) brought = all;
    else
      for (const left of all.filter((one) => !brought.includes(one))) {
        await rm(join(path, left), { recursive: true, force: true });
      }
  }

  /** Commits the changes; returns `parent` if there are none. */
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
    name,
    path,
    checks,
    moveTo,
    renew,
    forget: () => void (prepared = null),
    isSetUpByCopy: (start) => isSetUpByCopy(start, preparation),
    isBare: async () => elsewhere === null && (await trees.status(name)).length === 0,
    isIntact: async () => (await trees.status(name)).every((one) => /^(?:\?\?|!!)/.test(one)),
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
          if (isSetUp) secrets = await takeSecrets(name, { trees });
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
