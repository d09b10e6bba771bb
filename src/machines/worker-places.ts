// Keeps what a worker needs on its machine: repositories, work trees, answers that nobody has fetched yet.
import { existsSync } from 'node:fs';
import { copyFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetUpFolder } from '../agents/agent.ts';
import { addingAll } from '../git/linked-tree.ts';
import type { GitTarget } from '../git/git.ts';
import { inTurn } from '../git/session-git.ts';
import { commitIndex } from '../git/start-commit.ts';
import { gitLists, gitSays } from '../git/writing-git.ts';
import { neverAborted as signal } from '../model/signal.ts';
import { tryLock } from '../store/lock.ts';
import { makeFolder } from '../store/make-folder.ts';
import { removeFolder } from '../store/remove-folder.ts';
import { readUserJson, writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { type CommitPlace, type Work, WorkEnd } from './protocol.ts';
import { addPiece, type CommitSource, fetchRef, openBare } from './travelling-commits.ts';

/** The time for which an answer is kept that nobody fetches, in ms. */
const keptMs = 24 * 3_600_000;

const changedFiles =
  'ls-files -z --modified --others --directory --no-empty-directory --exclude-standard'.split(' ');

/** Opens the places below an absolute folder. What dead workers and old answers left there is removed. */
export async function openPlaces(folder: string) {
  const below = (name: string) => join(folder, name);
  for (const name of ['answers', 'trees', 'locks', 'repositories']) await makeFolder(below(name));
  const answerFile = (attempt: string) => below(`answers/${attempt}.json`);
  const bundleFile = (attempt: string) => below(`answers/${attempt}.bundle`);
  const cacheOf = (repository: string) => below(`repositories/${repository}.git`);
  // What was sent for an attempt that was cancelled meanwhile stays without an end.
  const sentFile = (attempt: string) => below(`trees/${mine}.${attempt}.sent`);
  /** The trees, with the folder of an owner that each stands for, and the key of its set-up. */
  const trees: { of: string; name: string; isFree: boolean; key: string | null }[] = [];
  const lock = (name: string) => tryLock(below(`locks/${name}`));

  /** Removes the trees that no living worker holds. */
  async function sweep(): Promise<void> {
    for (const entry of await readdir(below('trees'))) {
      const release = await lock(entry.replace(/\..*/, ''));
      if (release !== null) await removeFolder(below(`trees/${entry}`));
      release?.();
    }
  }

  for (const name of await readdir(below('answers'))) {
    const stats = await nullIfAbsent(stat(below(`answers/${name}`)));
    if (stats !== null && Date.now() - stats.mtimeMs > keptMs) await rm(below(`answers/${name}`));
  }
  await sweep();
  let [mine, leave] = [1, await lock('1')];
  while (leave === null) leave = await lock(`${(mine += 1)}`);

  const cache = (repository: string) => openBare(cacheOf(repository), { signal });

  return {
    repositories: async () => (await readdir(below('repositories'))).length,
    /** Lists the commits of a repository that are here. */
    async tips(repository: string): Promise<readonly string[]> {
      return (await nullIfAbsent(readdir(join(cacheOf(repository), 'refs/sent')))) ?? [];
    },
    /** Takes a piece of the bundle that brings a commit. */
    append: (attempt: string, data: string | Buffer) => addPiece(sentFile(attempt), data),
    /** Takes a commit from that bundle, or from elsewhere; nothing without either. Throws where that brings something else. */
    async take({ repository, commit, attempt }: CommitPlace, source?: CommitSource): Promise<void> {
      const into = `refs/sent/${commit}`;
      const file = sentFile(attempt);
      if (source === undefined && !existsSync(file)) return;
      const from = source ?? { from: file, ref: into };
      await inTurn(cacheOf(repository), async () =>
        fetchRef(await cache(repository), { ...from, into }),
      ).finally(() => rm(file, { force: true }));
    },
    /** Opens the bare repository with everything that is here of one. */
    cache,
    /** Opens a work tree of a folder at a commit, which no other run has meanwhile. */
    async tree({ repository, commit, folder: of }: Work) {
      const free = trees.find((tree) => tree.isFree && tree.of === of);
      const use = free ?? { of, name: `${mine}.${trees.length + 1}`, isFree: false, key: null };
      if (free === undefined) trees.push(use);
      use.isFree = false;
      const path = below(`trees/${use.name}`);
      const own = join(cacheOf(repository), 'worktrees', use.name);
      const store = await cache(repository);
      // An agent can write the `.git` and the index of its tree, so git is told others.
      const [theirs, index] = [join(own, 'index'), `${path}.index`];
      const places = { GIT_DIR: own, GIT_WORK_TREE: path, GIT_INDEX_FILE: index };
      const target: GitTarget = {
        ...store,
        root: path,
        variables: { ...store.variables, ...places },
      };
      await inTurn(cacheOf(repository), async () => {
        if (!existsSync(own) || !existsSync(path)) {
          use.key = null;
          await removeFolder(path);
          await gitSays(store, ['worktree', 'add', '--quiet', '--force', '--detach', path, commit]);
          return await copyFile(theirs, index);
        }
        await gitSays(target, ['reset', '--quiet', '--hard', commit]);
        await gitSays(target, ['clean', '--quiet', '-ffd']);
        await rm(`${theirs}.lock`, { force: true });
        await copyFile(index, theirs);
      });
      return {
        path,
        /** Sets it up, unless it is; says why that failed. */
        async prepare(
          { key, commands }: SetUpFolder,
          run: (argv: readonly string[]) => Promise<string | null>,
        ): Promise<string | null> {
          if (use.key === key) return null;
          use.key = null;
          await gitSays(target, ['clean', '--quiet', '-ffdx']);
          for (const argv of commands) {
            const why = await run(argv);
            if (why !== null) return why;
          }
          const status = 'status --porcelain -z --no-renames --untracked-files=all'.split(' ');
          const [left] = await gitLists(target, status);
          if (left !== undefined)
            return `the set-up leaves ${left.slice(3)}, which git does not ignore`;
          use.key = key;
          return null;
        },
        /** Commits what differs on top of its commit and bundles that; the commit, or null if nothing differs. */
        async bundle(attempt: string): Promise<string | null> {
          if ((await gitLists(target, changedFiles)).length === 0) return null;
          await gitSays(target, await addingAll(target));
          const work = await commitIndex(target, { parents: [commit], message: 'Work' });
          const ref = `refs/result/${attempt}`;
          await gitSays(target, ['update-ref', ref, work]);
          const file = bundleFile(attempt);
          await gitSays(target, ['bundle', 'create', '--quiet', file, ref, `^${commit}`]);
          await gitSays(target, ['update-ref', '-d', ref]);
          return work;
        },
        /** Ends its use by a run. */
        leave: () => void (use.isFree = true),
      };
    },
    /** The absolute path of a folder for the output of a run. */
    output: (attempt: string) => below(`trees/${mine}.${attempt}`),
    kept: (attempt: string) => readUserJson(answerFile(attempt), WorkEnd),
    keep: (attempt: string, answer: WorkEnd) => writeUserJson(answerFile(attempt), answer),
    async forget(attempt: string): Promise<void> {
      for (const file of [answerFile(attempt), bundleFile(attempt)])
        await rm(file, { force: true });
    },
    /** The absolute path of the bundle with the work of an attempt. */
    bundle: bundleFile,
    /** Removes the work trees, but no repository and no answer. */
    async close(): Promise<void> {
      leave?.();
      await sweep();
    },
  };
}
