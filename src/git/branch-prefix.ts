// Checks that the branches of an execution can be made.
import { posix } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { git, type GitTarget } from './git.ts';

/**
 * Throws `usage` where git takes no branch below a prefix, or has a branch in its place: a branch is a
 * file to git, so that none can be made below it.
 */
export async function checkBranchPrefix(target: GitTarget, prefix: string): Promise<void> {
  const inPlace = above(prefix).map((branch) => `refs/heads/${branch}`);
  const found = await git(target, ['for-each-ref', '--format=%(refname)', ...inPlace]);
  // There is no git, or no repository: the branches are made in one that nobody else has.
  if (!found.ok) return;
  const name = `refs/heads/${prefix}/session`;
  const isPlain = /^[\w-]+(?:\/[\w-]+)*$/.test(prefix);
  if (!isPlain && !(await git(target, ['check-ref-format', name])).ok) {
    throw wrongUsage(
      `execution.branch_prefix: git takes no branch ${prefix}/SESSION; set another prefix.`,
    );
  }
  // It lists those below as well.
  const other = found.stdout
    .toString()
    .split('\n')
    .find((ref) => inPlace.includes(ref));
  if (other === undefined) return;
  const branch = other.slice('refs/heads/'.length);
  throw wrongUsage(
    `The branch ${branch} blocks ${prefix}/SESSION, the branch for the result; rename it, or set execution.branch_prefix to another prefix.`,
  );
}

/** The prefix and all that it lies below. */
function above(prefix: string): readonly string[] {
  const folder = posix.dirname(prefix);
  return folder === '.' || folder === '/' ? [prefix] : [prefix, ...above(folder)];
}
