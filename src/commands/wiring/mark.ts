import { sha256Of } from '../../store/digest.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

/**
 * Starts the mark of every process that a session starts. The same folder has the same mark in
 * every process of ours; a copy of the folder elsewhere has another.
 */
export function markPrefixOf({ path }: SessionFolder): string {
  return `${sha256Of(path).slice(0, 16)}.`;
}
