import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { absentCodes, hasCode } from '../../store/system-error.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';
import { headLength, isMarkedGenerated } from './close-look.ts';

/** What a search looks at. A file is known by its place among the paths. */
export interface SearchedTree {
  readonly paths: readonly string[];
  readonly traits: readonly FileTraits[];
  /** In bytes; 0 where the content is not searched. */
  readonly sizes: readonly number[];
  /** The disk does not have them, but the base may, e.g. in a sparse checkout. */
  readonly absent: readonly number[];
  /** How many files are not searched, by why. */
  readonly skipped: Readonly<Record<'generated' | 'binary' | 'huge', number>>;
}

/** A larger source is data. In bytes. */
export const largestSource = 1024 * 1024;
/** So is a larger file of another kind, e.g. a log of changes or a table. In bytes. */
const largestOther = 256 * 1024;

export function searchedTree(root: string, paths: readonly string[]): SearchedTree {
  const traits = paths.map(traitsOf);
  const absent: number[] = [];
  const skipped = { generated: 0, binary: 0, huge: 0 };
  const skip = (why: keyof typeof skipped): 0 => {
    skipped[why]++;
    return 0;
  };
  const sizes = traits.map(({ ending, kind, isBinary, isGenerated }, file) => {
    const absolute = join(root, paths[file] ?? '');
    if (isGenerated) return skip('generated');
    if (isBinary) return skip('binary');
    const size = sizeAt(absolute);
    if (size === null) absent.push(file);
    if ((size ?? 0) > (kind === 'source' ? largestSource : largestOther)) return skip('huge');
    if (ending.startsWith('htm') && isWrittenPage(absolute)) return skip('generated');
    return size ?? 0;
  });
  return { paths, traits, sizes, absent, skipped };
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

/** Tools write pages by the thousand, e.g. on each class; of other files only the best are looked at. */
function isWrittenPage(absolute: string): boolean {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const page = openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const length = readSync(page, head);
      return isMarkedGenerated(head.toString('latin1', 0, length));
    } finally {
      closeSync(page);
    }
  } catch (error) {
    if (hasCode(error, absentCodes)) return false;
    throw error;
  }
}

const head = Buffer.alloc(headLength);
