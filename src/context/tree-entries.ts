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
  for (const line of linesOf(answer.stdout)) {
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (tab === -1 || isOwnFolder(path)) continue;
    entries.push({ path, kind: kindOf(line), id: line.slice(line.lastIndexOf(' ', tab) + 1, tab) });
  }
  return entries;
}

/** `mode type id`, a tab and the path; without the paths that are not UTF-8. */
function linesOf(stdout: Buffer): readonly string[] {
  if (isUtf8(stdout)) return stdout.toString('utf8').split('\0');
  return [...recordsOf(stdout)].filter(isUtf8).map((record) => record.toString('utf8'));
}

function kindOf(line: string): TreeEntry['kind'] {
  if (line.startsWith('160000 ')) return 'submodule';
  return line.startsWith('120000 ') ? 'link' : 'file';
}
