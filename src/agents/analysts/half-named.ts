import { kindOf } from '../../context/file-kinds.ts';
import { partsOf } from '../../context/identifiers.ts';
import { isNamedIn, type Needle } from '../../context/needles.ts';
import { folderOf, stemOf } from '../../git/paths.ts';
import type { RelevantFile } from '../../model/context.ts';

/** A word that so many names of sources have tells little of one of them. */
const manyNames = 3;

/**
 * Whether the task shares with a file only a part of its name, and that a common one: a task about
 * a table is not about `process-table.ts` where `key-table.ts` and `table.ts` stand as well.
 */
export function halfNamed({
  needles,
  all,
}: {
  readonly needles: readonly Needle[];
  readonly all: readonly string[];
}): (file: Pick<RelevantFile, 'path' | 'symbols'>) => boolean {
  const sources = all.filter((path) => kindOf(path) === 'source');
  const stems = [...new Set(sources.map(stemOf))];
  const isCommon = (needle: Needle): boolean =>
    !needle.identifier && stems.filter((stem) => isNamedIn(stem, needle)).length >= manyNames;
  const common = new Map(needles.map((needle) => [needle, isCommon(needle)]));
  return ({ path, symbols }) => {
    const parts = partsOf(stemOf(path));
    const shared = needles.filter((needle) => isNamedIn(stemOf(path), needle));
    // Where the task has no other word, there is nothing else to go by.
    if (shared.length === 0 || shared.length === needles.length) return false;
    if (shared.some((needle) => common.get(needle) !== true)) return false;
    const isWhole = parts.every((part) => shared.some((needle) => isNamedIn(part, needle)));
    const names = [folderOf(path), ...symbols];
    const others = needles.filter(
      (needle) => !shared.includes(needle) && names.some((name) => isNamedIn(name, needle)),
    );
    return !isWhole && others.length === 0;
  };
}
