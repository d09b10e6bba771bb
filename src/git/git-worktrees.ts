// Makes the work trees of an execution by git, with their branches and diffs; reclaims and discards them.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nullIfAbsent } from '../store/system-error.ts';
import type { Base } from '../model/context.ts';
import { isAncestor, tryMerge } from './merge-commits.ts';
import { applyCommit, movedCommit } from './apply.ts';
import { hasNoSubmodules } from './commit-tree.ts';
import { git, recordsOf } from './git.ts';
import { copyIndex } from './index-links.ts';
import { takeBaseNow } from './open-repository.ts';
import {
  addingAll,
  cleanWorkTree,
  commitWorkTree,
  indexStamp,
  isLinked,
  type LeftTree,
  makeWorkTree,
  namesOfTrees,
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
  headAtHome,
  inTurn,
  sessionGit,
  type SessionGit,
  topPath,
} from './session-git.ts';
import { fingerprintOf, untrackedFiles } from './made-files.ts';
import { applying, dropApplying } from './rewritten.ts';
import { branchesIn, refuseInUse, removeBranches } from './session-branches.ts';
import { copyStart, layFiles } from './copy-start.ts';
import { startCommit } from './start-commit.ts';
import { submoduleChanges, submoduleStates } from './tree-submodules.ts';
import { textOf } from './disk.ts';
import { entriesOf } from './tree-entries.ts';
import {
  type Changes,
  changesBetween,
  composeCommit,
  readRaw,
  withoutCarried,
} from './without-carried.ts';
import type { CommitFiles, NewCommit, Published, StartCommit, Worktrees } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

/**
 * Opens the work trees of a session’s execution. Only one process may have them open; the session’s
 * lock ensures that. Throws `Stopped` without git.
 */
