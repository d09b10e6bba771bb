// Says which files git would not commit in this repository: ignored ones, and those of a submodule.
import { dirname, join } from 'node:path';
import { eachLimited } from '../store/each-limited.ts';
import { hasNoSubmodules } from './commit-tree.ts';
import { stampOf } from './disk.ts';
import { settingsAround, textAt } from './git-folders.ts';
import { git, type GitTarget, recordsOf } from './git.ts';
import { foldersAbove, plainPath } from './paths.ts';
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
  const folders = [...new Set(paths.flatMap(foldersAbove))].filter((at) => at !== '');
  if (commit === null || folders.length === 0 || hasNoSubmodules(target, commit)) return new Set();
  const answer = await git(target, ['ls-tree', '-z', commit, '--', ...folders]);
  const entries = answer.ok ? [...recordsOf(answer.stdout)].map(String) : [];
  return new Set(
    entries.flatMap((entry) => (entry.startsWith('160000 ') ? entry.replace(/^.*?\t/s, '') : [])),
  );
}

/** Paths that git was asked about, by their folder, with the stamps of the rules and its answer. */
const known = new Map<string, { readonly stamp: string; readonly ignored: ReadonlySet<string> }>();

/** Picks the paths that git ignores; empty if it cannot tell. Asks git again once a rule has changed. */
export async function ignoredAmong(
  target: GitTarget,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const asked = paths.map((path) => `${path}\0`).join('');
  const key = `${target.root}\n${asked}`;
  const stamp = await rulesStamp(target, paths);
  const last = known.get(key);
  if (last !== undefined && last.stamp === stamp) return last.ignored;
  // The command ends with 1 if none is ignored.
  const answer = await git(target, ['check-ignore', '-z', '--stdin'], asked);
  const ignored = new Set(answer.ok ? [...recordsOf(answer.stdout)].map(String) : []);
  if (stamp !== null && (answer.ok || answer.exitCode === 1)) known.set(key, { stamp, ignored });
  return ignored;
}

/** The stamps of everything that decides what is ignored; null if settings name more files. */
async function rulesStamp(target: GitTarget, paths: readonly string[]): Promise<string | null> {
  const around = await settingsAround(target);
  if (around === null) return null;
  const { HOME: home = '', XDG_CONFIG_HOME: config = join(home, '.config') } = process.env;
  const settings = [
    '/etc/gitconfig',
    join(home, '.gitconfig'),
    join(config, 'git/config'),
    join(around.common, 'config'),
  ];
  const texts = await Promise.all(settings.map(textAt));
  if (/excludesfile|include/i.test(texts.join('\n'))) return null;
  const folders = new Set(paths.flatMap(foldersAbove).map((at) => join(target.root, at)));
  for (let at = target.root; dirname(at) !== at; at = dirname(at)) folders.add(at);
  const files = [
    join(around.own, 'index'),
    join(around.common, 'info/exclude'),
    join(config, 'git/ignore'),
    ...[...folders].map((folder) => join(folder, '.gitignore')),
  ];
  const stamps = await eachLimited(files, async (file) => [await stampOf(file)]);
  return [around.stamp, ...stamps.flat()].join('\n');
}
