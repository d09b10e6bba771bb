// Defines the port `Worktrees`.
import type { Base } from '../model/context.ts';

/**
 * Work trees apart from the user's own, in which a plan is executed. Each has a name, e.g. the id of
 * its task, its own folder in the user's data folder, and a branch `conclave/SESSION.NAME` (git
 * cannot keep both `conclave/SESSION/NAME` and `conclave/SESSION`). The user's work tree, index and
 * branches are not touched before `apply`. Commits are full hashes; paths are relative to the root
 * of the session, with forward slashes; paths outside of that root in a larger repository begin
 * with `../`. What git refuses is thrown as `Stopped`.
 */
export interface Worktrees {
  /** The absolute path of the work tree of that name, whether it is there or not. */
  path(name: string): string;
  /**
   * The absolute path of its top, which lies above the root if the session has a folder of a larger
   * repository.
   */
  top(name: string): string;
  /** True if git still knows the work tree of that name, and its folder exists. */
  isThere(name: string): Promise<boolean>;
  /**
   * The commit that all work begins from: the base (by default that of the session) with its
   * uncommitted files carried in; of untracked files, those that `isNamed` accepts. The same base
   * gives the same commit.
   */
  start(isNamed?: (path: string) => boolean, base?: Base): Promise<StartCommit>;
  /**
   * Lays out the same commit in this folder, which is emptied first: no work tree of git, but plain files
   * with a git directory that knows only this commit.
   */
  copyStart(folder: string, isNamed: (path: string) => boolean): Promise<CopiedStart>;
  /** The base as of now, with its uncommitted files; their texts are kept. */
  baseNow(): Promise<Base>;
  /**
   * Makes a clean work tree on the branch of that name: at the first commit, with the others merged
   * into it in order, by commits with that message. Whatever existed under that name before is
   * removed. It stops at the first merge that conflicts: the files hold conflict markers, and
   * `commit` with the returned `parents` ends that merge.
   */
  make(name: string, commits: readonly string[], message?: string): Promise<Worktree>;
  /**
   * Commits all differences of the work tree of that name from the first of `parents`, as one
   * commit on them; its branch points there. Null if nothing differs and there is one parent.
   */
  commit(name: string, made: NewCommit): Promise<string | null>;
  /**
   * Merges one commit into another by a commit, without a work tree where git can do that, or else in that of
   * the name. The files in conflict if there is no such commit.
   */
  merge(
    name: string,
    commits: readonly [into: string, other: string],
    message?: string,
  ): Promise<MergeTry>;
  /**
   * Makes the content of a commit one commit on `parent`, which no branch shows; returns `parent` if nothing
   * differs.
   */
  squash(work: SquashedWork): Promise<string>;
  /**
   * Resets the work tree of that name to a commit, and its branch with it; ignored files stay. In a
   * tree that was made, committed or cleaned, only what `touch` was told about is checked.
   */
  clean(name: string, commit: string): Promise<void>;
  /** Says that something may run in the work tree of that name, so that its content is unknown afterwards. */
  touch(name: string): void;
  /**
   * Says that nobody needs the work tree of that name any more: the next `make` may use it, and `reclaim`
   * removes it, whatever it is asked to remove.
   */
  free(name: string): void;
  /** The commit that the branch of that name points to, with its message, or null. */
  tip(name: string): Promise<{ readonly commit: string; readonly message: string } | null>;
  /** Lists the files that differ between two commits. */
  changed(from: string, to: string): Promise<readonly string[]>;
  /** True if one of them is a symbolic link in the second commit. */
  hasLinks(from: string, to: string): Promise<boolean>;
  /** Makes a commit on `of` like `start`, but with these files as they are in `of`. */
  compose(parts: ComposedCommit): Promise<string>;
  /** Keeps a commit under this name, which no branch or tag shows, until the execution is discarded. */
  hold(name: string, commit: string): Promise<void>;
  /** The files of a commit below the root, without those of submodules. */
  files(commit: string): Promise<CommitFiles>;
  /** The changes between a commit and another, or the work tree of a name, in git's own form. */
  diff(from: string, to: { readonly commit: string } | { readonly name: string }): Promise<string>;
  /** True if git still has that commit. */
  has(commit: string): Promise<boolean>;
  /** The bytes of a file in a commit; null if it is not there. */
  read(commit: string, path: string): Promise<Buffer | null>;
  /** Picks the files that a commit does not hold. */
  missing(commit: string, paths: readonly string[]): Promise<readonly string[]>;
  /** Picks the paths that git ignores and does not track in the work tree of that name. */
  ignored(name: string, paths: readonly string[]): Promise<readonly string[]>;
  /** How a work tree differs from its commit, each as git tells it in short, also files that it ignores (`!! x`). */
  status(name: string): Promise<readonly string[]>;
  /** The files of a work tree that are in no commit. */
  untracked(name: string): Promise<UntrackedFiles>;
  /** Identifies the content of files of some names in a commit, in any folder; of all files for null. */
  fingerprint(commit: string, names: readonly string[] | null): Promise<string>;
  /** The content of the submodules of a work tree: a git tree for each, by its path. */
  submodules(name: string): Promise<SubmoduleStates>;
  /**
   * The changes in its submodules since then, one patch for each; since the commits recorded for
   * them if `before` is null.
   */
  submoduleChanges(
    name: string,
    before: SubmoduleStates | null,
  ): Promise<readonly SubmodulePatch[]>;
  /**
   * Points the branch `conclave/SESSION` at a commit, without the uncommitted files that were
   * carried in: no branch or tag ever holds those.
   */
  publish(commit: string, start?: StartCommit): Promise<Published>;
  /** Removes the work tree and branch of each name, or all of this session's except `conclave/SESSION`. */
  reclaim(names?: readonly string[]): Promise<void>;
  /**
   * Removes the branch `conclave/SESSION` once its work has come home. Returns why it stays (it is
   * checked out, or holds more than that work), or null if it was removed.
   */
  settle(commit: string, start: StartCommit): Promise<string | null>;
  /** Removes all that `reclaim` removes, and `conclave/SESSION` too. */
  discard(): Promise<void>;
  /**
   * Brings a commit home to the user's work tree: by a merge into the branch that is checked out
   * or, without a commit to merge into, as uncommitted changes of files. What tasks changed in
   * uncommitted files that were carried in is merged into these files as they are now. Changes
   * nothing if that would overwrite uncommitted changes, or conflicts.
   */
  apply(commit: string, how?: ApplyHow, start?: StartCommit): Promise<ApplyResult>;
  /**
   * A commit merged into what is checked out now, with the carried files as they are now: the
   * commit itself if HEAD has not moved; or the files in conflict. Null if applying it makes no
   * merge.
   */
  onto(commit: string, start?: StartCommit): Promise<MovedCommit | null>;
}