export async function openWorktrees(executed: SessionReference): Promise<Worktrees> {
  const session = await sessionGit(executed);
  if (session.branches.has(branchName(session, applying))) await dropApplying(session);
  const { store, prefix } = session;
  const inTree = <T>(name: string, work: () => Promise<T>) =>
    inTurn(treeFolder(session, name), work);
  const withRefs = <T>(work: () => Promise<T>) => inTurn(session.common, work);
  let started: Promise<StartCommit> | null = null;
  /** Work trees as a command of this process left them, until the next one. */
  const left = new Map<string, LeftTree>();
  const note = async (name: string, commit: string, by: LeftTree['by']) => {
    const index = await indexStamp(session, name);
    left.set(name, { commit, by, isTouched: false, index });
  };
  /** The names of work trees that nothing needs any more. */
  const free = new Set<string>();
  /** Takes a free work tree, the one of this name first, whose index nobody else has written. */
  const takeFree = async (name: string) => {
    for (const one of [name, ...free]) {
      const known = left.get(one);
      if (!free.delete(one) || known === undefined) continue;
      left.delete(one);
      const isOurs = known.index === (await indexStamp(session, one).catch(() => null));
      // What an update of submodules laid there and in git’s own folder is told to nobody else.
      if (isOurs && session.withoutLinks.has(known.commit)) return one;
      if (one !== name) await removeWorkTrees(session, [one]);
    }
    return null;
  };
  /** What the commits of this process were asked to be. */
  const orders = new Map<string, NewCommit>();
  /** What was read of changes, by both commits. */
  const seen = new Map<string, Promise<Changes>>();
  const changes = (from: string, to: string) => {
    const key = `${from} ${to}`;
    const known = seen.get(key) ?? changesBetween(session, [from, to]);
    seen.set(key, known);
    return known;
  };
  const diffs = new Map<string, string>();
  /** The diff of two commits; where its list of files can be read, that is kept, too. */
  const diffOfCommits = async (from: string, to: string) => {
    const key = `${from} ${to}`;
    const last = diffs.get(key);
    if (last !== undefined) return last;
    const all = ['diff-tree', '-r', '--raw', ...patch, from, to];
    const { raw, text } = rawAndText(await gitSays(store, all));
    const plain = readRaw(raw);
    if (plain !== null && !seen.has(key)) seen.set(key, Promise.resolve(plain));
    if (text.length <= longestKept) diffs.set(key, text);
    return text;
  };
  const start = (isNamed?: (path: string) => boolean, base?: Base) =>
    (started ??= startCommit(session, isNamed, base).then((made) => {
      const { commit } = base ?? session.repository.base;
      const isPlain = prefix === '' && hasNoSubmodules(session.repository, commit);
      if (isPlain) session.withoutLinks.add(made.commit);
      return made;
    }));
  const make: Worktrees['make'] = async (name, commits, message) => {
    const [only = ''] = commits;
    const was = left.get(name);
    left.delete(name);
    if (commits.length === 1 && was?.commit === only && was.by === 'merge') {
      return { path: workTreePath(session, name), head: only, conflicts: [], parents: [only] };
    }
    const tree = await inTree(name, async () =>
      makeWorkTree(session, name, { commits, message, free: await takeFree(name) }),
    );
    const conflicts = tree.conflicts.map((path) => belowRoot(session, path));
    if (conflicts.length === 0) await note(name, tree.head, commits.length > 1 ? 'merge' : 'clean');
    return { ...tree, conflicts };
  };
  return {
    path: (name) => workTreePath(session, name),
    top: (name) => treeFolder(session, name),
    isThere: (name) => isLinked(session, name),
    start,
    copyStart: (folder, isNamed) => copyStart(session, folder, isNamed),
    baseNow() {
      const { repository, snapshots, signal } = session;
      return takeBaseNow({ root: repository.root, signal }, snapshots);
    },
    make,
    async merge(name, [into, other], message) {
      const merged = await tryMerge(session, { into, other, message });
      if (merged === null) {
        const { head, conflicts } = await make(name, [into, other], message);
        return { commit: conflicts.length === 0 ? head : null, conflicts };
      }
      const conflicts = merged.conflicts.map((path) => belowRoot(session, path));
      return { ...merged, conflicts };
    },
    async commit(name, given) {
      const { commit, isClean } = await inTree(name, () => commitWorkTree(session, name, given));
      await note(name, commit ?? given.parents[0] ?? '', isClean ? 'clean' : 'commit');
      if (commit !== null) orders.set(commit, given);
      return commit;
    },
    async squash(work) {
      const { commit, parent, message } = work;
      if (isDeepStrictEqual(orders.get(commit), { parents: [parent], message })) return commit;
      const known = await changes(parent, commit);
      if (known.files.length === 0) return parent;
      const squashed = await squashWork(session, work);
      seen.set(`${parent} ${squashed}`, Promise.resolve(known));
      const diff = diffs.get(`${parent} ${commit}`);
      if (diff !== undefined) diffs.set(`${parent} ${squashed}`, diff);
      return squashed;
    },
    async clean(name, commit) {
      const was = left.get(name);
      const isClean = was?.isTouched === false && was.by !== 'commit';
      if (isClean && was.commit === commit) return;
      left.delete(name);
      await inTree(name, () => cleanWorkTree(session, name, { commit, left: was }));
      await note(name, commit, 'clean');
    },
    touch(name) {
      const was = left.get(name);
      if (was !== undefined) left.set(name, { ...was, isTouched: true });
    },
    free: (name) => void free.add(name),
    tip: (name) => tipOf(session, name),
    async changed(from, to) {
      const { files } = await changes(from, to);
      return files.map((path) => belowRoot(session, path));
    },
    hasLinks: async (from, to) => (await changes(from, to)).hasLinks,
    compose: ({ start: from, of, paths }) => composeCommit(session, { start: from, of, paths }),
    lay: (commit, files) => layFiles(session, commit, files),
    hold: (name, commit) =>
      withRefs(async () => {
        await gitSays(store, ['update-ref', `${heldRefs(session)}${name}`, commit]);
      }),
    files: (commit) => filesOfCommit(session, commit),
    diff: (from, to) =>
      'commit' in to
        ? diffOfCommits(from, to.commit)
        : inTree(to.name, () => diffOfTree(session, { from, name: to.name })),
    async has(commit) {
      return (await git(store, ['cat-file', '-e', `${commit}^{commit}`])).ok;
    },
    async read(commit, path) {
      const answer = await git(store, ['cat-file', 'blob', `${commit}:${prefix}${path}`]);
      return answer.ok ? answer.stdout : null;
    },
    async missing(commit, paths) {
      const known = [...seen].filter(([key]) => key.endsWith(` ${commit}`));
      const held = await Promise.all(known.map(async ([, one]) => (await one).there));
      const isHeld = (path: string) => held.some((there) => there.has(topPath(session, path)));
      return missingPaths(
        session,
        commit,
        paths.filter((path) => !isHeld(path)),
      );
    },
    ignored: (name, paths) => ignoredPaths(session, name, paths),
    async status(name) {
      const status = ['status', '--porcelain', '-z', '--ignored', '--untracked-files=normal'];
      return await gitLists(await openWorkTree(session, name), status);
    },
    untracked: (name) => untrackedFiles(session, name),
    fingerprint: (commit, names) => fingerprintOf(session, commit, names),
    submodules: (name) => inTurn(session.folder, () => submoduleStates(session, name)),
    submoduleChanges: (name, before) =>
      inTurn(session.folder, () => submoduleChanges(session, name, before)),
    publish: (commit, begun) =>
      withRefs(async () => {
        const unused = [...free];
        for (const name of unused) left.delete(name);
        free.clear();
        return publish(session, { start: begun ?? (await start()), commit, unused });
      }),
    async reclaim(names) {
      const unused = [...free].filter((name) => names?.includes(name) !== true);
      free.clear();
      const all = names === undefined ? null : [...names, ...unused];
      for (const name of all ?? [...left.keys()]) left.delete(name);
      await withRefs(() => reclaim(session, all));
    },
    settle: (commit, begun) => withRefs(() => settle(session, { start: begun, commit })),
    discard: () => withRefs(() => discard(session)),
    apply: (commit, how = 'merge', begun) =>
      withRefs(async () => applyCommit(session, { start: begun ?? (await start()), commit, how })),
    onto: (commit, begun) =>
      withRefs(async () => {
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

/** The length of the longest diff that is kept for those who ask again, in characters. */
const longestKept = 1_000_000;

const patch = '-p -M --no-ext-diff --no-textconv'.split(' ');

async function tipOf(session: SessionGit, name: string): ReturnType<Worktrees['tip']> {
  const ref = `refs/heads/${branchName(session, name)}`;
  const format = '--format=%(objectname) %(contents)';
  const said = await gitSays(session.store, ['for-each-ref', format, ref]);
  const [, commit, message = ''] = /^([0-9a-f]+) (.*)$/s.exec(said) ?? [];
  return commit === undefined ? null : { commit, message: message.trimEnd() };
}

/** The list of files, one a line, and the patch that comes after an empty line. */
function rawAndText(said: string): { readonly raw: readonly string[]; readonly text: string } {
  if (!said.startsWith(':')) return { raw: [], text: said };
  const end = said.indexOf('\n\n');
  const raw = end === -1 ? said : said.slice(0, end);
  return { raw: raw.split('\n'), text: end === -1 ? '' : said.slice(end + 2) };
}

/** The diff with new files included, which needs a separate index. */
async function diffOfTree(
  session: SessionGit,
  { from, name }: { readonly from: string; readonly name: string },
): Promise<string> {
  const tree = await openWorkTree(session, name);
  const index = join(session.folder, `${name}.index`);
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

async function publish(
  session: SessionGit,
  {
    unused,
    ...work
  }: {
    readonly start: StartCommit;
    readonly commit: string;
    /** Work trees that go at the same time, as do all branches without a work tree. */
    readonly unused: readonly string[];
  },
): Promise<Published> {
  const branch = branchName(session, null);
  await removeWorkTrees(session, unused);
  const trees = (await namesOfTrees(session)).map((name) => branchName(session, name));
  const gone = [...session.branches].filter((one) => one !== branch && !trees.includes(one));
  await refuseInUse(session, [branch, ...gone]);
  const { commit, kept } = await withoutCarried(session, work);
  // Without a name, git would garbage-collect the commit some day.
  const hold = commit === work.commit ? [] : [`update ${workRef(session)} ${work.commit}`];
  const orders = [
    ...hold,
    `update refs/heads/${branch} ${commit}`,
    ...gone.map((one) => `delete refs/heads/${one}`),
  ];
  await gitSays(session.store, ['update-ref', '--stdin'], `${orders.join('\n')}\n`);
  for (const one of gone) session.branches.delete(one);
  session.branches.add(branch);
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

/** Removes work trees with their branches; null removes all except the branch of the result. */
async function reclaim(session: SessionGit, names: readonly string[] | null): Promise<void> {
  await removeWorkTrees(session, names);
  const own = branchName(session, null);
  const all = names?.map((name) => branchName(session, name)) ?? [...session.branches];
  await removeBranches(
    session,
    all.filter((branch) => branch !== own),
  );
}

async function settle(
  session: SessionGit,
  work: { readonly start: StartCommit; readonly commit: string },
): Promise<string | null> {
  if (session.isPrivate) return null;
  const branch = branchName(session, null);
  const orders: string[] = [];
  const tip = (await branchesIn(session, [branch])).find((found) => found.branch === branch);
  if (tip !== undefined) {
    const { commit } = await withoutCarried(session, work);
    if (tip.commit !== commit) {
      return `the branch ${branch} stays, as it holds other commits than these`;
    }
    if (tip.path !== '') return `the branch ${branch} stays, as it is checked out in ${tip.path}`;
    orders.push(`delete refs/heads/${branch} ${commit}\n`);
  }
  // Later tasks may build on this work, and git would garbage-collect it without a name.
  const isHome = await isAncestor(session.home, work.commit, await headAtHome(session));
  orders.push(
    isHome ? `delete ${workRef(session)}\n` : `update ${workRef(session)} ${work.commit}\n`,
  );
  await gitSays(session.store, ['update-ref', '--stdin'], orders.join(''));
  session.branches.delete(branch);
  return null;
}

/** Discards everything except the backups, which may be the only copy. */
async function discard(session: SessionGit): Promise<void> {
  await reclaim(session, null);
  const listing = ['for-each-ref', '--format=%(refname)', heldRefs(session)];
  const held = (await gitSays(session.store, listing)).split('\n').filter((ref) => ref !== '');
  await removeBranches(session, [branchName(session, null)], [workRef(session), ...held]);
  const entries = (await nullIfAbsent(readdir(session.folder))) ?? [];
  const gone = entries
    .filter((entry) => entry !== 'backup')
    .map((entry) => join(session.folder, entry));
  const all = gone.length === entries.length ? [session.folder] : gone;
  for (const path of all) await rm(path, { recursive: true, force: true });
}
