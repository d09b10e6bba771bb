import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { joined } from './paths.ts';
import { submodulePlace } from './submodules.ts';
import { treeEntries, type CommittedFile, type TreeEntries } from './tree-entries.ts';

/** The files of a commit. */
export interface CommitTree {
  /** Each path once, in their order. */
  readonly files: readonly CommittedFile[];
  get(path: string): CommittedFile | undefined;
}

export const emptyTree: CommitTree = treeOf([]);

/**
 * The files of a commit below the place, or null if git does not know the commit. Those of a
 * submodule that is checked out are of the commit that is named for it. Names that are not UTF-8
 * are left out. What the commit itself has is listed by git, unless it is known.
 */
export async function commitTree(
  place: GitPlace,
  commit: string,
  known: TreeEntries | null = null,
): Promise<CommitTree | null> {
  const entries = known ?? (await treeEntries(place, commit));
  if (entries === null) return null;
  const { files, submodules } = entries;
  const inner = await eachLimited(submodules, async (submodule) => {
    const inside = await submodulePlace(place, submodule.path);
    const tree = inside === null ? null : await commitTree(inside, submodule.commit);
    return (tree?.files ?? []).map((file) => ({
      ...file,
      path: joined(submodule.path, file.path),
      submodule: joined(submodule.path, file.submodule),
    }));
  });
  return treeOf(inner.length === 0 ? files : [...files, ...inner.flat()]);
}

function treeOf(listed: readonly CommittedFile[]): CommitTree {
  // Git orders by bytes, which is another order only for the rarest letters.
  const isSorted = listed.every(({ path }, at) => at === 0 || (listed[at - 1]?.path ?? '') < path);
  const files = isSorted ? listed : sorted(listed);
  return {
    files,
    get(path) {
      let [from, end] = [0, files.length];
      while (from < end) {
        const middle = (from + end) >>> 1;
        if ((files[middle]?.path ?? '') < path) from = middle + 1;
        else end = middle;
      }
      const found = files[from];
      return found?.path === path ? found : undefined;
    },
  };
}

function sorted(files: readonly CommittedFile[]): readonly CommittedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The content of a committed file, or null if git cannot give it. */
export async function committedContent(
  { root, signal }: GitPlace,
  { mark, submodule }: CommittedFile,
): Promise<Buffer | null> {
  const answer = await git({ root: join(root, submodule), signal }, [
    'cat-file',
    ...mark.split(' '),
  ]);
  return answer.ok ? answer.stdout : null;
}

/** True if git would give this content that id: the file on disk is still the committed one. */
export function isContentOf(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
