// Opens a repository at its base, or reads a folder without git.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Base } from '../model/context.ts';
import { Stopped } from '../model/failure.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { baseReader, takeBase, type Snapshots } from './base.ts';
import { commitTree, type CommitTree } from './commit-tree.ts';
import { lookAt, readPlainFile, textOf, withoutLinks } from './disk.ts';
import { gitFingerprint, plainFingerprint } from './fingerprint.ts';
import { gitFolders, isIgnoredFolder, type GitFolders, unreadable } from './git-folders.ts';
import { workTreeStatus, changesInSubmodules } from './git-status.ts';
import type { GitTarget } from './git.ts';
import { pastCommits, type PastCommit } from './past-commits.ts';
import { plainPath } from './paths.ts';
import type { Repository } from './repository.ts';
import { uncommittable } from './uncommittable.ts';
import { nothingLeftOut, walk } from './walk.ts';

export type { Snapshots } from './base.ts';

/** The input of opening a repository. */
interface Opening {
  readonly root: string;
  /** The recorded base of a session that is resumed, or null to take the base now. */
  readonly base: Base | null;
  /** Null keeps no texts: an uncommitted file is then readable only until it changes. */
  readonly snapshots: Snapshots | null;
  /** Ends every git command of this repository, including later ones. */
  readonly signal: AbortSignal;
}

/**
 * Opens the repository at the base. Throws `Stopped` if `root` is not a folder, or if the commit of
 * the recorded base is gone.
 */
export async function openRepository(opening: Opening): Promise<Repository> {
  const { base: recorded, signal } = opening;
  const root = await nullIfAbsent(realpath(resolve(opening.root)));
  if (root === null) {
    throw new Stopped({ reason: 'usage', message: `There is no folder ${opening.root}.` });
  }
  const target = { root, signal };
  const folders = await foldersAround(target);
  if (folders === null) {
    const commit = recorded?.commit ?? null;
    if (commit !== null) throw baseGone(commit);
    return plainRepository({ root, base: noBase, folders: null, signal });
  }
  if (recorded !== null && isNothing(recorded)) {
    return plainRepository({ root, base: recorded, folders, signal });
  }
  const base = recorded ?? (await baseNow(target, folders, opening.snapshots));
  const tree = await treeOf(target, base.commit);
  const { snapshots } = opening;
  const dirty = new Map(Object.entries(base.dirty));
  return {
    root,
    git: true,
    base,
    ...baseReader({ root, dirty, tree, snapshots, signal }),
    leftOut: () => nothingLeftOut,
    uncommittable: (paths) => uncommittable(target, { commit: base.commit, paths }),
    log: logOf(target, base.commit),
    fingerprint: (during) => gitFingerprint({ root, signal: during }, folders),
  };
}

/** The git folders; null without git, and in a folder that the surrounding repository ignores. */
async function foldersAround(target: GitTarget): Promise<GitFolders | null> {
  const folders = await gitFolders(target);
  const isIgnored = (folders?.prefix ?? '') !== '' && (await isIgnoredFolder(target));
  return isIgnored ? null : folders;
}

/** The base that a repository opened now would have. */
export async function takeBaseNow(target: GitTarget, snapshots: Snapshots | null): Promise<Base> {
  const folders = await foldersAround(target);
  return folders === null ? noBase : await baseNow(target, folders, snapshots);
}

/** True for an empty base, such as that of a session begun without git: only the disk is left to read. */
function isNothing({ commit, dirty }: Base): boolean {
  return commit === null && Object.keys(dirty).length === 0;
}

async function baseNow(
  target: GitTarget,
  { prefix }: GitFolders,
  snapshots: Snapshots | null,
): Promise<Base> {
  const status = await workTreeStatus(target, prefix);
  if (!status.ok) throw unreadable(target.root, status.failure.reason);
  const { commit, entries } = status.value;
  const inside = await changesInSubmodules(target, entries);
  const own = entries.filter(({ readable }) => readable).map(({ path }) => path);
  return takeBase({ ...target, snapshots }, { commit, paths: [...own, ...inside] });
}

async function treeOf(target: GitTarget, commit: string | null): Promise<CommitTree> {
  if (commit === null) return new Map();
  const tree = await commitTree(target, commit);
  if (tree === null) throw baseGone(commit);
  return tree;
}

/** Reads the log by one git command, at the first call. */
function logOf(target: GitTarget, commit: string | null): Repository['log'] {
  let commits: Promise<readonly PastCommit[] | null> | null = null;
  return () => {
    if (commits === null) {
      commits = commit === null ? Promise.resolve(null) : pastCommits(target, commit);
      // A caller that asked for it early may never await it.
      commits.catch(() => undefined);
    }
    return commits;
  };
}

function baseGone(commit: string): Stopped {
  return new Stopped({ reason: 'base-gone', commit });
}

/** A base without a commit and without changes. */
export const noBase: Base = { commit: null, dirty: {} };

/**
 * A repository that is read from the disk as it is now: git is missing, or may have been missing
 * when the base was taken. `folders` is null without git.
 */
export function plainRepository(parts: {
  readonly root: string;
  readonly base: Base;
  readonly folders: GitFolders | null;
  readonly signal: AbortSignal;
}): Repository {
  const { root, base, folders, signal } = parts;
  let leftOut = nothingLeftOut;
  const files = async (): Promise<readonly string[]> => {
    const { files: found, ...rest } = await walk(root, { signal });
    leftOut = rest;
    return found;
  };
  return {
    root,
    git: folders !== null,
    base,
    files,
    leftOut: () => leftOut,
    async read(path) {
      const file = await placeOf(root, path);
      const content = file === null ? null : await readPlainFile(root, file);
      return content === null ? null : textOf(content);
    },
    async exists(path) {
      const file = await placeOf(root, path);
      return file !== null && (await lookAt(root, file)).kind === 'file';
    },
    uncommittable: async () => new Map(),
    log: async () => null,
    fingerprint(during) {
      const target = { root, signal: during };
      return folders === null ? plainFingerprint(target) : gitFingerprint(target, folders);
    },
  };
}

async function placeOf(root: string, path: string): Promise<string | null> {
  const plain = plainPath(path);
  const target = plain === null ? null : await withoutLinks(root, plain);
  return target === null ? null : plainPath(target);
}
