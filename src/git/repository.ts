// Defines the port `Repository`.
import type { Base } from '../model/context.ts';
import type { PastCommit } from './past-commits.ts';
import type { LeftOut } from './walk.ts';

/** The state of the work tree at one moment: each path has a stamp that changes with the content. */
export interface Fingerprint {
  readonly stamps: ReadonlyMap<string, string>;
}

/** Why a change of a file would be in no commit of the repository. */
export type Uncommittable = 'ignored' | 'submodule';

/**
 * The repository as it was when the session started. `root` is absolute; every path is
 * relative to it, with forward slashes. Nothing here follows a link out of the root.
 */
export interface Repository {
  readonly root: string;
  readonly git: boolean;
  readonly base: Base;
  /** Lists every file that is tracked, or untracked and not ignored; `.workflow` and `.git` are left out. */
  files(): Promise<readonly string[]>;
  /** Files that the last listing left out; always empty with git. */
  leftOut(): LeftOut;
  /** The content at the base, or null if there is no such text file. */
  read(path: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
  /** Picks the paths that git would not commit here; empty without git. */
  uncommittable(paths: readonly string[]): Promise<ReadonlyMap<string, Uncommittable>>;
  /**
   * The latest commits up to the base without merges, newest first, read once; null without a
   * commit or if git cannot list them.
   */
  log(): Promise<readonly PastCommit[] | null>;
  fingerprint(signal: AbortSignal): Promise<Fingerprint>;
}
