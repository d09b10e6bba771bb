// Takes the uncommitted files that work began with out of its commits.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { git, type GitTarget } from './git.ts';
import type { SessionGit } from './session-git.ts';
import { entriesOf, setEntries } from './tree-entries.ts';
import type { StartCommit } from './worktrees.ts';
import { gitLists, gitSays, GitRefused } from './writing-git.ts';

interface CarriedWork {
  readonly start: StartCommit;
  readonly commit: string;
}

/** The files that differ between two commits, below the top of the work tree. */
export async function filesBetween(
  session: SessionGit,
  commits: readonly [from: string, to: string],
): Promise<readonly string[]> {
  return (await changesBetween(session, commits)).files;
}

/** The changes between two commits, below the top. */
export interface Changes {
  readonly files: readonly string[];
  /** Those that the second commit holds. */
  readonly there: ReadonlySet<string>;
  /** True if one of them is a symbolic link there. */
  readonly hasLinks: boolean;
}

/** Reads the changes between two commits. */
export async function changesBetween(
  { store }: SessionGit,
  commits: readonly [from: string, to: string],
): Promise<Changes> {
  const args = 'diff-tree -r -z --raw --no-renames'.split(' ');
  const fields = await gitLists(store, [...args, ...commits]);
  const files = fields.filter((_, at) => at % 2 === 1);
  const having = (mode: RegExp) =>
    files.filter((_, at) => mode.test(fields[2 * at]?.split(' ')[1] ?? ''));
  return { files, there: new Set(having(/[1-9]/)), hasLinks: having(/^120000$/).length > 0 };
}

/** True if the work began at a commit of the user, with uncommitted files on it. */
export async function isBegunInGit(session: SessionGit, start: StartCommit): Promise<boolean> {
  return (await parentOf(session, start)) !== null;
}

async function parentOf({ store }: SessionGit, { commit }: StartCommit): Promise<string | null> {
  const parent = await git(store, ['rev-parse', '--verify', '--quiet', `${commit}^`]);
  return parent.ok ? parent.stdout.toString().trim() : null;
}

/**
 * The work without carried files; `kept` are the files left out, because their work builds on
 * uncommitted lines.
 */
export interface BareWork {
  readonly commit: string;
  readonly kept: readonly string[];
}

/**
 * Puts the work on the commit below the carried files, commit by commit. A file whose work cannot
 * be separated from uncommitted lines stays as it is in that commit.
 */
export async function withoutCarried(
  session: SessionGit,
  { start, commit }: CarriedWork,
): Promise<BareWork> {
  if (session.isPrivate || start.carried.length === 0) return { commit, kept: [] };
  const below = (await parentOf(session, start)) ?? (await emptyCommit(session));
  const bare = { below, on: await commitOf(session, `${below}^{tree}`, start.commit) };
  const made = new Map([[start.commit, below]]);
  let kept: readonly string[] = [];
  const list = ['rev-list', '--reverse', '--topo-order', '--parents', `${start.commit}..${commit}`];
  for (const line of (await gitSays(session.store, list)).split('\n')) {
    const [id = '', ...old] = line.split(' ');
    if (id === '') continue;
    const tree = await bareTree(session, id, bare);
    const parents = [...new Set(old.map((parent) => made.get(parent) ?? parent))];
    made.set(id, await copyCommit(session, id, { tree: tree.id, parents }));
    kept = tree.conflicts;
  }
  return { commit: made.get(commit) ?? commit, kept };
}

/** The tree of a commit with the carried changes taken back. */
async function bareTree(
  session: SessionGit,
  id: string,
  { below, on }: { readonly below: string; readonly on: string },
): Promise<MergedTree> {
  const merged = await mergedTree(session.store, [on, id]);
  const { conflicts } = merged;
  if (conflicts.length === 0) return merged;
  return {
    id: await treeWith(session, { tree: merged.id, paths: conflicts, of: below }),
    conflicts,
  };
}

