import type { RelevantFile } from '../model/context.ts';
import type { Result } from '../model/failure.ts';

export interface ContextQuery {
  /** Absolute path of the folder that is searched. */
  readonly root: string;
  readonly task: string;
  /** Best first: identifiers of the task text before plain words. */
  readonly keywords: readonly string[];
}

export interface SearchLimits {
  readonly maxFiles: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Finds the files that a task is about. The first provider that answers within its time wins. */
export interface ContextProvider {
  readonly name: string;
  /** Best first. A failure is one clause for people, e.g. "rg is not installed". */
  search(
    query: ContextQuery,
    limits: SearchLimits,
  ): Promise<Result<readonly RelevantFile[], { readonly reason: string }>>;
}
