import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Base } from '../model/context.ts';
import { Stopped } from '../model/failure.ts';
import { unlessAbsent } from '../store/system-error.ts';
import { baseReader } from './base-reader.ts';
import { takeBase, type Snapshots } from './base.ts';
import { commitTree, emptyTree, type CommitTree } from './commit-tree.ts';
import { gitFingerprint } from './fingerprint.ts';
import { gitFolders, isIgnoredFolder, type GitFolders, unreadable } from './git-folders.ts';
import type { GitPlace } from './git.ts';
import { pastCommits, type PastCommit } from './past-commits.ts';
import { noBase, plainRepository } from './plain-repository.ts';
import { nothingLeftOut } from './walk.ts';
import type { Sparing } from './quick-status.ts';
import { changesInSubmodules, statusAroundLinks } from './submodules.ts';
import type { Repository } from './repository.ts';

export type { Snapshots } from './base.ts';

/** What a repository is opened with. */
export interface Opening {
  readonly root: string;
  /** The recorded base of a session that goes on, or null to take the base now. */
  readonly base: Base | null;
  /** Null keeps nothing: an uncommitted file is then readable only until it changes. */
  readonly snapshots: Snapshots | null;
  /**
   * True where nobody records the base: uncommitted files are then told by place and times, and none
   * is read, however large or many they are.
   */
  readonly isPassing?: boolean;
  /** Ends every git command of this repository, also later ones. */
  readonly signal: AbortSignal;
  /** Told the commit that is the base, before it is known which files are changed. */
  readonly onCommit?: (committed: Committed) => void;
  /** Left out where git is asked without further ado. */
  readonly sparing?: Sparing;
  /** Whether some of its past may be known; left out where that is so. */
  readonly isKnown?: (root: string) => boolean;
}

/** What is checked out, without the uncommitted files. */
export interface Committed {
  /** Absolute. */
  readonly root: string;
  readonly commit: string;
  /** Null where git cannot list them. */
  readonly files: Promise<CommitTree | null>;
  /** See `pastIds`; null where none of it is known, so that all has to be read anyway. */
  readonly past: Promise<readonly string[]> | null;
}

/**
 * The repository at the base. Throws `Stopped` where `root` is no folder, or where the commit of
 * the recorded base is gone.
 */
export async function openRepository(opening: Opening): Promise<Repository> {
  const root = await unlessAbsent(realpath(resolve(opening.root)));
  if (root === null) {
    throw new Stopped({ reason: 'usage', message: `There is no folder ${opening.root}.` });
  }
  const { signal } = opening;
  const place = { root, signal };
  const folders = await gitFolders(place);
  if (folders === null || (folders.prefix !== '' && (await isIgnoredFolder(place)))) {
    const commit = opening.base?.commit ?? null;
    if (commit !== null) throw baseGone(commit);
    return plainRepository({ root, base: noBase, folders: null, signal });
  }
  const { base, tree } =
    opening.base === null
      ? await atThisMoment({ place, folders, opening })
      : { base: opening.base, tree: await treeOf(place, opening.base.commit) };
  return opening.base !== null && isNothing(opening.base)
    ? plainRepository({ root, base, folders, signal })
    : gitRepository({ root, base, tree, folders, opening });
}

/** So is that of a session that was begun without git, too: the disk is then all there is. */
function isNothing({ commit, dirty }: Base): boolean {
  return commit === null && Object.keys(dirty).length === 0;
}

interface Moment {
  readonly place: GitPlace;
  readonly folders: GitFolders;
  readonly opening: Opening;
}

/** The base as it is now with the files of its commit, which are listed meanwhile. */
async function atThisMoment(
  now: Moment,
): Promise<{ readonly base: Base; readonly tree: CommitTree }> {
  const { place, folders, opening } = now;
  const { head } = folders;
  const listed = head === null ? Promise.resolve(null) : commitTree(place, head);
  if (head !== null) {
    opening.onCommit?.({ root: place.root, commit: head, files: listed, past: null });
  }
  const [base, tree] = await Promise.all([baseNow(now), listed]);
  // Somebody may check out another commit in between.
  const isSame = tree !== null && base.commit === head;
  return { base, tree: isSame ? tree : await treeOf(place, base.commit) };
}

async function baseNow({ place, folders, opening }: Moment): Promise<Base> {
  const status = await statusAroundLinks(place, folders.prefix);
  if (!status.ok) throw unreadable(place.root, status.failure.reason);
  const { commit, entries } = status.value;
  const inside = await changesInSubmodules(place, entries);
  const all = [...entries, ...inside.map((path) => ({ path, readable: true }))];
  const { snapshots, isPassing = false } = opening;
  return takeBase({ ...place, snapshots, isPassing }, { commit, entries: all });
}

async function treeOf(place: GitPlace, commit: string | null): Promise<CommitTree> {
  if (commit === null) return emptyTree;
  const tree = await commitTree(place, commit);
  if (tree === null) throw baseGone(commit);
  return tree;
}

function gitRepository(parts: {
  readonly root: string;
  readonly base: Base;
  readonly tree: CommitTree;
  readonly folders: GitFolders;
  readonly opening: Opening;
}): Repository {
  const { root, base, folders } = parts;
  const { snapshots, signal } = parts.opening;
  const dirty = new Map(Object.entries(base.dirty));
  const reader = baseReader({ root, dirty, tree: parts.tree, snapshots, signal });
  return {
    root,
    git: true,
    base,
    files: () => reader.files(),
    leftOut: () => nothingLeftOut,
    marks: () => reader.marks(),
    read: (path) => reader.read(path),
    exists: (path) => reader.exists(path),
    log: logOf({ root, signal }, base.commit),
    fingerprint: (during) => gitFingerprint({ root, signal: during }, folders),
  };
}

/** Git is asked once, at the first call. */
function logOf(place: GitPlace, commit: string | null): Repository['log'] {
  let commits: Promise<readonly PastCommit[] | null> | null = null;
  return () => {
    if (commits === null) {
      commits = commit === null ? Promise.resolve(null) : pastCommits(place, commit);
      // Whoever asked for it early may never wait for it.
      commits.catch(() => undefined);
    }
    return commits;
  };
}

function baseGone(commit: string): Stopped {
  return new Stopped({ reason: 'base-gone', commit });
}
