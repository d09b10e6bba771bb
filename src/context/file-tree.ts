// Looks up places in the files that a text refers to: a base, a work tree, the commit of a result.
import { posix } from 'node:path';
import { foldersAbove, nameOfPath } from '../git/paths.ts';

/** The files that a text refers to. */
export interface FileTree {
  files(): Promise<readonly string[]>;
  /** The text of a file; null if there is no such text file. */
  read(path: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
}

/** The outcome of looking up a cited path; `meant` lists the files and folders that a shortened path may stand for. */
export type CitedFile =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'missing';
      readonly path: string;
      readonly why: string;
      readonly meant: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/** Finds the file that a cited path names. */
export async function findCited(cited: string, tree: FileTree): Promise<CitedFile> {
  const form = plainForm(cited);
  if ('why' in form) return { kind: 'refused', ...form };
  const { path } = form;
  // A tool that shows a diff puts `a/` or `b/` before the path.
  for (const spelled of [path, path.replace(/^[ab]\//, '')]) {
    if (await tree.exists(spelled)) return { kind: 'file', path: spelled };
  }
  const index = indexPaths(await tree.files());
  const [only, second] = index.alike(path);
  const isHint = only !== undefined && second === undefined && only !== path;
  const why = isHint ? `no such file; ${only} has this name` : 'no such file';
  return { kind: 'missing', path, why, meant: index.meant(path) };
}

/** Returns a cited path in the repository’s form, or null if it leads out of the repository. */
export function repositoryForm(cited: string): string | null {
  const form = plainForm(cited);
  return 'why' in form ? null : form.path;
}

/**
 * Writes a path with forward slashes and without dots. Nothing is looked up here; paths below the
 * root were made relative and line numbers removed when the answer was read.
 */
function plainForm(cited: string): { readonly path: string } | { readonly why: string } {
  // oxlint-disable-next-line no-control-regex -- a control character never belongs to a cited path
  if (cited.length > longestPath || /[\u0000-\u001F\u007F]/.test(cited)) {
    return { why: 'no file can have this path' };
  }
  const path = posix.normalize(cited.trim().replaceAll('\\', '/'));
  if (/^(?:\.\.\/|\.\.$|\/|~\/|[A-Za-z]:\/)/.test(path)) {
    return { why: 'the path leaves the repository' };
  }
  return path === '.' || path.endsWith('/') ? { why: 'the path names no file' } : { path };
}

/** The longest path that file systems allow, in characters. */
const longestPath = 4096;

/** Resolves paths that are shortened or written in another form than in the tree. */
export interface PathIndex {
  /** The file or folder with this path, else the files whose last folders it names. */
  meant(path: string): readonly string[];
  /** The files with the same name, in any case of letters. */
  alike(path: string): readonly string[];
  hasFile(path: string): boolean;
  hasFolder(path: string): boolean;
}

/** The indexes of lists that were searched before. */
const known = new WeakMap<readonly string[], PathIndex>();

export function indexPaths(paths: readonly string[]): PathIndex {
  const index = known.get(paths) ?? makeIndex(paths);
  known.set(paths, index);
  return index;
}

const nameIn = (path: string) => nameOfPath(path).toLowerCase();

function makeIndex(paths: readonly string[]): PathIndex {
  const files = new Set(paths);
  const folders = new Set(paths.flatMap((path) => foldersAbove(path)));
  const byName = Map.groupBy(paths, nameIn);
  const alike = (path: string) => byName.get(nameIn(path)) ?? [];
  const spelled = (path: string) =>
    files.has(path) || folders.has(path)
      ? [path]
      : alike(path).filter((one) => one.endsWith(`/${path}`) || one.endsWith(` ${path}`));
  return {
    alike,
    hasFile: (path) => files.has(path),
    hasFolder: (path) => folders.has(path),
    meant: (path) =>
      otherForms(path)
        .map(spelled)
        .find((found) => found.length > 0) ?? [],
  };
}

/**
 * Lists the forms of a path: as it is, as a diff shows it (`a/src/x.ts`), below an alias of the
 * sources (`@/x.ts`, `@scope/package/x.ts`), and as an import names what is compiled (`x.js` for `x.ts`).
 */
function otherForms(path: string): readonly string[] {
  const forms = [path, path.replace(/^(?:[ab]|@[^/]*)\//, '')];
  return [...new Set([...forms, ...forms.map((form) => form.replace(/js(x?)$/, 'ts$1'))])];
}

/** Counts the lines of a text; a final line end begins no further line. */
export function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
