// Brings a work tree to the state that each step of a task needs, and commits the changes made there.
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Workspace } from '../../agents/agent.ts';
import type { SubmoduleStates } from '../../git/worktrees.ts';
import { machineForCall } from '../../model/phase-choice.ts';
import { GitRefused } from '../../git/writing-git.ts';
import { absentCodes, hasCode } from '../../store/system-error.ts';
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

/** The result of a call that may change files: a commit and the agent’s words. */
export const FinishedWork = z.object({
  commit: z.string().nullable().describe('Null where what it did cannot be used.'),
  summary: z.string(),
  submodules: z
    .array(z.object({ path: z.string(), patch: z.string() }))
    .optional()
    .describe('Submodules that it changed, each with the file that keeps the changes.'),
});
export type FinishedWork = z.infer<typeof FinishedWork>;

/** Combines a commit with the start of the agent’s final text, as far as it is kept. */
export function summarizeWork<Commit extends string | null>(commit: Commit, text: string) {
  return { commit, summary: text.slice(0, 4_000) };
}

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
  /** The start of the names of the folders for its files; what is kept besides the commit is put beside them. */
  readonly folder: string;
  readonly parent: string;
  /** The message of the commit; the end of it identifies that of a killed call. */
  readonly message: string;
  /** True for a call that fixes earlier work: a set-up that fails there may be the thing to fix. */
  readonly isFix: boolean;
}

/** Opens the work tree of this name for a task. */
export function taskTree(name: string, { tools, trees, signal, ...job }: Job): TaskTree {
  const { settings, environment, confinement, secrets: hiddenPlaces } = tools.execution;
  const { hidden, markPrefix } = tools;
  const path = trees.path(name);
  const buildFacts = job.package.build_facts ?? [];
  const limits = { mostMs: settings.checkMs, environment, markPrefix, signal };
  // For ports and databases: the number of its task, or 0 where none other is at work.
  const slot = String(Number(/\d+/.exec(name)?.[0] ?? 0));
  const variables = { [slotVariable]: slot, ...settings.env };
  const own = { home: tools.repository.root, variables };
  const mayRun = job.commands === 'named' ? settings.mayRun : null;
  const confine =
    confinement === null ? null : { confinement, top: trees.top(name), secrets: hiddenPlaces };
  const begins = () => trees.touch(name);
  const { unconfined } = job;
  const worker = job.checksWith === undefined ? undefined : tools.agents.get(job.checksWith);
  const elsewhere = worker?.elsewhere?.(machineForCall(tools.phases, 'execute')) ?? null;
  const more = { buildFacts, mayRun, confine, unconfined, begins, elsewhere };
  const checks = { ...limits, ...own, cwd: path, ...more };
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
    workspace: ({ folder, parent, message, isFix }) => {
      let before: SubmoduleStates | null = null;
      const withSubmodules = async (work: FinishedWork): Promise<FinishedWork> => {
        const submodules: { path: string; patch: string }[] = [];
        for (const { path: changed, patch } of await trees.submoduleChanges(name, before)) {
          const file = `${dirname(folder)}/submodule-${submodules.length + 1}.patch`;
          await tools.folder.write(file, `${patch}\n`);
          submodules.push({ path: changed, patch: `${tools.folder.relative}/${file}` });
        }
        return submodules.length === 0 ? work : { ...work, submodules };
      };
      const keep = async (text: string) => {
        const commit = await trees.commit(name, { parents: [parent], message });
        return await withSubmodules(summarizeWork(commit ?? parent, text));
      };
      return {
        cwd: path,
        extraDirs: [],
        hidden,
        async prepare({ wasKilled }) {
          const tip = wasKilled ? await trees.tip(name) : null;
          const sign = message.split('\n\n').at(-1) ?? message;
          if (tip !== null && tip.commit !== parent && tip.message.endsWith(sign)) {
            return await withSubmodules(summarizeWork(tip.commit, ''));
          }
          try {
            await moveTo(parent);
          } catch (error) {
            if (!isFix || !(error instanceof NotSetUp)) throw error;
          }
          if (isSetUp) secrets = await takeSecrets(name, { trees });
          trees.touch(name);
          before = await trees.submodules(name);
          return null;
        },
        keep,
        keepLeft: async (text) => ((await trees.isThere(name)) ? await keep(text) : null),
      };
    },
  };
}

/** The description of an error in a single work tree; null for an error that concerns all tasks. */
export function faultOfTree(error: unknown): string | null {
  if (error instanceof NotSetUp) return error.message;
  if (error instanceof GitRefused)
    return `git cannot read its work tree as the agent left it: ${error.message}`;
  if (!hasCode(error, absentCodes)) return null;
  const { message } = Object(error);
  return `its work tree was left damaged: ${String(message)}`;
}
