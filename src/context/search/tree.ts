import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { absentCodes, hasCode } from '../../store/system-error.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';

/** What a search looks at. A file is known by its place among the paths. */
export interface SearchedTree {
  readonly paths: readonly string[];
  readonly traits: readonly FileTraits[];
  /** In bytes; 0 where the content is not searched. */
  readonly sizes: readonly number[];
  /** How many files are not searched, by why. */
  readonly skipped: Readonly<Record<'generated' | 'binary' | 'huge' | 'absent', number>>;
}

/** A larger source is data. In bytes. */
export const largestSource = 1024 * 1024;
/** So is a larger file of another kind, e.g. a log of changes or a table. In bytes. */
const largestOther = 256 * 1024;

export function searchedTree(root: string, paths: readonly string[]): SearchedTree {
  const traits = paths.map(traitsOf);
  const skipped = { generated: 0, binary: 0, huge: 0, absent: 0 };
  const skip = (why: keyof typeof skipped): 0 => {
    skipped[why]++;
    return 0;
  };
  const sizes = traits.map(({ kind, isBinary, isGenerated }, file) => {
    if (isGenerated) return skip('generated');
    if (isBinary) return skip('binary');
    const size = sizeAt(join(root, paths[file] ?? ''));
    if (size === null) return skip('absent');
    if (size > (kind === 'source' ? largestSource : largestOther)) return skip('huge');
    return size;
  });
  return { paths, traits, sizes, skipped };
}

/** Synchronous on purpose: for many files this is several times faster. */
function sizeAt(absolute: string): number | null {
  try {
    const stats = lstatSync(absolute);
    return stats.isFile() ? stats.size : 0;
  } catch (error) {
    if (hasCode(error, absentCodes)) return null;
    throw error;
  }
}
