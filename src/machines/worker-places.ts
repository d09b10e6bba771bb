// Keeps what a worker needs on its machine: repositories, work trees, answers that nobody has fetched yet.
import { existsSync } from 'node:fs';
import { appendFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addingAll } from '../git/linked-tree.ts';
import type { GitTarget } from '../git/git.ts';
import { inTurn } from '../git/session-git.ts';
import { nobody } from '../git/without-carried.ts';
import { gitLists, gitSays, prepareWriting } from '../git/writing-git.ts';
import { sha256Of } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { removeFolder } from '../store/remove-folder.ts';
import { readUserJson, writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { TravellingEnd } from './protocol.ts';
import { z } from 'zod';

/** A work tree for the runs in one folder of an owner. */
export interface WorkerTree {
  /** Its absolute path. */
  readonly path: string;
  /** The paths that differ from its commit. */
  changes(): Promise<readonly string[]>;
  /** Brings it back to its commit. */
  reset(): Promise<void>;
  /** Commits what differs on top of its commit and bundles that; the commit, or null if nothing differs. */
  bundle(attempt: string): Promise<string | null>;
  /** Ends its use by a run. */
  leave(): void;
}

const KeptAnswer = z.object({ end: TravellingEnd, commit: z.string().nullable() });
type KeptAnswer = z.infer<typeof KeptAnswer>;

export interface WorkerPlaces {
  repositories(): Promise<number>;
  /** The commits of a repository that are here. */
  tips(repository: string): Promise<readonly string[]>;
  /** Takes a piece of a bundle, and with the last one what it brings. Throws where it brings something else. */
  take(piece: {
    /** Tells the bundle from others that are on their way. */
    readonly id: string;
    readonly repository: string;
    readonly data: Buffer;
    readonly whole: { readonly commit: string; readonly sha256: string } | null;
  }): Promise<void>;
  /** A work tree at a commit. Runs at once in the same folder and at the same commit share it. */
  tree(of: { repository: string; folder: string; commit: string }): Promise<WorkerTree>;
  kept(attempt: string): Promise<KeptAnswer | null>;
  keep(attempt: string, answer: KeptAnswer): Promise<void>;
  forget(attempt: string): Promise<void>;
  /** The absolute path of the bundle with the work of an attempt. */
  bundle(attempt: string): string;
  /** The absolute path for the raw output of a run. */
  raw(attempt: string): string;
  /** Removes the work trees, but no repository and no answer. */
  close(): Promise<void>;
}

/** The time for which an answer is kept that nobody fetches, in ms. */
const keptMs = 24 * 3_600_000;

/** Opens the places below an absolute folder. What dead workers and old answers left there is removed. */
export async function openPlaces(folder: string, signal: AbortSignal): Promise<WorkerPlaces> {
  const [answers, trees] = [join(folder, 'answers'), join(folder, 'trees')];
  const repositories = join(folder, 'repositories');
  for (const path of [answers, trees, repositories]) await makeFolder(path);
  await sweep(answers);
  await sweepTrees(trees);
  await sweepIncoming(repositories);
  const used = new Map<string, { commit: string; users: number }>();
  const mine = new Set<string>();
  const cacheOf = (repository: string) => join(repositories, `${repository}.git`);
  const incoming = (id: string) => join(repositories, `${sha256Of(id)}.${process.pid}.bundle`);
  const bundleFile = (attempt: string) => join(answers, `${attempt}.bundle`);

  async function cache(repository: string): Promise<GitTarget> {
    const root = cacheOf(repository);
    if (!existsSync(join(root, 'HEAD'))) {
      await makeFolder(root);
      await gitSays({ root, signal }, ['init', '--quiet', '--bare', '--template=', root]);
    }
    return await prepareWriting({ root, signal, variables: { GIT_DIR: root } });
  }

  /** The folder of a tree that no other worker holds, and no run at another commit. */
  async function claim(base: string, commit: string): Promise<string> {
    for (let at = 1; ; at += 1) {
      const name = at === 1 ? base : `${base}-${at}`;
      const use = used.get(name);
      if (use !== undefined && use.commit !== commit) continue;
      if (mine.has(name)) return name;
      const lock = await open(join(trees, `${name}.lock`), 'wx').catch(() => null);
      if (lock === null) continue;
      await lock.writeFile(String(process.pid));
      await lock.close();
      mine.add(name);
      return name;
    }
  }

  return {
    repositories: async () =>
      (await readdir(repositories)).filter((name) => name.endsWith('.git')).length,
    async tips(repository) {
      if (!existsSync(cacheOf(repository))) return [];
      const target = await cache(repository);
      const found = await gitSays(target, ['for-each-ref', '--format=%(objectname)', 'refs/sent']);
      return found.split('\n').filter(Boolean);
    },
    async take({ id, repository, data, whole }) {
      const file = incoming(id);
      await appendFile(file, data, { mode: 0o600 });
      if (whole === null) return;
      try {
        const { commit, sha256 } = whole;
        if (sha256Of(await readFile(file)) !== sha256) throw new Error('its bundle was damaged');
        await inTurn(cacheOf(repository), async () => {
          const target = await cache(repository);
          const ref = `refs/sent/${commit}`;
          const heads = await gitSays(target, ['bundle', 'list-heads', file]);
          if (heads.trim() !== `${commit} ${ref}`) throw new Error('its bundle has other refs');
          const variables = { ...target.variables, GIT_ALLOW_PROTOCOL: 'file' };
          const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', file];
          const settings = ['-c', 'fetch.fsckObjects=true'];
          await gitSays({ ...target, variables }, [...settings, ...words, `+${ref}:${ref}`]);
        });
      } finally {
        await rm(file, { force: true });
      }
    },
    async tree({ repository, folder: of, commit }) {
      const base = sha256Of(`${repository}\0${of}`).slice(0, 24);
      const name = await inTurn(trees, async () => {
        const claimed = await claim(base, commit);
        const users = (used.get(claimed)?.users ?? 0) + 1;
        used.set(claimed, { commit, users });
        return claimed;
      });
      const path = join(trees, name);
      const target = await inTurn(cacheOf(repository), async () => {
        const store = await cache(repository);
        const own = join(cacheOf(repository), 'worktrees', name);
        if (!existsSync(own) || !existsSync(path)) {
          await removeFolder(path);
          await gitSays(store, ['worktree', 'prune']);
          await gitSays(store, ['worktree', 'add', '--quiet', '--force', '--detach', path, commit]);
        }
        // An agent can write the `.git` of its tree, so git is told its folder.
        const variables = { ...store.variables, GIT_DIR: own, GIT_WORK_TREE: path };
        const tree = { root: path, signal, variables };
        if (used.get(name)?.users === 1) await bringTo(tree, commit);
        return tree;
      });
      return {
        path,
        changes: async () => {
          const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
          return (await gitLists(target, status)).map((line) => line.slice(3));
        },
        reset: () => bringTo(target, commit),
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
          if (use === undefined) return;
          if (use.users > 1) used.set(name, { ...use, users: use.users - 1 });
          else used.delete(name);
        },
      };
    },
    kept: (attempt) => readUserJson(join(answers, `${attempt}.json`), KeptAnswer),
    keep: (attempt, answer) => writeUserJson(join(answers, `${attempt}.json`), answer),
    async forget(attempt) {
      await rm(join(answers, `${attempt}.json`), { force: true });
      await rm(bundleFile(attempt), { force: true });
    },
    bundle: bundleFile,
    raw: (attempt) => join(folder, 'raw', attempt, 'events.jsonl'),
    async close() {
      for (const name of mine) await rm(join(trees, `${name}.lock`), { force: true });
      await sweepTrees(trees);
      await sweepIncoming(repositories);
    },
  };
}

