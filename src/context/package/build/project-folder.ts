import type { BuildFact } from '../../../model/context.ts';
import { folderOf, joined } from '../../../git/paths.ts';

/** A folder in which something may say how a part of the project is built. */
export interface ProjectFolder {
  /** Relative to the root; empty for the root. */
  readonly folder: string;
  /** True for a file at this path below the folder. */
  has(path: string): boolean;
  /** Names of the files that stand in the folder itself. */
  readonly names: readonly string[];
  /** Paths below the folder, relative to it. */
  readonly below: readonly string[];
  /** The text of a file below the folder, or null. */
  read(path: string): Promise<string | null>;
  /** Which of some names stands in this folder or the nearest one above it; a path from the root. */
  nearest(names: readonly string[]): string | null;
  /** True where a folder above this one, the root included, holds one of the names. */
  isBelow(names: RegExp): boolean;
}

/** A fact that still misses its folder; `source` is relative to it, or starts with `/` at the root. */
export type Found = Omit<BuildFact, 'folder'>;

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
    folder,
    names: namesIn(folder),
    get below() {
      const start = folder === '' ? '' : `${folder}/`;
      return files.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    },
    has: (path) => known.has(joined(folder, path)),
    read: (path) => read(joined(folder, path)),
    nearest(names) {
      for (const at of [folder, ...foldersAbove(folder)]) {
        const name = names.find((one) => known.has(joined(at, one)));
        if (name !== undefined) return joined(at, name);
      }
      return null;
    },
    isBelow: (names) => foldersAbove(folder).some((at) => namesIn(at).some((n) => names.test(n))),
  });
}

/** From the nearest to the root; none for the root itself. */
export function foldersAbove(folder: string): readonly string[] {
  const above: string[] = [];
  for (let at = folder; at !== ''; above.push(at)) at = folderOf(at);
  return above;
}
