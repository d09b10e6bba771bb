import { createHash } from 'node:crypto';
import type { SessionFolder } from '../../store/session-folder.ts';

/**
 * Starts the mark of every process that a session starts. The same folder has the same mark in
 * every process of ours; a copy of the folder elsewhere has another.
 */
export function markPrefixOf({ path }: SessionFolder): string {
  return `${createHash('sha256').update(path).digest('hex').slice(0, 16)}.`;
}
