// Compares what is checked out now with the commit of a base.
import type { Base } from '../model/context.ts';
import { commitInFiles, gitFolders } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';

export interface HeadSince {
  /** The commit that is checked out, abbreviated. */
  readonly head: string;
  /** The number of commits that came since. */
  readonly more: number;
  /** Commits of the base that it lacks, as after switching branches. */
  readonly missing: number;
}

/** Compares HEAD with the base; null if they are the same commit, or there is none. */
export async function headSince(
  target: GitTarget,
  { commit }: Pick<Base, 'commit'>,
): Promise<HeadSince | null> {
  if (commit === null) return null;
  const folders = await gitFolders(target).catch(() => null);
  if (folders !== null && (await commitInFiles(folders)) === commit) return null;
  const counts = await git(target, ['rev-list', '--left-right', '--count', `${commit}...HEAD`]);
  if (!counts.ok) return null;
  const [missing = 0, more = 0] = counts.stdout.toString().trim().split(/\s+/).map(Number);
  if (missing + more === 0) return null;
  const head = await git(target, ['rev-parse', '--short', 'HEAD']);
  return head.ok ? { head: head.stdout.toString().trim(), more, missing } : null;
}
