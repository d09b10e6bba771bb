// Makes the work trees of an execution by git, with their branches and diffs; reclaims and discards them.
import { copyFile, readdir, rm, stat, utimes, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { nullIfAbsent } from '../store/system-error.ts';
import type { Base } from '../model/context.ts';
import { makeFolder } from '../store/make-folder.ts';
import { applyCommit, movedCommit } from './apply.ts';
import { git, recordsOf, type GitTarget } from './git.ts';
import { takeBaseNow } from './open-repository.ts';
import {
  addingAll,
  cleanWorkTree,
  commitWorkTree,
  isLinked,
  makeWorkTree,
  removeWorkTrees,
  treeFolder,
  workTreePath,
  openWorkTree,
  squashWork,
} from './linked-tree.ts';
import {
  belowRoot,
  branchName,
  type SessionReference,
  inTurn,
  sessionGit,
  type SessionGit,
  topPath,
} from './session-git.ts';
import { fingerprintOf, untrackedFiles } from './made-files.ts';
import { applying, dropApplying } from './rewritten.ts';
import { branchesIn, refuseInUse, removeBranches, removeNamed } from './session-branches.ts';
import { startCommit } from './start-commit.ts';
import { lookAt, textOf, withoutLinks } from './disk.ts';
import { indexListing, linksIn } from './index-links.ts';
import { joinPath } from './paths.ts';
import { entriesOf } from './tree-entries.ts';
import {
  type Changes,
  changesBetween,
  commitOf,
  treeWith,
  withoutCarried,
} from './without-carried.ts';
import type {
  CommitFiles,
  ComposedCommit,
  Published,
  StartCommit,
  SubmodulePatch,
  SubmoduleStates,
  Worktrees,
} from './worktrees.ts';
import { gitSays, prepareWriting } from './writing-git.ts';

/**
 * Opens the work trees of a session’s execution. Only one process may have them open; the session’s
 * lock ensures that. Throws `Stopped` without git.
 */
export async function openWorktrees(executed: SessionReference): Promise<Worktrees> {
  const session = await sessionGit(executed);
  if (session.found?.includes(branchName(session, applying)) !== false) await dropApplying(session);
  const { store, prefix } = session;
  let started: Promise<StartCommit> | null = null;
  /** Work trees as a command of this process left them, until the next one. */
  const left = new Map<string, string>();
  /** What was read of changes, by both commits. */
  const seen = new Map<string, Promise<Changes>>();
  const changes = (from: string, to: string) => {
    const key = `${from} ${to}`;
    const known = seen.get(key) ?? changesBetween(session, [from, to]);
    seen.set(key, known);
    return known;
  };
  /** Files that are known to be in a commit, below the top. */
  const there = new Map<string, ReadonlySet<string>>();
  const start = (isNamed?: (path: string) => boolean, base?: Base) =>
    (started ??= startCommit(session, isNamed, base));
  return {
    path: (name) => workTreePath(session, name),
    top: (name) => treeFolder(session, name),
    isThere: (name) => isLinked(session, name),
    start: (isNamed, base) => inTurn(() => start(isNamed, base)),
    baseNow() {
      const { repository, snapshots, signal } = session;
      return takeBaseNow({ root: repository.root, signal }, snapshots);
    },
    async make(name, commits, message) {
      const [only = ''] = commits;
      const isMerged = commits.length === 1 && left.get(name) === `merged ${only}`;
      left.delete(name);
      const made = isMerged
        ? { path: workTreePath(session, name), head: only, conflicts: [], parents: [only] }
        : await inTurn(() => makeWorkTree(session, name, { commits, message }));
      const conflicts = made.conflicts.map((path) => belowRoot(session, path));
      const how = commits.length > 1 ? 'merged' : 'clean';
      if (conflicts.length === 0) left.set(name, `${how} ${made.head}`);
      return { ...made, conflicts };
    },
    async commit(name, made) {
      const commit = await inTurn(() => commitWorkTree(session, name, made));
      left.set(name, `committed ${commit ?? made.parents[0]}`);
      return commit;
    },
    squash: (name, work) => inTurn(() => squashWork(session, name, work)),
    async clean(name, commit) {
      const was = left.get(name);
      if (was === `clean ${commit}`) return;
      left.delete(name);
      const isCommitted = was === `committed ${commit}`;
      await inTurn(() => cleanWorkTree(session, name, { commit, isCommitted }));
      left.set(name, `clean ${commit}`);
    },
    touch: (name) => void left.delete(name),
    tip: (name) => tipOf(session, name),
    async changed(from, to) {
      const { files, there: held } = await changes(from, to);
      there.set(to, held);
      return files.map((path) => belowRoot(session, path));
    },
    hasLinks: async (from, to) => (await changes(from, to)).hasLinks,
    compose: ({ start: from, of, paths }) =>
      inTurn(() => composedCommit(session, { start: from, of, paths })),
    async hold(name, commit) {
      await gitSays(store, ['update-ref', `${heldRefs(session)}${name}`, commit]);
    },
    files: (commit) => filesOfCommit(session, commit),
    diff: (from, to) =>
      'commit' in to
        ? gitSays(store, ['diff-tree', '-r', ...patch, from, to.commit])
        : inTurn(() => diffOfTree(session, { from, name: to.name })),
    async has(commit) {
      return (await git(store, ['cat-file', '-e', `${commit}^{commit}`])).ok;
    },
    async read(commit, path) {
      const answer = await git(store, ['cat-file', 'blob', `${commit}:${prefix}${path}`]);
      return answer.ok ? answer.stdout : null;
    },
    missing(commit, paths) {
      const held = there.get(commit);
      const open = paths.filter((path) => held?.has(topPath(session, path)) !== true);
      return missingPaths(session, commit, open);
    },
    ignored: (name, paths) => inTurn(() => ignoredPaths(session, name, paths)),
    untracked: (name) => inTurn(() => untrackedFiles(session, name)),
    fingerprint: (commit, names) => fingerprintOf(session, commit, names),
    restore: (name, commit, paths) =>
      inTurn(async () => {
        if (paths.length === 0) return;
        left.delete(name);
        const tree = await openWorkTree(session, name);
        const names = paths.map((path) => `:(top,literal)${topPath(session, path)}`);
        await gitSays(tree, ['checkout', '--quiet', commit, '--', ...names]);
      }),
    submodules: (name) => inTurn(() => submoduleStates(session, name)),
    submoduleChanges: (name, before) => inTurn(() => submoduleChanges(session, name, before)),
    publish: (commit, begun) =>
      inTurn(async () => publish(session, { start: begun ?? (await start()), commit })),
    reclaim(names) {
      for (const name of names ?? [...left.keys()]) left.delete(name);
      return inTurn(() => reclaim(session, names));
    },
    settle: (commit, begun) => inTurn(() => settle(session, { start: begun, commit })),
    discard: () => inTurn(() => discard(session)),
    apply: (commit, how = 'merge', begun) =>
      inTurn(async () => applyCommit(session, { start: begun ?? (await start()), commit, how })),
    onto: (commit, begun) =>
      inTurn(async () => {
        const moved = await movedCommit(session, { start: begun ?? (await start()), commit });
        const conflicts = moved?.conflicts.map((path) => belowRoot(session, path)) ?? [];
        return moved === null ? null : { ...moved, conflicts };
      }),
  };
}

async function missingPaths(
  session: SessionGit,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const asked = paths.map((path) => topPath(session, path));
  const listing = ['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...asked];
  const listed = await git(session.store, listing);
  const there = new Set(listed.ok ? [...recordsOf(listed.stdout)].map(String) : []);
  return paths.filter((path) => !there.has(topPath(session, path)));
}

/** Asks for one path after the other, because git fails on all of them if one is behind a link. */
async function ignoredPaths(
  session: SessionGit,
  name: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const tree = await openWorkTree(session, name);
  const ignored: string[] = [];
  for (const path of paths) {
    const { ok } = await git(tree, ['check-ignore', '-q', '--', topPath(session, path)]);
    if (ok) ignored.push(path);
  }
  return ignored;
}

const patch = '-p -M --no-ext-diff --no-textconv'.split(' ');

async function tipOf(session: SessionGit, name: string): ReturnType<Worktrees['tip']> {
  const ref = `refs/heads/${branchName(session, name)}`;
  const format = '--format=%(objectname) %(contents)';
  const said = await gitSays(session.store, ['for-each-ref', format, ref]);
  const [, commit, message = ''] = /^([0-9a-f]+) (.*)$/s.exec(said) ?? [];
  return commit === undefined ? null : { commit, message: message.trimEnd() };
}

/** The diff with new files included, which needs a separate index. */
async function diffOfTree(
  session: SessionGit,
  { from, name }: { readonly from: string; readonly name: string },
): Promise<string> {
  const tree = await openWorkTree(session, name);
  const index = join(session.folder, 'diff.index');
  const target = { ...tree, variables: { ...tree.variables, GIT_INDEX_FILE: index } };
  try {
    await copyIndex(join(tree.own, 'index'), index);
    // A file that disappears meanwhile is a harmless error.
    await git(target, await addingAll(target));
    return await gitSays(target, ['diff-index', '--cached', ...patch, from]);
  } finally {
    await rm(index, { force: true });
  }
}

/** Copies an index with its time: git treats a file of the same size and older time as unchanged. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}

async function publish(
  session: SessionGit,
  work: { readonly start: StartCommit; readonly commit: string },
): Promise<Published> {
  const branch = branchName(session, null);
  await refuseInUse(session, [branch]);
  const { commit, kept } = await withoutCarried(session, work);
  // Without a name, git would garbage-collect the commit some day.
  if (commit !== work.commit) {
    await gitSays(session.store, ['update-ref', workRef(session), work.commit]);
  }
  await gitSays(session.store, ['update-ref', `refs/heads/${branch}`, commit]);
  return { branch, kept: kept.map((path) => belowRoot(session, path)) };
}

/**
 * A ref that keeps the work with the uncommitted files it began with; it is not a branch, so it is
 * not pushed.
 */
function workRef({ session }: SessionGit): string {
  return `refs/conclave/work/${session}`;
}

/** The start of the refs of held commits. */
const heldRefs = ({ session }: SessionGit) => `refs/conclave/held/${session}/`;

async function composedCommit(session: SessionGit, composed: ComposedCommit): Promise<string> {
  const { start, of, paths } = composed;
  const tops = paths.map((path) => topPath(session, path));
  const tree = await treeWith(session, { tree: start, paths: tops, of });
  return await commitOf(session, tree, of);
}

async function filesOfCommit(session: SessionGit, commit: string): Promise<CommitFiles> {
  const { store, prefix } = session;
  const entries = new Map(
    [...(await entriesOf(store, commit))].flatMap(([path, entry]): [string, string][] =>
      path.startsWith(prefix) && !entry.startsWith('160000')
        ? [[belowRoot(session, path), entry]]
        : [],
    ),
  );
  return {
    files: new Set(entries.keys()),
    isLink: (path) => entries.get(path)?.startsWith('120000') === true,
    async read(path) {
      const [, id] = entries.get(path)?.split(' ') ?? [];
      const answer = id === undefined ? null : await git(store, ['cat-file', 'blob', id]);
      return answer?.ok === true ? textOf(answer.stdout) : null;
    },
  };
}

async function reclaim(session: SessionGit, names?: readonly string[]): Promise<void> {
  await removeWorkTrees(session, names ?? null);
  if (names === undefined) await removeBranches(session, [branchName(session, '*')]);
  else
    await removeNamed(
      session,
      names.map((name) => branchName(session, name)),
    );
}

async function settle(
  session: SessionGit,
  work: { readonly start: StartCommit; readonly commit: string },
): Promise<string | null> {
  if (session.isPrivate) return null;
  const branch = branchName(session, null);
  const tip = (await branchesIn(session, [branch])).find((found) => found.branch === branch);
  if (tip !== undefined) {
    const { commit } = await withoutCarried(session, work);
    if (tip.commit !== commit) {
      return `the branch ${branch} stays, as it holds other commits than these`;
    }
    if (tip.path !== '') return `the branch ${branch} stays, as it is checked out in ${tip.path}`;
    await gitSays(session.store, ['update-ref', '-d', `refs/heads/${branch}`, commit]);
  }
  // Later tasks may build on this work, and git would garbage-collect it without a name.
  const isHome = await git(session.home, ['merge-base', '--is-ancestor', work.commit, 'HEAD']);
  const hold = isHome.ok ? ['-d', workRef(session)] : [workRef(session), work.commit];
  await gitSays(session.store, ['update-ref', ...hold]);
  return null;
}

/** Discards everything except the backups, which may be the only copy. */
async function discard(session: SessionGit): Promise<void> {
  await reclaim(session);
  await removeBranches(session, [branchName(session, null)]);
  const list = ['for-each-ref', '--format=%(refname)', heldRefs(session)];
  const held = await gitSays(session.store, list);
  const refs = [workRef(session), ...held.split('\n').filter((ref) => ref !== '')];
  const orders = refs.map((ref) => `delete ${ref}\n`).join('');
  await gitSays(session.store, ['update-ref', '--stdin'], orders);
  const entries = (await nullIfAbsent(readdir(session.folder))) ?? [];
  const gone = entries
    .filter((entry) => entry !== 'backup')
    .map((entry) => join(session.folder, entry));
  const all = gone.length === entries.length ? [session.folder] : gone;
  for (const path of all) await rm(path, { recursive: true, force: true });
}

/** See `Worktrees.submodules`. */
async function submoduleStates(session: SessionGit, name: string): Promise<SubmoduleStates> {
  const found = await submodulesOf(session, name);
  return new Map(found.map(({ path, tree }) => [belowRoot(session, path), tree]));
}

/** See `Worktrees.submoduleChanges`. */
async function submoduleChanges(
  session: SessionGit,
  name: string,
  before: SubmoduleStates | null,
): Promise<readonly SubmodulePatch[]> {
  const patches: SubmodulePatch[] = [];
  for (const one of await submodulesOf(session, name)) {
    const path = belowRoot(session, one.path);
    const from = before?.get(path) ?? (await recordedTree(one));
    if (from === one.tree) continue;
    const diff = 'diff-tree -r -p --binary --full-index --no-ext-diff --no-textconv'.split(' ');
    patches.push({ path, patch: await gitSays(one.target, [...diff, from, one.tree]) });
  }
  return patches;
}

interface Submodule {
  /** The path below the top of the work tree. */
  readonly path: string;
  /** The commit that is recorded for it. */
  readonly recorded: string;
  /** Its present content as a git tree. */
  readonly tree: string;
  readonly target: GitTarget;
  /** The index that git reads there. */
  readonly index: string;
}

/** All submodules in the index, including nested ones. One that was replaced by a link is left out. */
async function submodulesOf(session: SessionGit, name: string): Promise<readonly Submodule[]> {
  const top = await openWorkTree(session, name);
  const found: Submodule[] = [];
  const open = [{ target: top as GitTarget, path: '', index: join(top.own, 'index') }];
  for (const { target, path: outer, index } of open) {
    const links = await linksIn({ root: target.root, index }, () => gitSays(target, indexListing));
    for (const { path: inner, recorded } of links) {
      const path = joinPath(outer, inner);
      if ((await withoutLinks(top.root, path)) !== path) continue;
      if ((await lookAt(top.root, path)).kind !== 'other') continue;
      const opened = await apart(session, { root: join(top.root, path), recorded });
      found.push({ path, recorded, ...opened });
      open.push({ ...opened, path });
    }
  }
  return found;
}

/**
 * Reads a submodule through a repository of our own that borrows its objects, so that no filter or
 * hook from settings an agent can write is ever started.
 */
async function apart(
  session: SessionGit,
  { root, recorded }: { readonly root: string; readonly recorded: string },
): Promise<Pick<Submodule, 'tree' | 'target' | 'index'>> {
  const folder = join(session.folder, 'submodules');
  await makeFolder(folder);
  const { signal } = session;
  const format = recorded.length === 64 ? 'sha256' : 'sha1';
  const own = join(folder, `${format}.git`);
  const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, own];
  await gitSays({ root: folder, signal }, init);
  const store = await prepareWriting({ root: own, signal, variables: { GIT_DIR: own } });
  // The index is kept, so that what has not changed is not read again.
  const index = join(
    folder,
    `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.index`,
  );
  const variables = {
    ...store.variables,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: (await objectsOf(root)) ?? '',
  };
  const target = { ...store, root, variables };
  // The commit is unknown if the submodule was never checked out; the next look may find it.
  const isKnown = existsSync(index) || (await git(target, ['read-tree', recorded])).ok;
  await git(target, await addingAll(target));
  const tree = await gitSays(target, ['write-tree', '--missing-ok']);
  if (!isKnown) await rm(index, { force: true });
  return { target, tree, index };
}

/** The objects folder of a submodule that is checked out, or null. */
async function objectsOf(root: string): Promise<string | null> {
  const path = join(root, '.git');
  const { kind } = await lookAt(root, '.git');
  const text = kind === 'file' ? ((await nullIfAbsent(readFile(path, 'utf8'))) ?? '') : '';
  const [, leads] = /^gitdir: (.+)/.exec(text) ?? [];
  const folder = join(leads === undefined ? path : resolve(root, leads), 'objects');
  return (await nullIfAbsent(stat(folder)))?.isDirectory() === true ? folder : null;
}

/** The tree of the recorded commit; empty for a submodule that was never checked out. */
async function recordedTree({ target, recorded }: Submodule): Promise<string> {
  const known = await git(target, ['rev-parse', '--verify', '--quiet', `${recorded}^{tree}`]);
  return known.ok ? known.stdout.toString().trim() : await gitSays(target, ['mktree'], '');
}
