import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The folder that a command works on: the nearest one from `folder` upwards that has sessions
 * (`.workflow`) or is a git work tree; else `folder` itself.
 */
export async function projectRoot(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await exists(join(at, '.workflow'))) || (await exists(join(at, '.git')))) return at;
    if (at === dirname(at)) return folder;
  }
}

async function exists(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  });
  return found !== null;
}
