// Chooses the files to search, and finds hits in their contents at the base, within the time limit.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findChanges } from '../../git/base.ts';
import { eachLimited } from '../../store/each-limited.ts';
import type { Repository } from '../../git/repository.ts';
import { absentCodes, hasCode } from '../../store/system-error.ts';
import { traitsOf, type FileTraits } from '../file-kinds.ts';
import { hitReader, splitPaths, type FindHits } from './find-hits.ts';
import type { TermFinder } from './task-terms.ts';

/** The files that a search looks at. A file is known by its index among the paths. */
export interface SearchTree {
  readonly paths: readonly string[];
  readonly traits: readonly FileTraits[];
  /** The sizes in bytes; 0 if the content is not searched. */
  readonly sizes: readonly number[];
  /** The number of files that are not searched, by reason. */
  readonly skipped: Readonly<Record<'generated' | 'binary' | 'huge' | 'absent', number>>;
}

/** The largest source that is searched, in bytes: a larger one is data. */
const largestSource = 1024 * 1024;
/** The largest file of another kind, e.g. a change log or a table, that is searched, in bytes. */
const largestOther = 256 * 1024;

export function openSearchTree(root: string, paths: readonly string[]): SearchTree {
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

/** Reads a size synchronously on purpose: for many files this is several times faster. */
function sizeAt(absolute: string): number | null {
  try {
    const stats = lstatSync(absolute);
    return stats.isFile() ? stats.size : 0;
  } catch (error) {
    if (hasCode(error, absentCodes)) return null;
    throw error;
  }
}

interface Reading {
  readonly tree: SearchTree;
  readonly finder: TermFinder;
  readonly termCount: number;
  readonly findHits: FindHits;
  readonly signal: AbortSignal;
  /** Aborted when no more is to be read. */
  readonly enough: AbortSignal;
  readonly onProgress: (searched: number, of: number) => void;
}

/** The hits in the contents at the base. */
export interface ReadHits {
  /** The hits of each file: the line from 0 times the number of terms, plus the term. */
  readonly hits: ReadonlyMap<number, readonly number[]>;
  /** The number of files that there was no time to read. */
  readonly unread: number;
}

/** Searches for the terms on the disk, and in the base if the disk differs. */
export async function readHits(
  repository: Pick<Repository, 'root' | 'base' | 'read'>,
  reading: Reading,
): Promise<ReadHits> {
  const places = new Map(reading.tree.paths.map((path, file) => [path, file]));
  const hits = new Map<number, number[]>();
  const add = (file: number | undefined, line: number, name: string): void => {
    const terms = reading.finder.termsIn(name);
    if (file === undefined || terms.length === 0) return;
    const known = hits.get(file) ?? [];
    hits.set(file, known);
    for (const term of terms) known.push((line - 1) * reading.termCount + term);
  };
  const asking = findChanges(repository, reading.signal);
  // The search may end before this promise is awaited.
  asking.catch(() => undefined);
  const onDisk = await readDisk(repository.root, reading, ({ path, line, name }) =>
    add(places.get(path), line, name),
  );
  const changed = (await asking)
    .map((path) => places.get(path))
    .filter((file) => file !== undefined);
  for (const file of changed) hits.delete(file);
  const unread = await readBase(repository, { ...reading, files: changed }, add);
  return { hits, unread: onDisk + unread };
}

/** Reads a few files at a time to report progress. Returns how many there was no time for. */
async function readDisk(
  root: string,
  { tree, finder, findHits, signal, enough, onProgress }: Reading,
  take: Parameters<FindHits>[1],
): Promise<number> {
  const wanted = tree.paths.filter((_, file) => (tree.sizes[file] ?? 0) > 0);
  let searched = 0;
  onProgress(searched, wanted.length);
  for (const paths of splitPaths(wanted)) {
    try {
      await findHits({ root, paths, pattern: finder.pattern, signal: enough }, take);
    } catch (error) {
      signal.throwIfAborted();
      if (!enough.aborted) throw error;
      break;
    }
    searched += paths.length;
    onProgress(searched, wanted.length);
  }
  return wanted.length - searched;
}

/** Reads files of the base. Returns how many there was no time for. */
async function readBase(
  repository: Pick<Repository, 'read'>,
  { tree, files, finder, signal, enough }: Reading & { readonly files: readonly number[] },
  add: (file: number, line: number, name: string) => void,
): Promise<number> {
  const hitsIn = hitReader(finder.pattern);
  const wanted = files.filter((file) => {
    const { isBinary = true, isGenerated = true } = tree.traits[file] ?? {};
    return !isBinary && !isGenerated;
  });
  let read = 0;
  await eachLimited(wanted, async (file) => {
    signal.throwIfAborted();
    if (enough.aborted) return;
    const content = await repository.read(tree.paths[file] ?? '');
    read++;
    if (content === null || content.length > largestSource) return;
    for (const { line, name } of hitsIn(content)) add(file, line, name);
  });
  return wanted.length - read;
}
