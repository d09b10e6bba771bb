// Checks that the branches of an execution can be made.
import { posix } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { git, type GitTarget } from './git.ts';

/**
 * Throws `usage` if git cannot make a branch below a prefix, or if a branch has its name: a branch
 * is a file to git, so that none can be made below it.
 */
export async function checkBranchPrefix(target: GitTarget, prefix: string): Promise<void> {
  const inPlace = above(prefix).map((branch) => `refs/heads/${branch}`);
  const found = await git(target, ['for-each-ref', '--format=%(refname)', ...inPlace]);
  // Without git or a repository, the branches are made in a private repository.
  if (!found.ok) return;
  const name = `refs/heads/${prefix}/session`;
  const isPlain = /^[\w-]+(?:\/[\w-]+)*$/.test(prefix);
  if (!isPlain && !(await git(target, ['check-ref-format', name])).ok) {
    throw wrongUsage(
      `execution.branch_prefix: git takes no branch ${prefix}/SESSION; set another prefix.`,
    );
  }
  // The command also lists the branches below.
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

/** The prefix and every prefix of it. */
function above(prefix: string): readonly string[] {
  const folder = posix.dirname(prefix);
  return folder === '.' || folder === '/' ? [prefix] : [prefix, ...above(folder)];
}
