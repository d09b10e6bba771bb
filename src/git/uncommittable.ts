// Says which files git would not commit in this repository: ignored ones, and those of a submodule.
import { git, type GitTarget, recordsOf } from './git.ts';
import { folderOf, plainPath } from './paths.ts';
import type { Uncommittable } from './repository.ts';

/**
 * Judges all paths by two git commands. A path is judged by the present ignore rules, but a tracked
 * file is never ignored; submodules are those of the commit.
 */
export async function uncommittable(
  target: GitTarget,
  { commit, paths }: { readonly commit: string | null; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, Uncommittable>> {
  const known = new Map(paths.map((path) => [path, plainPath(path)]));
  const plain = [...new Set(known.values())].filter((path) => path !== null);
  const submodules = await submodulesAbove(target, commit, plain);
  const inside = new Set(
    plain.filter((path) => foldersAbove(path).some((at) => submodules.has(at))),
  );
  // Git gives no answer at all if one of the paths lies in a submodule.
  const ignored = await ignoredAmong(
    target,
    plain.filter((path) => !inside.has(path)),
  );
  const reasonFor = (path: string | null): Uncommittable | null => {
    if (path === null) return null;
    return inside.has(path) ? 'submodule' : ignored.has(path) ? 'ignored' : null;
  };
  return new Map(
    [...known].flatMap(([path, form]) => {
      const reason = reasonFor(form);
      return reason === null ? [] : [[path, reason] as const];
    }),
  );
}

/** The submodules that any of the paths lies in. */
async function submodulesAbove(
  target: GitTarget,
  commit: string | null,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const folders = [...new Set(paths.flatMap(foldersAbove))];
  if (commit === null || folders.length === 0) return new Set();
  const answer = await git(target, ['ls-tree', '-z', commit, '--', ...folders]);
  const entries = answer.ok ? [...recordsOf(answer.stdout)].map(String) : [];
  return new Set(
    entries.flatMap((entry) => (entry.startsWith('160000 ') ? entry.replace(/^.*?\t/s, '') : [])),
  );
}

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) above.push(at);
  return above;
}

/** Picks the paths that git ignores; empty if it cannot tell. */
export async function ignoredAmong(
  target: GitTarget,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const asked = paths.map((path) => `${path}\0`).join('');
  // The command ends with 1 if none is ignored.
  const answer = await git(target, ['check-ignore', '-z', '--stdin'], asked);
  return new Set(answer.ok ? [...recordsOf(answer.stdout)].map(String) : []);
}
