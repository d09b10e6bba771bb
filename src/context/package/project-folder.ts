// Reads one folder with what is in, above and below it.
import type { BuildFact } from '../../model/context.ts';
import { folderOf, foldersAbove, joinPath } from '../../git/paths.ts';

/** A folder whose files may say how a part of the project is built. */
export interface ProjectFolder {
  /** Names of the files directly in the folder. */
  readonly names: readonly string[];
  /** Paths below the folder, relative to it. */
  below(): readonly string[];
  /** True for a file at this path below the folder. */
  has(path: string): boolean;
  /** The text of a file below the folder; empty if it does not exist. */
  read(path: string): Promise<string>;
  /** The nearest of some names in this folder or one above it, as a path from the root. */
  nearest(names: readonly string[]): string | null;
  /** True if a folder above this one, including the root, has a file of such a name. */
  isBelow(isNamed: (name: string) => boolean): boolean;
}

/** A fact without its folder; `source` is relative to it, or starts with `/` at the root. */
export type FolderFact = Omit<BuildFact, 'folder'>;

/** The folders of a repository, by their paths. */
export function projectFolders(
  files: readonly string[],
  read: (path: string) => Promise<string | null>,
): (folder: string) => ProjectFolder {
  const known = new Set(files);
  const byFolder = Map.groupBy(files, folderOf);
  const namesIn = (folder: string): readonly string[] =>
    (byFolder.get(folder) ?? []).map((path) => path.slice(folder === '' ? 0 : folder.length + 1));
  return (folder) => ({
    names: namesIn(folder),
    below() {
      const start = folder === '' ? '' : `${folder}/`;
      return files.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    },
    has: (path) => known.has(joinPath(folder, path)),
    read: async (path) =>
      (known.has(joinPath(folder, path)) ? await read(joinPath(folder, path)) : null) ?? '',
    nearest(names) {
      for (const at of [folder, ...foldersAbove(folder)]) {
        const name = names.find((one) => known.has(joinPath(at, one)));
        if (name !== undefined) return joinPath(at, name);
      }
      return null;
    },
    isBelow: (isNamed) => foldersAbove(folder).some((at) => namesIn(at).some(isNamed)),
  });
}
