// Sorts the files that a task changed: those of the work, those that come along, those that wait for a person.
import type { Task } from '../../model/task.ts';

/** The files of one commit, and their texts. */
export interface SourceTree {
  /** The paths of all files, relative to the root of the session. */
  readonly files: ReadonlySet<string>;
  /** The text of a file; for a link, the path that it leads to; null if it is not there or no text. */
  read(path: string): Promise<string | null>;
  /** True for a symbolic link. */
  isLink(path: string): boolean;
}

export interface ChangedWork {
  readonly task: Pick<Task, 'files' | 'test' | 'type' | 'checks'>;
  /** The files that differ between the start of the task and its work. */
  readonly changed: readonly string[];
  /** The commit that the task began from. */
  readonly before: SourceTree;
  /** The commit with everything that the agent changed. */
  readonly after: SourceTree;
}

export interface SortedWork {
  /** The files that belong to the work, and so show it done. */
  readonly work: readonly string[];
  /** Those of them that the task does not name. */
  readonly unnamed: readonly string[];
  /** The files that come along with the result although they show nothing. */
  readonly along: readonly string[];
  /** The files that stay out of the result until a person accepts them, with the reason as a clause. */
  readonly apart: readonly { readonly path: string; readonly why: string }[];
  /** Links that lead out of the repository. They are also in `work`, `along` or `apart`. */
  readonly linksOut: readonly string[];
  /** The files that the task names and that nobody touched. */
  readonly untouched: readonly string[];
}

/** Sorts what a task changed. It reads at most a few hundred files. */
export declare function sortWork(work: ChangedWork): Promise<SortedWork>;

/** True for a file that a task names, or that is in a folder that it names. */
export declare function isNamed(task: Pick<Task, 'files' | 'test'>, path: string): boolean;
