import { isUtf8 } from 'node:buffer';
import { submodulePlace, treeEntries } from './commit-tree.ts';
import { lookAt } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { guardedGit } from './guarded-git.ts';
import { recordsOf, type StatusEntry, workTreeStatus } from './git-status.ts';
import { isOwnFolder, joined } from './paths.ts';

/** A submodule, and the commit that the repository around it has for it; null for a new one. */
interface Submodule {
  readonly path: string;
  readonly commit: string | null;
}

/**
 * HEAD and every uncommitted path below the place. Git gives up where a link stands in the place of
 * a submodule; it is then asked about everything else, and that submodule counts as uncommitted.
 */
export async function statusAroundLinks(
  place: GitPlace,
  prefix: string,
): ReturnType<typeof workTreeStatus> {
  const whole = await workTreeStatus(place, { prefix });
  const linked = whole.ok ? [] : await linkedSubmodules(place);
  if (linked.length === 0) return whole;
  const rest = await workTreeStatus(place, { prefix, without: linked.map(({ path }) => path) });
  if (!rest.ok) return rest;
  const { commit, entries } = rest.value;
  return { ok: true, value: { commit, entries: [...entries, ...linked.map(entryFor)] } };
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

/** Those that became a link, and those in which one of their own did. */
async function linkedSubmodules(place: GitPlace): Promise<readonly Submodule[]> {
  const { submodules } = await indexed(place);
  const linked = await eachLimited(submodules, async ({ path }) => {
    if ((await lookAt(place.root, path)).kind === 'link') return true;
    const inside = await submodulePlace(place, path);
    return inside !== null && (await linkedSubmodules(inside)).length > 0;
  });
  return submodules.filter((_, index) => linked[index] === true);
}

function entryFor({ path, commit }: Submodule): StatusEntry {
  const raw = Buffer.from(path);
  return { path, raw, readable: true, submodule: 'S...', committed: commit };
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
  const commits = entries?.submodules;
  const { files, submodules } = await indexed(place);
  const [tracked, others, deeper] = await Promise.all([
    // Without the commit there is nothing to compare with: every file counts as changed.
    commit === null || entries === null ? files : namesOf(place, [...differences, commit, '--']),
    namesOf(place, ['ls-files', '-z', '--others', '--exclude-standard']),
    changesInside(
      place,
      submodules.map(({ path }) => ({ path, commit: commits?.get(path) ?? null })),
    ),
  ]);
  return [...tracked, ...others, ...deeper];
}

/** Between a commit and the work tree. No program that a setting names is started. */
const differences =
  'diff --name-only -z --no-renames --no-ext-diff --no-textconv --ignore-submodules=dirty'.split(
    ' ',
  );

async function indexed(place: GitPlace): Promise<{
  readonly files: readonly string[];
  readonly submodules: readonly Submodule[];
}> {
  const records = await namesOf(place, ['ls-files', '-z', '--stage']);
  const files: string[] = [];
  const submodules: Submodule[] = [];
  for (const record of records) {
    const path = record.slice(record.indexOf('\t') + 1);
    const [, commit] = /^160000 ([0-9a-f]+) /.exec(record) ?? [];
    if (commit === undefined) files.push(path);
    else submodules.push({ path, commit });
  }
  return { files, submodules };
}

/** What git lists, without names that are not UTF-8. */
async function namesOf(place: GitPlace, args: readonly string[]): Promise<readonly string[]> {
  const answer = await (args[0] === 'diff' ? guardedGit : git)(place, args);
  if (!answer.ok) return [];
  return [...recordsOf(answer.stdout)].filter((name) => isUtf8(name)).map(String);
}