/** Removes the parts of bundles that no other living worker takes. */
async function sweepIncoming(repositories: string): Promise<void> {
  for (const name of await readdir(repositories)) {
    const pid = Number(/\.(\d+)\.bundle$/.exec(name)?.[1]);
    if (pid === process.pid || (pid > 0 && !isAlive(pid))) await rm(join(repositories, name));
  }
}

async function bringTo(tree: GitTarget, commit: string): Promise<void> {
  await gitSays(tree, ['reset', '--quiet', '--hard', commit]);
  await gitSays(tree, ['clean', '--quiet', '-ffd']);
}

async function sweep(answers: string): Promise<void> {
  for (const name of await readdir(answers)) {
    const stats = await nullIfAbsent(stat(join(answers, name)));
    if (stats !== null && Date.now() - stats.mtimeMs > keptMs) await rm(join(answers, name));
  }
}

/** Removes the trees that no living worker holds; a git whose worker was killed may have made one since. */
async function sweepTrees(trees: string): Promise<void> {
  const names = await readdir(trees);
  for (const name of new Set(names.map((one) => one.replace(/\.lock$/, '')))) {
    const lock = join(trees, `${name}.lock`);
    const pid = Number(await nullIfAbsent(readFile(lock, 'utf8')));
    if (pid > 0 && isAlive(pid)) continue;
    await removeFolder(join(trees, name));
    await rm(lock, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
