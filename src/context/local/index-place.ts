import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './segment-format.ts';

/**
 * The folder of a repository’s index among those of all repositories. To load node:crypto for one
 * hash takes 4 ms, and where git has hashed all contents nothing else needs it.
 */
export function indexPlace(folder: string, root: string): string {
  return join(folder, hashOf(root).toString(16).padStart(14, '0'));
}

/** Whether the repository with this root was searched before. */
export function hasIndex(folder: string, root: string): boolean {
  return existsSync(indexPlace(folder, root));
}
