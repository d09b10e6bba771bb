import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { lookAt, withoutLinks } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { recordsOf, type StatusEntry } from './git-status.ts';
import { isOwnFolder, joined } from './paths.ts';
import { treeEntries } from './tree-entries.ts';

/** A submodule, and the commit that the repository around it has for it; null for a new one. */
interface Submodule {
  readonly path: string;
  readonly commit: string | null;
}

/** Where git is asked about a submodule, or null where none is checked out or a link leads there. */
export async function submodulePlace(
  { root, signal }: GitPlace,
  path: string,
): Promise<GitPlace | null> {
  if ((await withoutLinks(root, path)) !== path) return null;
  const { kind } = await lookAt(root, joined(path, '.git'));
  return kind === 'file' || kind === 'other' ? { root: join(root, path), signal } : null;
}

/**
 * The uncommitted paths in the submodules among these uncommitted paths: what HEAD has for a
 * submodule is what its files are compared with.
 */
export function changesInSubmodules(
  place: GitPlace,
  entries: readonly StatusEntry[],
): Promise<readonly string[]> {
  const submodules = entries.filter(({ submodule }) => submodule.startsWith('S'));
  return changesInside(
    place,
    submodules.map(({ path, committed }) => ({ path, commit: committed })),
  );
}

async function changesInside(
  place: GitPlace,
  submodules: readonly Submodule[],
): Promise<readonly string[]> {
  const changes = await eachLimited(submodules, async ({ path, commit }) => {
    const inside = await submodulePlace(place, path);
    const changed = inside === null ? [] : await changesOf(inside, commit);
    return changed.map((name) => joined(path, name)).filter((name) => !isOwnFolder(name));
  });
  return changes.flat();
}

async function changesOf(place: GitPlace, commit: string | null): Promise<readonly string[]> {
  const entries = commit === null ? null : await treeEntries(place, commit);
  const commits = new Map((entries ?? []).map(({ path, id }) => [path, id]));
  const { files, submodules } = await indexed(place);
  const [tracked, others, deeper] = await Promise.all([
    // Without the commit there is nothing to compare with: every file counts as changed.
    commit === null || entries === null ? files : namesOf(place, [...differences, commit, '--']),
    namesOf(place, ['ls-files', '-z', '--others', '--exclude-standard']),
    changesInside(
      place,
      submodules.map((path) => ({ path, commit: commits.get(path) ?? null })),
    ),
  ]);
  return [...tracked, ...others, ...deeper];
}

/** Between a commit and the work tree. No program that a setting names is started. */
const differences =
  'diff --name-only -z --no-renames --no-ext-diff --no-textconv --ignore-submodules=all'.split(' ');

async function indexed(place: GitPlace): Promise<{
  readonly files: readonly string[];
  readonly submodules: readonly string[];
}> {
  const records = await namesOf(place, ['ls-files', '-z', '--stage']);
  const files: string[] = [];
  const submodules: string[] = [];
  for (const record of records) {
    const list = record.startsWith('160000 ') ? submodules : files;
    list.push(record.slice(record.indexOf('\t') + 1));
  }
  return { files, submodules };
}

/** What git lists, without names that are not UTF-8. */
async function namesOf(place: GitPlace, args: readonly string[]): Promise<readonly string[]> {
  const answer = await git(place, args);
  if (!answer.ok) return [];
  return [...recordsOf(answer.stdout)].filter((name) => isUtf8(name)).map(String);
}
