import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { joined } from './paths.ts';
import { submodulePlace } from './submodules.ts';
import { treeEntries } from './tree-entries.ts';

/** One file of a commit. `id` is git’s hash of its content. */
interface CommittedFile {
  readonly id: string;
  readonly link: boolean;
  /** The submodule that has it, as a path below the place; empty for the repository itself. */
  readonly submodule: string;
}

export type CommitTree = ReadonlyMap<string, CommittedFile>;

/**
 * The files of a commit below the place by path, or null if git does not know the commit. Those of
 * a submodule that is checked out are of the commit that is named for it. Names that are not UTF-8
 * are left out.
 */
export async function commitTree(place: GitPlace, commit: string): Promise<CommitTree | null> {
  const entries = await treeEntries(place, commit);
  if (entries === null) return null;
  const tree = new Map<string, CommittedFile>();
  for (const { path, kind, id } of entries) {
    if (kind !== 'submodule') tree.set(path, { id, link: kind === 'link', submodule: '' });
  }
  const submodules = entries.filter(({ kind }) => kind === 'submodule');
  const inner = await eachLimited(submodules, async ({ path, id }) => {
    const inside = await submodulePlace(place, path);
    return inside === null ? null : await commitTree(inside, id);
  });
  for (const [index, { path }] of submodules.entries()) {
    for (const [name, file] of inner[index] ?? []) {
      tree.set(joined(path, name), { ...file, submodule: joined(path, file.submodule) });
    }
  }
  return tree;
}

/** The content of a committed file, or null if git cannot give it. */
export async function committedContent(
  { root, signal }: GitPlace,
  { id, submodule }: CommittedFile,
): Promise<Buffer | null> {
  const answer = await git({ root: join(root, submodule), signal }, ['cat-file', 'blob', id]);
  return answer.ok ? answer.stdout : null;
}

/** True if git would give this content that id: the file on disk is still the committed one. */
export function isContentOf(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
