// Defines the port `ContextProvider`.
import type { RelevantFile } from '../model/context.ts';
import type { Result } from '../model/failure.ts';

export interface ContextQuery {
  /** Absolute path of the folder that is searched. */
  readonly root: string;
  readonly task: string;
  /** Best first: identifiers of the task text before plain words. */
  readonly keywords: readonly string[];
  /** The folder where the user stands, relative to the root; empty for the root. */
  readonly standing?: string;
}

export interface SearchLimits {
  readonly maxFiles: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onNote?: (note: SearchNote) => void;
}

/** A remark on an answer, e.g. that not all files were read in time. */
export interface SearchNote {
  /** A sentence. */
  readonly text: string;
  /** True where the files that were found are worse for it. */
  readonly isWeaker: boolean;
}

/** Finds the files that a task is about. The first provider that answers within its time wins. */
export interface ContextProvider {
  readonly name: string;
  /** Its own time limit in ms, where that of the search is not its. */
  readonly timeoutMs?: number;
  /** Its files are only used together with those of the next provider. */
  readonly neverAlone?: boolean;
  /** Files inside the root, best first. Rejects soon after the signal is aborted. */
  search(
    query: ContextQuery,
    limits: SearchLimits,
  ): Promise<Result<readonly RelevantFile[], SearchFailure>>;
}

export interface SearchFailure {
  /** One clause for people, e.g. "the server did not start". */
  readonly reason: string;
}
