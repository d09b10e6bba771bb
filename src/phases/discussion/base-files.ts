import type { Repository } from '../../git/repository.ts';
import { citedPath, withoutDiffPrefix } from './cited-path.ts';
import { type FileText, fileText } from './fold.ts';

/** What the check reads of a repository; absolute paths count only where `root` is known. */
export type CheckedRepository = Pick<Repository, 'read' | 'exists' | 'files'> &
  Partial<Pick<Repository, 'root'>>;

/** What a cited path leads to. `line` is one written into the path itself. */
export type CitedFile =
  | { readonly kind: 'file'; readonly path: string; readonly line: number | null }
  | {
      readonly kind: 'missing';
      readonly path: string;
      readonly line: number | null;
      readonly why: string;
      /** Another file has this path in another case; on some systems that is the same file. */
      readonly otherCase: boolean;
    }
  | { readonly kind: 'refused'; readonly why: string };

export interface BaseFiles {
  find(cited: string): Promise<CitedFile>;
  /** The lines of a file that exists, or null if it is no text file. */
  text(path: string): Promise<FileText | null>;
}

/** Reads each file of the base at most once. */
export function baseFiles(repository: CheckedRepository): BaseFiles {
  const names = once(async () => namesOf(await repository.files()));
  const found = new Map<string, Promise<CitedFile>>();
  const texts = new Map<string, Promise<FileText | null>>();
  return {
    find: (cited) => kept(found, cited, () => find(cited, repository, names)),
    text: (path) =>
      kept(texts, path, async () => {
        const content = await repository.read(path);
        return content === null ? null : fileText(content);
      }),
  };
}

interface Names {
  readonly exact: ReadonlySet<string>;
  readonly byLowerCase: ReadonlyMap<string, string>;
  readonly byLastPart: ReadonlyMap<string, readonly string[]>;
}

function namesOf(files: readonly string[]): Names {
  return {
    exact: new Set(files),
    byLowerCase: new Map(files.map((file) => [file.toLowerCase(), file])),
    byLastPart: Map.groupBy(files, lastPart),
  };
}

async function find(
  cited: string,
  repository: CheckedRepository,
  names: () => Promise<Names>,
): Promise<CitedFile> {
  const read = citedPath(cited, repository.root);
  if (!read.ok) return { kind: 'refused', why: read.why };
  const { path, line } = read;
  const known = await names();
  if (await isThere(path, repository, known)) return { kind: 'file', path, line };
  const bare = withoutDiffPrefix(path);
  if (bare !== null && (await isThere(bare, repository, known))) {
    return { kind: 'file', path: bare, line };
  }
  const otherCase = !known.exact.has(path) && known.byLowerCase.has(path.toLowerCase());
  return { kind: 'missing', path, line, why: whyMissing(path, known), otherCase };
}

// On a file system that ignores case a path exists in every spelling; only the listed one counts.
async function isThere(
  path: string,
  repository: CheckedRepository,
  names: Names,
): Promise<boolean> {
  const otherCase = !names.exact.has(path) && names.byLowerCase.has(path.toLowerCase());
  return !otherCase && (await repository.exists(path));
}

function whyMissing(path: string, { exact, byLowerCase, byLastPart }: Names): string {
  if (exact.has(path)) return 'the file is deleted in the work tree';
  const otherCase = byLowerCase.get(path.toLowerCase());
  if (otherCase !== undefined) return `no such file; ${otherCase} differs only by case`;
  const [only, second] = byLastPart.get(lastPart(path)) ?? [];
  return only !== undefined && second === undefined
    ? `no such file; ${only} has this name`
    : 'no such file';
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

function kept<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const cached = cache.get(key) ?? make();
  cache.set(key, cached);
  return cached;
}
