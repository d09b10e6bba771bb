// Checks that the branches of an execution can be made.
import { join, posix } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { lookAt } from './disk.ts';
import { gitFolders, textAt } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';

/**
 * Throws `usage` if git cannot make a branch below a prefix, or if a branch has its name: a branch
 * is a file to git, so that none can be made below it.
 */
export async function checkBranchPrefix(target: GitTarget, prefix: string): Promise<void> {
  const folders = await gitFolders(target).catch(() => null);
  // Without git or a repository, the branches are made in a private repository.
  if (folders === null) return;
  const name = `refs/heads/${prefix}/session`;
  const isPlain = /^[\w-]+(?:\/[\w-]+)*$/.test(prefix);
  if (!isPlain && !(await git(target, ['check-ref-format', name])).ok) {
    throw wrongUsage(
      `execution.branch_prefix: git takes no branch ${prefix}/SESSION; set another prefix.`,
    );
  }
  const packed = await textAt(join(folders.common, 'packed-refs'));
  const isThere = await Promise.all(
    above(prefix).map((one) => isBranch({ ...folders, packed }, one)),
  );
  const branch = above(prefix).find((_, at) => isThere[at]);
  if (branch === undefined) return;
  throw wrongUsage(
    `The branch ${branch} blocks ${prefix}/SESSION, the branch for the result; rename it, or set execution.branch_prefix to another prefix.`,
  );
}

/** True if the files of git have this branch; where branches are kept in tables, none is in the way. */
async function isBranch(
  { common, packed }: { readonly common: string; readonly packed: string },
  branch: string,
): Promise<boolean> {
  if (packed.split('\n').some((line) => line.endsWith(` refs/heads/${branch}`))) return true;
  return (await lookAt(common, `refs/heads/${branch}`)).kind === 'file';
}

/** The prefix and every prefix of it. */
function above(prefix: string): readonly string[] {
  const folder = posix.dirname(prefix);
  return folder === '.' || folder === '/' ? [prefix] : [prefix, ...above(folder)];
}
