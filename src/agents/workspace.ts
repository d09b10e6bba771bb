// Defines the workspace: the folder that an agent run works in, and what becomes of it.
import type { WorkFolders } from './agent.ts';

/** The workspace of a call. `T` is what is kept of a call whose answer no schema reads. */
export interface Workspace<T> extends WorkFolders {
  /**
   * Prepares it for a call. If the previous call was killed, returns what it left, if that was
   * complete, or else null.
   */
  prepare?(call: { readonly wasKilled: boolean }): Promise<T | null>;
  /** Keeps what a call did, according to its final text. */
  keep?(text: string): Promise<T>;
  /** Keeps what a call did that had answered before the program was killed; null if it is gone. */
  keepLeft?(text: string): Promise<T | null>;
}

/** Makes the workspace of a call that is answered in words. */
export function textWorkspace(folders: Omit<WorkFolders, 'hidden'>): Workspace<string> {
  return { ...folders, hidden: [], keep: async (text) => text };
}
