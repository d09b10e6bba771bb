import { eachEntry, type IndexFile } from './index-entries.ts';
import { isOwnFolder } from './paths.ts';
import type { CommittedFile, TreeEntries } from './commit-tree.ts';

/**
 * What a commit with that tree has below the prefix, out of git’s index: where nothing is staged it
 * says so itself, and git need not be asked. Null where it does not. Without the paths that are not
 * UTF-8.
 */
export function indexedTree(
  index: IndexFile,
  { tree, prefix }: { readonly tree: string; readonly prefix: string },
): TreeEntries | null {
  const isSame = eachEntry(index, () => true) === tree && !prefix.includes('\ufffd');
  if (!isSame) return null;
  const { bytes, idBytes } = index;
  const files: CommittedFile[] = [];
  const submodules: { path: string; commit: string }[] = [];
  const taken = eachEntry(index, ({ kind, isMerged, id: at, name }) => {
    if (kind === 'other' || !isMerged) return false;
    const whole = name();
    if (whole?.startsWith(prefix) !== true) return true;
    const path = whole.slice(prefix.length);
    if (isOwnFolder(path)) return true;
    const id = bytes.toString('hex', at, at + idBytes);
    if (kind === 'submodule') submodules.push({ path, commit: id });
    else files.push({ path, mark: `blob ${id}`, link: kind === 'link', submodule: '' });
    return true;
  });
  return taken === null ? null : { files, submodules };
}
