// Defines the port `Worktrees`.
import type { Base } from '../model/context.ts';

/**
 * Work trees apart from the user's own, in which a plan is carried out. Each has a name, e.g. the id
 * of its task, a folder of its own in the user's data folder, and a branch `conclave/SESSION.NAME`
 * (git cannot keep `conclave/SESSION/NAME` beside the branch `conclave/SESSION`). The user's work
 * tree, index and branches are not touched before `apply`. Commits are full hashes; paths are
 * relative to the root of the session, with forward slashes; what lies beside that root in a larger
 * repository begins with `../`. What git refuses is thrown as `Stopped`.
 */
export interface Worktrees {
  /** The absolute path of the work tree of that name, whether it is there or not. */
  path(name: string): string;
  /** The absolute path of its top, which lies above where the session has a folder of a larger repository. */
  top(name: string): string;
  /** True where git still knows the work tree of that name, and its folder is there. */
  isThere(name: string): Promise<boolean>;
  /**
   * The commit that all work begins from: the base (that of the session without one) with its uncommitted
   * files carried in; of those that git does not track, the ones that `isNamed` tells. The same base gives the same commit.
   */
  start(isNamed?: (path: string) => boolean, base?: Base): Promise<StartCommit>;
  /** The base as of now, with its uncommitted files; their texts are kept. */
  baseNow(): Promise<Base>;
  /**
   * A clean work tree on the branch of that name: at the first commit, with the others merged into
   * it in order, by commits with that message. Whatever was there under that name before is gone.
   * It stops at the first merge that conflicts: the files hold the marks of git, and `commit` with
   * `parents` as told ends that merge.
   */
  make(name: string, commits: readonly string[], message?: string): Promise<Worktree>;
  /**
   * All that differs in the work tree of that name from the first of `parents`, as one commit on
   * them; its branch points there. Null where nothing differs and there is one parent.
   */
  commit(name: string, made: NewCommit): Promise<string | null>;
  /** The content of a commit as one commit on `parent`, to which the branch of that name points then; `parent` where nothing differs. */
  squash(name: string, work: SquashedWork): Promise<string>;
  /**
   * Puts the work tree of that name back to a commit, and its branch with it; ignored files stay. Of a
   * tree that was made, committed or cleaned, only what `touch` was told of is looked for.
   */
  clean(name: string, commit: string): Promise<void>;
  /** Says that something may run in the work tree of that name: what it holds after that, nobody knows. */
  touch(name: string): void;
  /** The commit that the branch of that name points to, with its message; null without one. */
  tip(name: string): Promise<{ readonly commit: string; readonly message: string } | null>;
  /** Which files differ between two commits. */
  changed(from: string, to: string): Promise<readonly string[]>;
  /** The changes between a commit and another, or the work tree of a name, in git's own form. */
  diff(from: string, to: { readonly commit: string } | { readonly name: string }): Promise<string>;
  /** True where git still has that commit. */
  has(commit: string): Promise<boolean>;
  /** The bytes of a file in a commit; null where there is none. */
  read(commit: string, path: string): Promise<Buffer | null>;
  /** Those of some files that a commit does not hold. */
  missing(commit: string, paths: readonly string[]): Promise<readonly string[]>;
  /** Those of some paths that git ignores in the work tree of that name, and does not know. */
  ignored(name: string, paths: readonly string[]): Promise<readonly string[]>;
  /** The files of a work tree that are in no commit. */
  untracked(name: string): Promise<UntrackedFiles>;
  /** Tells apart what the files of some names hold in a commit, in whatever folder; all files for null. */
  fingerprint(commit: string, names: readonly string[] | null): Promise<string>;
  /** Puts some files of a work tree to what they are in a commit, until it is cleaned. */
  restore(name: string, commit: string, paths: readonly string[]): Promise<void>;
  /** The content of the submodules of a work tree: a tree of git for each, by its path. */
  submodules(name: string): Promise<SubmoduleStates>;
  /** The changes in its submodules since, one patch for each; since the commits that are recorded for them where `before` is null. */
  submoduleChanges(
    name: string,
    before: SubmoduleStates | null,
  ): Promise<readonly SubmodulePatch[]>;
  /**
   * Points the branch `conclave/SESSION` at a commit, without the uncommitted files that were carried
   * in: with these, no other branch or tag ever holds it.
   */
  publish(commit: string, start?: StartCommit): Promise<Published>;
  /** Removes work tree and branch of each of the names, or all of this session's but `conclave/SESSION`. */
  reclaim(names?: readonly string[]): Promise<void>;
  /**
   * Removes the branch `conclave/SESSION` once its work has come home. Returns why it stays: it is
   * checked out, or holds more than that work; null where it is gone.
   */
  settle(commit: string, start: StartCommit): Promise<string | null>;
  /** Removes all that `reclaim` removes, and `conclave/SESSION` too. */
  discard(): Promise<void>;
  /**
   * Brings a commit home to the user's work tree: by a merge into the branch that is checked out, or,
   * where there is no commit to merge into, as changes of files that are not committed. What tasks changed
   * in uncommitted files that were carried in is merged into these files as they are now.
   * Changes nothing where that would overwrite what is uncommitted, or conflicts.
   */
  apply(commit: string, how?: ApplyHow, start?: StartCommit): Promise<ApplyResult>;
  /**
   * A commit merged into what is checked out now, with the carried files as they are now: itself where
   * that has not moved; or the files in conflict. Null where applying it makes no merge.
   */
  onto(commit: string, start?: StartCommit): Promise<MovedCommit | null>;
}

/** As a merge, as one commit, or as one commit a task without merges. */
export type ApplyHow = 'merge' | 'squash' | 'linear';

export interface MovedCommit {
  readonly commit: string;
  readonly isMoved: boolean;
  readonly conflicts: readonly string[];
  /** The commit that is checked out, and the first lines of those since. */
  readonly head?: { readonly commit: string; readonly since: readonly string[] };
}

/** Folders of which git knows nothing stand for all in them, with a slash at the end. */
export interface UntrackedFiles {
  readonly all: readonly string[];
  /** Those that git would take into a commit. */
  readonly unignored: readonly string[];
}

/** The tree of git that a submodule holds, by its path. */
export type SubmoduleStates = ReadonlyMap<string, string>;

export interface SubmodulePatch {
  /** Of the submodule. */
  readonly path: string;
  /** In git’s own form, with paths inside the submodule. */
  readonly patch: string;
}

export interface Published {
  readonly branch: string;
  /** Files in which the work cannot be told apart from uncommitted lines: it is not on the branch. */
  readonly kept: readonly string[];
}

export interface StartCommit {
  readonly commit: string;
  /** The uncommitted files in it. */
  readonly carried: readonly string[];
}

export interface Worktree {
  /** Absolute. */
  readonly path: string;
  /** The commit that is checked out: the merged one. */
  readonly head: string;
  /** Files in conflict; empty where all is merged. */
  readonly conflicts: readonly string[];
  /** The parents that a commit of the merge has; just `head` where nothing conflicts. */
  readonly parents: readonly string[];
}

export interface NewCommit {
  readonly parents: readonly string[];
  readonly message: string;
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
      /** Null where HEAD is detached, or files were written. */
      readonly branch: string | null;
      readonly files: readonly string[];
      /** The folder with what overwritten or deleted files held; null where there were none. */
      readonly backup: string | null;
      /** Uncommitted files with what tasks changed in them. */
      readonly uncommitted?: readonly string[];
      /** Why its branch stays, where only files were written. */
      readonly stays?: string;
    }
  | { readonly ok: false; readonly why: string; readonly files: readonly string[] };
