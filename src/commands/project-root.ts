import { dirname, join } from 'node:path';
import { isThere } from './on-disk.ts';

/**
 * The folder that a command works on: the nearest one from `folder` upwards that has sessions
 * (`.workflow`) or is a git work tree; else `folder` itself.
 */
export async function projectRoot(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await isThere(join(at, '.workflow'))) || (await isThere(join(at, '.git')))) return at;
    if (at === dirname(at)) return folder;
  }
}