/** How a commit comes home: as a merge, as one commit, or as one commit per task without merges. */
export type ApplyHow = 'merge' | 'squash' | 'linear';

export interface MovedCommit {
  readonly commit: string;
  readonly isMoved: boolean;
  readonly conflicts: readonly string[];
  /** The commit that is checked out, and the first lines of the commits since. */
  readonly head?: { readonly commit: string; readonly since: readonly string[] };
}

/** Untracked files. A path that ends with a slash is an untracked folder with everything in it. */
export interface UntrackedFiles {
  readonly all: readonly string[];
  /** The files that git would take into a commit. */
  readonly unignored: readonly string[];
}

/** The git tree that a submodule holds, by its path. */
export type SubmoduleStates = ReadonlyMap<string, string>;

export interface SubmodulePatch {
  /** The path of the submodule. */
  readonly path: string;
  /** The patch in git’s own form, with paths inside the submodule. */
  readonly patch: string;
}

export interface Published {
  readonly branch: string;
  /** Files left off the branch because the work in them cannot be separated from uncommitted lines. */
  readonly kept: readonly string[];
}

export interface StartCommit {
  readonly commit: string;
  /** The uncommitted files in it. */
  readonly carried: readonly string[];
}

/** A commit that is laid out apart from the repository. */
export interface CopiedStart {
  readonly commit: string;
  /** The folder with its files; absolute. */
  readonly files: string;
  /** Its git directory, outside of it; absolute. */
  readonly git: string;
  /** The top of the user’s work tree, which it is a copy of; absolute. */
  readonly top: string;
  /** Undoes all changes of files that git does not ignore. */
  restore(): Promise<void>;
}

export interface Worktree {
  /** The absolute path. */
  readonly path: string;
  /** The commit that is checked out, with the merges made. */
  readonly head: string;
  /** Files in conflict; empty if everything is merged. */
  readonly conflicts: readonly string[];
  /** The parents of a commit that ends the merge; just `head` if nothing conflicts. */
  readonly parents: readonly string[];
}

/** A merge that was tried: its commit, or the files in conflict. */
export interface MergeTry {
  readonly commit: string | null;
  readonly conflicts: readonly string[];
}

export interface NewCommit {
  readonly parents: readonly string[];
  readonly message: string;
}

export interface ComposedCommit {
  readonly start: string;
  readonly of: string;
  readonly paths: readonly string[];
}

/** The files of a commit. */
export interface CommitFiles {
  readonly files: ReadonlySet<string>;
  isLink(path: string): boolean;
  /** The text of a file, or the target of a link; null if it is not there or no text. */
  read(path: string): Promise<string | null>;
}

export interface SquashedWork {
  readonly commit: string;
  readonly parent: string;
  readonly message: string;
}

export type ApplyResult =
  | {
      readonly ok: true;
      readonly how: 'merged' | 'files';
      /** The branch that moved; null if HEAD is detached, or files were written. */
      readonly branch: string | null;
      readonly files: readonly string[];
      /** The folder with the previous content of overwritten or deleted files, or null. */
      readonly backup: string | null;
      /** Uncommitted files that contain what tasks changed in them. */
      readonly uncommitted?: readonly string[];
      /** Why its branch stays, if only files were written. */
      readonly stays?: string;
    }
  | { readonly ok: false; readonly why: string; readonly files: readonly string[] };
