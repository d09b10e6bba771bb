// Keeps what a worker needs on its machine: repositories, work trees, turns, answers that nobody has fetched yet.
import { existsSync } from 'node:fs';
import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addingAll } from '../git/linked-tree.ts';
import type { GitTarget } from '../git/git.ts';
import { inTurn } from '../git/session-git.ts';
import { nobody } from '../git/without-carried.ts';
import { gitLists, gitSays, prepareWriting } from '../git/writing-git.ts';
import { listed } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { tryLock } from '../store/lock.ts';
import { makeFolder } from '../store/make-folder.ts';
import { removeFolder } from '../store/remove-folder.ts';
import { readUserJson, writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { RunEnd, type SetUp, type WorkOrder } from './protocol.ts';
import { type CommitSource, fetchCommit } from './travelling-commits.ts';

/** A work tree for what runs in one folder of an owner. */
export interface WorkerTree {
  /** Its absolute path. */
  readonly path: string;
  /** The absolute path of a folder for the output of a run. */
  output(attempt: string): string;
  /** The paths that differ from its commit. */
  changes(): Promise<readonly string[]>;
  /** Brings it back to its commit. */
  reset(): Promise<void>;
  /** Sets it up, unless it is; says why that failed. */
  prepare(
    setUp: SetUp,
    run: (argv: readonly string[]) => Promise<string | null>,
  ): Promise<string | null>;
  /** Commits what differs on top of its commit and bundles that; the commit, or null if nothing differs. */
  bundle(attempt: string): Promise<string | null>;
  /** Ends its use by a run. */
  leave(): void;
}

/** A commit of a repository. */
type Place = Pick<WorkOrder, 'repository' | 'commit'>;

export interface WorkerPlaces {
  repositories(): Promise<number>;
  /** The commits of a repository that are here. */
  tips(repository: string): Promise<readonly string[]>;
  /** Takes a piece of the bundle that brings a commit. */
  append(piece: Place & { readonly data: Buffer }): Promise<void>;
  /** Takes a commit from that bundle, or from elsewhere. Throws where that brings something else. */
  take(of: Place & { readonly source?: CommitSource }): Promise<void>;
  /** The bare repository with everything that is here of one. */
  cache(repository: string): Promise<GitTarget>;
  /** A work tree at a commit. Runs at once in the same folder and at the same commit share it. */
  tree(of: Pick<WorkOrder, 'repository' | 'folder' | 'commit'>): Promise<WorkerTree>;
  /** Waits until an agent has fewer runs than it may, by whatever worker; returns what ends the turn. */
  turn(agent: string, most: number, signal: AbortSignal): Promise<() => void>;
  kept(attempt: string): Promise<RunEnd | null>;
  keep(attempt: string, answer: RunEnd): Promise<void>;
  forget(attempt: string): Promise<void>;
  /** The absolute path of the bundle with the work of an attempt. */
  bundle(attempt: string): string;
  /** Removes the work trees, but no repository and no answer. */
  close(): Promise<void>;
}

/** The time for which an answer is kept that nobody fetches, in ms. */
const keptMs = 24 * 3_600_000;

/** The time between two looks for a turn, in ms. */
const turnMs = 100;

/** Opens the places below an absolute folder. What dead workers and old answers left there is removed. */
export async function openPlaces(folder: string): Promise<WorkerPlaces> {
  const { signal } = new AbortController();
  const below = (name: string) => join(folder, name);
  const [answers, trees, locks] = [below('answers'), below('trees'), below('locks')];
  for (const path of [answers, trees, locks, below('repositories')]) await makeFolder(path);
  await sweep(answers);
  const cacheOf = (repository: string) => below(`repositories/${repository}.git`);
  const sentFile = ({ repository, commit }: Place) =>
    join(trees, `${mine}.${repository}-${commit}`);
  const bundleFile = (attempt: string) => join(answers, `${attempt}.bundle`);
  const held = new Map<string, () => void>();
  const used = new Map<string, { readonly of: string; readonly commit: string; users: number }>();
  /** The key of the set-up that stands in each tree. */
  const ready = new Map<string, string>();
  await sweepTrees();
  const mine = await lockNext();

  /** Removes the trees of this worker and those that no living worker holds. */
  async function sweepTrees(): Promise<void> {
    for (const entry of await readdir(trees)) {
      const [name = ''] = entry.split('.');
      const release = held.has(name) ? null : await tryLock(join(locks, name));
      if (release === null && !held.has(name)) continue;
      await removeFolder(join(trees, entry));
      release?.();
    }
  }

  /** Takes the next name below the trees that no living worker has; what stands there under it is its own. */
  async function lockNext(): Promise<string> {
    for (let at = 1; ; at += 1) {
      const name = `tree-${at}`;
      const release = held.has(name) ? null : await tryLock(join(locks, name));
      if (release === null) continue;
      held.set(name, release);
      await removeFolder(join(trees, name));
      return name;
    }
  }

  async function cache(repository: string): Promise<GitTarget> {
    const root = cacheOf(repository);
    if (!existsSync(join(root, 'HEAD'))) {
      await makeFolder(root);
      await gitSays({ root, signal }, ['init', '--quiet', '--bare', '--template=', root]);
    }
    return await prepareWriting({ root, signal, variables: { GIT_DIR: root } });
  }

  /** The name of the tree of a folder in which no run is at another commit. */
  async function claim(of: string, commit: string): Promise<string> {
    const known = [...used].find(
      ([, use]) => use.of === of && (use.users === 0 || use.commit === commit),
    );
    const [name, { users }] = known ?? [await lockNext(), { users: 0 }];
    used.set(name, { of, commit, users: users + 1 });
    return name;
  }

  /** Opens a tree at a commit, as it was left by the last run there. */
  async function openTree(repository: string, name: string, commit: string): Promise<GitTarget> {
    const [store, path] = [await cache(repository), join(trees, name)];
    const own = join(cacheOf(repository), 'worktrees', name);
    if (!existsSync(own) || !existsSync(path)) {
      ready.delete(name);
      await removeFolder(path);
      await gitSays(store, ['worktree', 'prune']);
      await gitSays(store, ['worktree', 'add', '--quiet', '--force', '--detach', path, commit]);
    }
    // An agent can write the `.git` of its tree, so git is told its folder.
    const variables = { ...store.variables, GIT_DIR: own, GIT_WORK_TREE: path };
    return { root: path, signal, variables };
  }

  return {
    repositories: async () =>
      (await readdir(below('repositories'))).filter((name) => name.endsWith('.git')).length,
    async tips(repository) {
      if (!existsSync(cacheOf(repository))) return [];
      const target = await cache(repository);
      const found = await gitSays(target, ['for-each-ref', '--format=%(objectname)', 'refs/sent']);
      return found.split('\n').filter(Boolean);
    },
    append: async ({ data, ...of }) => await appendFile(sentFile(of), data, { mode: 0o600 }),
    async take({ repository, commit, source }) {
      const ref = `refs/sent/${commit}`;
      const file = sentFile({ repository, commit });
      const fault = await inTurn(cacheOf(repository), async () =>
        fetchCommit(await cache(repository), {
          ...(source ?? { from: file, ref }),
          commit,
          into: ref,
        }),
      ).finally(() => rm(file, { force: true }));
      if (fault !== null) throw new Error(fault);
    },
    cache,
    async tree({ repository, folder: of, commit }) {
      const name = await inTurn(trees, () => claim(`${repository} ${of}`, commit));
      const path = join(trees, name);
      const target = await inTurn(cacheOf(repository), async () => {
        const tree = await openTree(repository, name, commit);
        if (used.get(name)?.users === 1) await bringTo(tree, commit);
        return tree;
      });
      const changes = async () => {
        const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
        return (await gitLists(target, status)).map((line) => line.slice(3));
      };
      return {
        path,
        output: (attempt) => `${path}.${attempt}`,
        changes,
        reset: () => bringTo(target, commit),
        prepare: ({ key, commands }, run) =>
          inTurn(path, async () => {
            if (ready.get(name) === key) return null;
            ready.delete(name);
            await gitSays(target, ['clean', '--quiet', '-ffdx']);
            for (const argv of commands) {
              const why = await run(argv);
              if (why !== null) return why;
            }
            const left = await changes();
            if (left.length > 0)
              return `the set-up leaves ${listed(left.slice(0, 5))}, which git does not ignore`;
            ready.set(name, key);
            return null;
          }),
        async bundle(attempt) {
          await gitSays(target, ['read-tree', commit]);
          await gitSays(target, await addingAll(target));
          const made = await gitSays(target, ['write-tree']);
          if (made === (await gitSays(target, ['rev-parse', `${commit}^{tree}`]))) return null;
          const variables = { ...target.variables, ...nobody };
          const words = ['commit-tree', '-p', commit, '-m', 'The work of an agent', made];
          const work = await gitSays({ ...target, variables }, words);
          const ref = `refs/result/${attempt}`;
          await gitSays(target, ['update-ref', ref, work]);
          const file = bundleFile(attempt);
          await gitSays(target, ['bundle', 'create', '--quiet', file, ref, `^${commit}`]);
          await gitSays(target, ['update-ref', '-d', ref]);
          return work;
        },
        leave() {
          const use = used.get(name);
          if (use !== undefined) use.users -= 1;
        },
      };
    },
    async turn(agent, most, stop) {
      for (;;) {
        stop.throwIfAborted();
        for (let at = 1; at <= most; at += 1) {
          const release = await tryLock(join(locks, `${sha256Of(agent).slice(0, 16)}-${at}`));
          if (release !== null) return release;
        }
        await sleep(turnMs, null, { signal: stop });
      }
    },
    kept: (attempt) => readUserJson(join(answers, `${attempt}.json`), RunEnd),
    keep: (attempt, answer) => writeUserJson(join(answers, `${attempt}.json`), answer),
    async forget(attempt) {
      await rm(join(answers, `${attempt}.json`), { force: true });
      await rm(bundleFile(attempt), { force: true });
    },
    bundle: bundleFile,
    async close() {
      await sweepTrees();
      for (const release of held.values()) release();
    },
  };
}

async function bringTo(tree: GitTarget, commit: string): Promise<void> {
  await gitSays(tree, ['reset', '--quiet', '--hard', commit]);
  await gitSays(tree, ['clean', '--quiet', '-ffd']);
}

async function sweep(answers: string): Promise<void> {
  for (const name of await readdir(answers)) {
    const stats = await nullIfAbsent(stat(join(answers, name)));
    if (stats !== null && Date.now() - stats.mtimeMs > keptMs)
      await rm(join(answers, name), { force: true });
  }
}
