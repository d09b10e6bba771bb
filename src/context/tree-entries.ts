import { isUtf8 } from 'node:buffer';
import { git, type GitPlace } from './git.ts';
import { recordsOf } from './git-status.ts';
import { isOwnFolder } from './paths.ts';

/** What a commit has at a path. The id of a submodule is the commit that is checked out there. */
interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule';
  readonly id: string;
}

/** What a commit has below the place, or null if git does not know the commit. */
export async function treeEntries(
  place: GitPlace,
  commit: string,
): Promise<readonly TreeEntry[] | null> {
  const answer = await git(place, ['ls-tree', '-r', '-z', commit]);
  if (!answer.ok) return null;
  const entries: TreeEntry[] = [];
  for (const record of recordsOf(answer.stdout)) {
    const tab = record.indexOf(0x09);
    const name = record.subarray(tab + 1);
    const [mode, , id] = record.toString('latin1', 0, tab).split(' ');
    if (mode === undefined || id === undefined || !isUtf8(name)) continue;
    const path = name.toString('utf8');
    if (!isOwnFolder(path)) entries.push({ path, kind: kindOf(mode), id });
  }
  return entries;
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'link' : 'file';
}
