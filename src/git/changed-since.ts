import { join } from 'node:path';
import { statMarkAt } from './content-mark.ts';
import { git } from './git.ts';
import type { Repository } from './repository.ts';

/** Files whose content on the disk may be another one than at the base. */
export async function changedSince(
  { root, base }: Pick<Repository, 'root' | 'base'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const uncommitted = Object.entries(base.dirty)
    .filter(([path, stamp]) => stamp !== 'deleted' && statMarkAt(join(root, path)) !== stamp)
    .map(([path]) => path);
  if (base.commit === null) return uncommitted;
  const answer = await git({ root, signal }, [...args, base.commit, '--', '.']);
  const changed = answer.ok ? answer.stdout.toString('utf8').split('\0') : [];
  const known = new Set(Object.keys(base.dirty));
  return [...uncommitted, ...changed.filter((path) => path !== '' && !known.has(path))];
}

const args =
  'diff --name-only --no-renames --no-ext-diff --relative --ignore-submodules=all -z'.split(' ');