export interface MergedTree {
  readonly id: string;
  /** The files with conflict markers. */
  readonly conflicts: readonly string[];
}

/** Throws `usage` if this git cannot separate carried files from the work. */
export async function checkCarrying(store: GitTarget, carried: readonly string[]): Promise<void> {
  if (carried.length === 0) return;
  const said = await gitSays(store, ['version']);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? [];
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38)) return;
  const some = listed(carried.length > 3 ? [...carried.slice(0, 3), 'others'] : carried);
  throw wrongUsage(
    `The work would begin with your uncommitted changes of ${some}, which needs git 2.38 or later, and this is ${said}; commit or stash them, or update git.`,
  );
}

/** Merges two commits into one tree, without a work tree. */
export async function mergedTree(
  store: GitTarget,
  commits: readonly [string, string],
): Promise<MergedTree> {
  // Renames are detected, so that carried lines do not come along under another name.
  const renames = ['-c', 'merge.renames=true', '-c', 'merge.directoryRenames=false'];
  const args = 'merge-tree --write-tree --name-only --no-messages -z'.split(' ');
  const merged = await git(store, [...renames, ...args, ...commits]);
  const said = merged.stdout?.toString('utf8') ?? '';
  const [id = '', ...conflicts] = said.split('\0').filter((part) => part !== '');
  if (!/^[0-9a-f]{40,}$/.test(id)) {
    const why = merged.ok ? 'it named no tree' : merged.reason;
    throw new GitRefused(
      `Uncommitted files cannot be told apart from the work: ${why} (it needs git 2.38 or later)`,
    );
  }
  return { id, conflicts: [...new Set(conflicts)] };
}

/** A tree with some files as they are in another commit or tree. */
export async function treeWith(
  session: SessionGit,
  {
    tree,
    paths,
    of,
  }: { readonly tree: string; readonly paths: readonly string[]; readonly of: string },
): Promise<string> {
  const { store, own, folder } = session;
  const index = join(folder, 'bare.index');
  const variables = { ...store.variables, GIT_DIR: own, GIT_INDEX_FILE: index };
  const target = { ...store, variables };
  try {
    await rm(`${index}.lock`, { force: true });
    await gitSays(target, ['read-tree', tree]);
    await setEntries(target, paths, await entriesOf(store, of));
    return await gitSays(target, ['write-tree']);
  } finally {
    await rm(index, { force: true });
  }
}

/** Copies a commit with its message, people and times; returns the parent if nothing is left of it. */
async function copyCommit(
  { store }: SessionGit,
  id: string,
  { tree, parents }: { readonly tree: string; readonly parents: readonly string[] },
): Promise<string> {
  const [only = ''] = parents;
  const isEmpty =
    parents.length === 1 && (await gitSays(store, ['rev-parse', `${only}^{tree}`])) === tree;
  if (isEmpty) return only;
  const old = await gitSays(store, ['cat-file', 'commit', id]);
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)].join('\n');
  const text = `${old.replace(/^tree .*\n(?:parent .*\n)*/, () => `${head}\n`)}\n`;
  return gitSays(store, ['hash-object', '-t', 'commit', '-w', '--stdin'], text);
}

async function emptyCommit(session: SessionGit): Promise<string> {
  const tree = await gitSays(session.store, ['mktree'], '');
  return commitOf(session, tree, null);
}

/** Makes a commit without a real author or time, so that the same tree gives the same commit. */
export function commitOf(
  { store, session }: SessionGit,
  tree: string,
  parent: string | null,
): Promise<string> {
  const variables = { ...store.variables, ...nobody };
  const parents = parent === null ? [] : ['-p', parent];
  const args = ['commit-tree', ...parents, '-m', `Conclave: files of ${session}`, tree];
  return gitSays({ ...store, variables }, args);
}

export const nobody = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Conclave'],
    [`GIT_${who}_EMAIL`, 'conclave@localhost'],
    [`GIT_${who}_DATE`, '2000-01-01T00:00:00Z'],
  ]),
);
