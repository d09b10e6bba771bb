// Takes the uncommitted files that work began with out of its commits.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { git, type GitTarget } from './git.ts';
import { inTurn, type SessionGit, topPath } from './session-git.ts';
import { mergedTree, type MergedTree } from './merge-commits.ts';
import { entriesOf, setEntries, type TreeEntries } from './tree-entries.ts';
import type { ComposedCommit, StartCommit } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

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
  return changesOf(
    fields.flatMap((path, at) => (at % 2 === 0 ? [] : [{ head: fields[at - 1] ?? '', path }])),
  );
}

/** Reads the list of a diff with renames; null if a path is written with escapes. */
export function readRaw(lines: readonly string[]): Changes | null {
  const rows = lines.flatMap((line) => {
    const [head = '', first = '', second] = line.split('\t');
    const old = { head: ':0 0 ', path: first };
    if (second === undefined) return [{ head, path: first }];
    return [...(/ R\d+$/.test(head) ? [old] : []), { head, path: second }];
  });
  return rows.some(({ path }) => path.startsWith('"')) ? null : changesOf(rows);
}

interface RawRow {
  /** Modes and ids of both sides. */
  readonly head: string;
  readonly path: string;
}

function changesOf(rows: readonly RawRow[]): Changes {
  const having = (mode: RegExp) =>
    rows.filter(({ head }) => mode.test(head.split(' ')[1] ?? '')).map(({ path }) => path);
  const files = rows.map(({ path }) => path).toSorted(byBytes);
  return { files, there: new Set(having(/[1-9]/)), hasLinks: having(/^120000$/).length > 0 };
}

/** Compares two paths as git orders them. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
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

/** A tree with some files as they are in another commit or tree. */
export async function treeWith(
  session: SessionGit,
  {
    tree,
    paths,
    of,
  }: {
    readonly tree: string;
    readonly paths: readonly string[];
    readonly of: string | TreeEntries;
  },
): Promise<string> {
  const { store } = session;
  return await withIndex(session, store, async (target) => {
    await gitSays(target, ['read-tree', tree]);
    await setEntries(target, paths, typeof of === 'string' ? await entriesOf(store, of) : of);
    return await gitSays(target, ['write-tree']);
  });
}

/** Runs git with a temporary index: in the store, or at the user’s work tree. */
export async function withIndex<T>(
  { own, folder, home }: SessionGit,
  place: GitTarget,
  use: (target: GitTarget) => Promise<T>,
): Promise<T> {
  const index = join(folder, 'temporary.index');
  const top = place === home ? { GIT_WORK_TREE: home.root } : {};
  const variables = { ...place.variables, ...top, GIT_DIR: own, GIT_INDEX_FILE: index };
  return await inTurn(index, async () => {
    try {
      await rm(`${index}.lock`, { force: true });
      return await use({ ...place, variables });
    } finally {
      await rm(index, { force: true });
    }
  });
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

/** See `Worktrees.compose`. */
export async function composeCommit(
  session: SessionGit,
  composed: ComposedCommit,
): Promise<string> {
  const { start, of, paths } = composed;
  const tops = paths.map((path) => topPath(session, path));
  const tree = await treeWith(session, { tree: start, paths: tops, of });
  return await commitOf(session, tree, of);
}
