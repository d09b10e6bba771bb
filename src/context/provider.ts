// Defines the port `ContextProvider`, and its time limits.
import type { RelevantFile } from '../model/context.ts';
import type { Result } from '../model/failure.ts';

/** The names used in `context.providers`; to know them loads none of the providers. */
export const contextNames = ['mcp', 'search'] as const;

export interface ContextQuery {
  /** The absolute path of the folder that is searched. */
  readonly root: string;
  readonly task: string;
  /** The keywords, best first: identifiers in the task text before plain words. */
  readonly keywords: readonly string[];
  /** The user’s current folder, relative to the root; empty for the root. */
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
  /** The text of the remark, a sentence. */
  readonly text: string;
  /** True if the found files are worse because of it. */
  readonly isWeaker: boolean;
}

/** Finds the files that a task is about. The first provider that answers within its time wins. */
export interface ContextProvider {
  readonly name: string;
  /** Its own time limit in ms, if it differs from that of the search. */
  readonly timeoutMs?: number;
  /** True if its files are only used together with those of the next provider. */
  readonly neverAlone?: boolean;
  /** Files inside the root, best first. Rejects soon after the signal is aborted. */
  search(
    query: ContextQuery,
    limits: SearchLimits,
  ): Promise<Result<readonly RelevantFile[], SearchFailure>>;
}

export interface SearchFailure {
  /** The reason for people, as one clause, e.g. "the server did not start". */
  readonly reason: string;
}

/** The longest time that a timer of the platform can hold, in ms; a longer one would fire at once. */
export const longestTimer = 2 ** 31 - 1;

/** Makes a signal that is aborted after `ms`; `Infinity` is allowed. */
export function timeLimit(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimer));
}
