// Defines the workspace: the folder that an agent run works in, and what becomes of it.
import type { WorkFolders } from './agent.ts';

/** `T` is what is kept of a call that is not read by a schema. */
export interface Workspace<T> extends WorkFolders {
  /**
   * Makes it ready for a call. Where the call before was killed, returns what it left, if that was
   * complete; null otherwise.
   */
  prepare?(call: { readonly wasKilled: boolean }): Promise<T | null>;
  /** Keeps what a call did, by its final text. */
  keep?(text: string): Promise<T>;
  /** Keeps what a call did that had answered when the program was killed; null where it is gone. */
  keepLeft?(text: string): Promise<T | null>;
}
