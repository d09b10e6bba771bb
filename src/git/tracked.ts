// Tells what git tracks in a folder of its own work tree, or of one below.
import { sha256Of } from '../store/digest.ts';
import { git, type GitTarget } from './git.ts';
import { gitAround, unreadable } from './git-folders.ts';

/**
 * A digest of all that git tracks in a folder below the root; null for nothing, also where no
 * repository is around it. Throws `Stopped` where git does not answer.
 */
export async function trackedDigest(
  { root, signal }: GitTarget,
  relative: string,
): Promise<string | null> {
  if (gitAround(`${root}/${relative}`) === null) return null;
  const lists = [
    // The folder may be tracked in another spelling, if case does not count here.
    await list({ root, signal }, ['--', `:(icase)${relative}`]),
    // A submodule on the way to it has an index of its own.
    await list({ root: `${root}/${relative}`, signal }, []),
  ];
  const all = Buffer.concat(lists);
  return all.length === 0 ? null : sha256Of(all);
}

async function list(target: GitTarget, paths: readonly string[]): Promise<Buffer> {
  const answer = await git(target, ['ls-files', '--stage', '-z', ...paths]);
  if (answer.ok) return answer.stdout;
  if (answer.reason.startsWith('fatal: not a git repository (or any ')) return Buffer.alloc(0);
  throw unreadable(target.root, answer.reason);
}
