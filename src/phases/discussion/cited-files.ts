import type { Repository } from '../../git/repository.ts';
import { type FoldedFile, foldedFile } from './quote.ts';

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

/** The files that agents cite, each looked for and read at most once. */
export interface CitedFiles {
  find(cited: string): Promise<CitedFile>;
  /** The lines of a file that exists, or null if it is no text file. */
  text(path: string): Promise<FoldedFile | null>;
}

export function citedFiles(repository: CheckedRepository): CitedFiles {
  let names: Promise<Names> | null = null;
  return {
    find: remembered(async (cited) => {
      names ??= repository.files().then(namesOf);
      return findCited(cited, repository, await names);
    }),
    text: remembered(async (path) => {
      const content = await repository.read(path);
      return content === null ? null : foldedFile(content);
    }),
  };
}

function remembered<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
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

async function findCited(
  cited: string,
  repository: CheckedRepository,
  names: Names,
): Promise<CitedFile> {
  const read = citedPath(cited, repository.root);
  if (!read.ok) return { kind: 'refused', why: read.why };
  const { path, line } = read;
  // A tool that shows a diff puts `a/` or `b/` before the path.
  const bare = /^[ab]\/./.test(path) ? path.slice(2) : path;
  for (const spelled of new Set([path, bare])) {
    // A file system that ignores case has a file in every spelling; only the listed one counts.
    if (!isOtherCase(spelled, names) && (await repository.exists(spelled))) {
      return { kind: 'file', path: spelled, line };
    }
  }
  const why = whyMissing(path, names);
  return { kind: 'missing', path, line, why, otherCase: isOtherCase(path, names) };
}

function isOtherCase(path: string, { exact, byLowerCase }: Names): boolean {
  return !exact.has(path) && byLowerCase.has(path.toLowerCase());
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

/** A path as an agent wrote it, brought into the form the repository uses. */
type CitedPath =
  | { readonly ok: true; readonly path: string; readonly line: number | null }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a cited path: relative, with forward slashes, without `./`, quotes and a suffix such as
 * `:12`, `:12-20`, `#L12` or `(line 12)`. An absolute path counts only below `root`. Nothing is
 * looked up here.
 */
function citedPath(text: string, root?: string): CitedPath {
  if (text.length > longestPath) return { ok: false, why: 'the path is too long' };
  const bare = unquoted(text.trim()).replaceAll('\\', '/');
  // oxlint-disable-next-line no-control-regex -- a control character never belongs to a cited path
  const hasControl = /[\u0000-\u001F\u007F]/.test(bare);
  if (hasControl) return { ok: false, why: 'the path has control characters' };
  const { path: named, line } = withoutLine(bare);
  const relative = belowRoot(named, root);
  const parts = relative === null ? null : resolvedParts(relative);
  if (relative === null || parts === null) {
    return { ok: false, why: 'the path leaves the repository' };
  }
  if (parts.length === 0) return { ok: false, why: 'no file is named' };
  if (relative.endsWith('/')) return { ok: false, why: 'the path names a folder' };
  return { ok: true, path: parts.join('/'), line };
}

/** A cited path in the repository’s form, or null where it leads out of it. */
export function repositoryForm(text: string): string | null {
  const cited = citedPath(text);
  return cited.ok ? cited.path : null;
}

/** In characters, as file systems have it. */
const longestPath = 4096;

function unquoted(text: string): string {
  return text.replace(/^(["'`<])(.*)(["'`>])$/s, '$2').trim();
}

function withoutLine(text: string): { path: string; line: number | null } {
  const match = /^(.*?[^:#\s])(?::|#L|\s+\(?lines?\s+)(\d{1,7})(?:(?::|-|-L|,)\d{1,7})*\)?$/.exec(
    text,
  );
  const [, path, digits] = match ?? [];
  const line = Number(digits);
  return path === undefined || !(line >= 1) ? { path: text, line: null } : { path, line };
}

function belowRoot(path: string, root: string | undefined): string | null {
  if (!path.startsWith('/') && !/^[A-Za-z]:\//.test(path) && !/^~(\/|$)/.test(path)) return path;
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

/** The parts without `.` and `..`, or null where they climb out. */
function resolvedParts(path: string): string[] | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts;
}
