// Keeps the work tree as a commit before a turn that may write, and brings it back.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { eachLimited } from '../store/each-limited.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { stampOf } from './disk.ts';
import { git, type GitTarget } from './git.ts';
import { commitInFiles, gitFolders, type GitFolders } from './git-folders.ts';
import { copyIndex } from './index-links.ts';
import { entriesOf } from './tree-entries.ts';
import { gitLists, gitSays, prepareWriting } from './writing-git.ts';

/** The work tree around a turn, as commits or trees. */
interface KeptTrees {
  readonly before: string;
  readonly after: string;
}

/** The outcome of an undo: `files` were restored; `left`, in words for people, was not. */
export interface Restored {
  readonly files: readonly string[];
  readonly left: readonly string[];
}

/** The work tree at a moment: what a tree holds, and the state of all else. */
interface SeenTree {
  readonly tree: string;
  readonly head: string | null;
  readonly beside: Beside;
}

/** The work tree of a repository, kept below `refs/conclave/undo/`. */
export interface UndoTrees {
  /** Everything that git does not ignore, including untracked files, as a git tree. */
  tree(): Promise<string>;
  /** The same, with what no tree holds. */
  see(): Promise<SeenTree>;
  /** Keeps what was seen as a commit under a name. */
  keep(seen: SeenTree, as: { readonly name: string; readonly message: string }): Promise<string>;
  /** The files that differ between two trees, with the lines `git diff --stat` prints. */
  compare(trees: KeptTrees): Promise<{ readonly files: readonly string[]; readonly stat: string }>;
  find(name: string): Promise<string | null>;
  /** Restores the files that differ. Throws `usage` if one of them has changed since. */
  restore(trees: KeptTrees): Promise<Restored>;
  remove(name: string): Promise<void>;
  /** Removes everything below a folder of names. */
  removeAll(folder: string): Promise<void>;
}

/**
 * Opens the trees; null if the folder is in no repository, or git is missing. `folder` takes a
 * temporary index.
 */
export async function openUndoTrees({
  root,
  folder,
  signal,
}: {
  readonly root: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}): Promise<UndoTrees | null> {
  const top = await git({ root, signal }, ['rev-parse', '--show-toplevel']);
  const folders = top.ok ? await gitFolders({ root, signal }) : null;
  if (!top.ok || folders === null) return null;
  const place = top.stdout.toString().replace(/\n$/, '');
  const target = await prepareWriting({ root: place, signal });
  return undoTrees({ target, folders, index: join(folder, 'undo.index') });
}

