import { isUtf8 } from 'node:buffer';
import { submodulePlace } from './commit-tree.ts';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { recordsOf, type StatusEntry, workTreeStatus } from './git-status.ts';
import { guardedGit } from './guarded-git.ts';
import { isOwnFolder, joined } from './paths.ts';

/**
 * The uncommitted paths in the submodules among these uncommitted paths: what HEAD has for a
 * submodule is what its files are compared with.
 */
export async function changesInSubmodules(
  place: GitPlace,
  entries: readonly StatusEntry[],
): Promise<readonly string[]> {
  const submodules = entries.filter(isSubmodule);
  const changes = await eachLimited(submodules, async ({ path, committed }) => {
    const inside = await submodulePlace(place, path);
    const changed = inside === null ? [] : await changesSince(committed, inside);
    return changed.map((name) => joined(path, name)).filter((name) => !isOwnFolder(name));
  });
  return changes.flat();
}

function isSubmodule({ submodule }: StatusEntry): boolean {
  return submodule.startsWith('S');
}

/** Without a commit there is nothing to compare with: every file counts as changed. */
async function changesSince(commit: string | null, place: GitPlace): Promise<readonly string[]> {
  const status = await workTreeStatus(place, '');
  if (!status.ok) return [];
  const { entries } = status.value;
  const compared =
    commit === null
      ? await git(place, ['ls-files', '-z', '--recurse-submodules'])
      : await guardedGit(place, [...differences, commit, '--']);
  const tracked = compared.ok ? [...recordsOf(compared.stdout)].filter((name) => isUtf8(name)) : [];
  const own = entries
    .filter((entry) => entry.readable && !isSubmodule(entry))
    .map(({ path }) => path);
  const deeper = await changesInSubmodules(place, entries);
  return [...new Set([...own, ...tracked.map(String), ...deeper])];
}

/** Between a commit and the work tree. No program that a setting names is started. */
const differences =
  'diff --name-only -z --no-renames --no-ext-diff --no-textconv --ignore-submodules=all'.split(' ');
