// Reads which files a tree or an index holds, and sets some of them in an index.
import type { GitTarget } from './git.ts';
import { gitLists, gitSays } from './writing-git.ts';

/** Mode and id of each file, by its path below the top. */
export type TreeEntries = ReadonlyMap<string, string>;

/** The entries of the trees that were read last, by their ids. */
const last = new Map<string, Promise<TreeEntries>>();

/** Reads the entries of a commit or tree; null means the index. */
export function entriesOf(target: GitTarget, tree: string | null): Promise<TreeEntries> {
  if (tree === null || !/^[0-9a-f]{40,}$/.test(tree)) return readEntries(target, tree);
  const entries = last.get(tree) ?? readEntries(target, tree);
  last.delete(tree);
  last.set(tree, entries);
  entries.catch(() => last.delete(tree));
  for (const old of [...last.keys()].slice(0, -3)) last.delete(old);
  return entries;
}

async function readEntries(target: GitTarget, tree: string | null): Promise<TreeEntries> {
  const args = tree === null ? ['ls-files', '-s'] : ['ls-tree', '-r', '--full-tree', tree];
  const listed = await gitLists(target, [...args, '-z']);
  return new Map(
    listed.map((line) => {
      const tab = line.indexOf('\t');
      const [, mode = '', id = ''] =
        /^(\d+) (?:[a-z]+ )?([0-9a-f]+)/.exec(line.slice(0, tab)) ?? [];
      return [line.slice(tab + 1), `${mode} ${id}`] as const;
    }),
  );
}

/** Sets these paths in an index to the given entries; paths without an entry are removed. */
export async function setEntries(
  target: GitTarget,
  paths: readonly string[],
  entries: TreeEntries,
): Promise<void> {
  if (paths.length === 0) return;
  const [some = `0 ${'0'.repeat(40)}`] = entries.values();
  const none = `0 ${some.replace(/^\d+ /, '').replaceAll(/./g, '0')}`;
  const lines = paths.map((path) => `${entries.get(path) ?? none}\t${path}\0`);
  await gitSays(target, ['update-index', '-z', '--index-info'], lines.join(''));
}