function undoTrees({
  target,
  folders,
  index,
}: {
  readonly target: GitTarget;
  readonly folders: GitFolders;
  /** The temporary index. */
  readonly index: string;
}): UndoTrees {
  const apart = { ...target, variables: { ...target.variables, GIT_INDEX_FILE: index } };
  const ownIndex = join(folders.own, 'index');
  /** Puts the work tree into a temporary index, so that the user’s stays unchanged. */
  const withTree = async <T>(use: (tree: string) => Promise<T>): Promise<T> => {
    try {
      // A copy of the user’s index spares git from reading every file again.
      if ((await nullIfAbsent(copyIndex(ownIndex, index))) === null) {
        await gitSays(apart, ['read-tree', (await headOf(target)) ?? '--empty']);
      }
      await gitSays(apart, ['add', '--all', '--', ':/']);
      return await use(await gitSays(apart, ['write-tree']));
    } finally {
      await rm(index, { force: true });
    }
  };
  const changesOf = ({ before, after }: KeptTrees) =>
    gitLists(target, ['diff', '--name-only', '--no-renames', '-z', before, after]);
  const tree = () => withTree(async (found) => found);
  return {
    tree,
    async see() {
      const head = (await commitInFiles(folders)) ?? (await headOf(target));
      const [found, beside] = await Promise.all([tree(), lookBeside(target, head)]);
      return { tree: found, head, beside };
    },
    keep: async ({ tree: kept, head, beside }, { name, message }) => {
      const parents = head === null ? [] : ['-p', head];
      const text = `${message}\n\n${JSON.stringify(beside)}\n`;
      const commit = await gitSays(target, ['commit-tree', kept, ...parents], text);
      await gitSays(target, ['update-ref', refOf(name), commit]);
      return commit;
    },
    compare: async (trees) => ({
      files: await changesOf(trees),
      stat: await gitSays(target, [
        'diff',
        '--no-color',
        '--stat=100',
        '--no-renames',
        trees.before,
        trees.after,
      ]),
    }),
    find: async (name) => {
      const found = await git(target, ['rev-parse', '--verify', '--quiet', refOf(name)]);
      return found.ok ? found.stdout.toString().trim() : null;
    },
    restore: async (trees) => {
      const files = await withTree(async (now) => {
        const changed = await changesOf(trees);
        const since = new Set(await changesOf({ before: trees.after, after: now }));
        const touched = changed.filter((path) => since.has(path));
        if (touched.length > 0) {
          throw wrongUsage(
            `Nothing was brought back: ${listed(touched)} changed since that turn. Compare with: git diff ${trees.after.slice(0, 12)}, and take single files with: git restore --source=${trees.before.slice(0, 12)} -- FILE`,
          );
        }
        const held = await entriesOf(target, trees.before);
        // Paths that did not exist go first: git cannot restore a file whose folder one of them takes.
        for (const isHeld of [false, true]) {
          const some = changed.filter((path) => held.has(path) === isHeld);
          const names = some.map((path) => `${path}\0`).join('');
          if (names !== '') await gitSays(apart, [...restoring, `--source=${trees.before}`], names);
        }
        return changed;
      });
      // Git does not restore the content of a submodule that is on another commit.
      const still = new Set(await withTree((after) => changesOf({ before: trees.before, after })));
      const submodules = files.filter((path) => still.has(path));
      return {
        files: files.filter((path) => !still.has(path)),
        left: [
          ...submodules.map((path) => `${path} (a submodule)`),
          ...(await leftBeside(target, trees.before)),
        ],
      };
    },
    remove: async (name) => {
      await gitSays(target, ['update-ref', '-d', refOf(name)]);
    },
    removeAll: async (folder) => {
      const below = ['for-each-ref', '--format=delete %(refname)', `${refOf(folder)}/`];
      const commands = await gitSays(target, below);
      if (commands !== '') await gitSays(target, ['update-ref', '--stdin'], `${commands}\n`);
    },
  };
}

/** The state of everything that no tree holds, by its name for people. */
const Beside = z.record(z.string(), z.string());
type Beside = z.infer<typeof Beside>;

/** The most ignored paths that are looked at one by one. */
const mostIgnored = 1_000;

/** Looks at what no tree holds: HEAD, the index, and what git ignores, where a folder counts as one. */
async function lookBeside(target: GitTarget, head: string | null): Promise<Beside> {
  const [branch, all, staged] = await Promise.all([
    git(target, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    gitLists(target, listIgnored),
    gitSays(target, ['ls-files', '--stage', '-z']),
  ]);
  const ignored = all.filter((path) => !path.startsWith('.workflow/')).slice(0, mostIgnored);
  const stamps = await eachLimited(ignored, async (path): Promise<[string, string]> => [
    `${path} (git ignores it)`,
    await stampOf(join(target.root, path)),
  ]);
  return {
    HEAD: `at ${head?.slice(0, 12) ?? 'no commit'}`,
    'the branch': branch.ok ? branch.stdout.toString().trim() : 'none',
    'the index': sha256Of(staged),
    ...Object.fromEntries(stamps),
  };
}

const listIgnored = 'ls-files --others --ignored --exclude-standard --directory -z'.split(' ');

/** Names what has changed since the commit was kept, out of HEAD, branch, index and the files that git ignores. */
async function leftBeside(target: GitTarget, commit: string): Promise<readonly string[]> {
  const body = await gitSays(target, ['show', '--no-patch', '--format=%b', commit]);
  const before = Beside.parse(JSON.parse(body));
  const now = await lookBeside(target, await headOf(target));
  return Object.keys({ ...before, ...now })
    .filter((name) => before[name] !== now[name])
    .map((name) =>
      ['HEAD', 'the branch'].includes(name) ? `${name} (it was ${before[name]})` : name,
    );
}

const restoring =
  'restore --worktree --no-overlay --pathspec-from-file=- --pathspec-file-nul'.split(' ');

function refOf(name: string): string {
  return `refs/conclave/undo/${name}`;
}

async function headOf(target: GitTarget): Promise<string | null> {
  const head = await git(target, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return head.ok ? head.stdout.toString().trim() : null;
}
