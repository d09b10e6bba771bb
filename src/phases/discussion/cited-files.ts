import { posix } from 'node:path';
import { nameOfPath } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import { type FoldedFile, foldedFile } from './quote.ts';

/** What the check reads of a repository. */
export type CheckedRepository = Pick<Repository, 'read' | 'exists' | 'files'>;

/** What a cited path leads to. */
type CitedFile =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** The files that agents cite, each read at most once. */
export interface CitedFiles {
  find(cited: string): Promise<CitedFile>;
  /** The lines of a file that exists, or null if it is no text file. */
  text(path: string): Promise<FoldedFile | null>;
}

export function citedFiles(repository: CheckedRepository): CitedFiles {
  const read = new Map<string, Promise<FoldedFile | null>>();
  return {
    find: (cited) => findCited(cited, repository),
    text(path) {
      const text =
        read.get(path) ??
        repository.read(path).then((content) => (content === null ? null : foldedFile(content)));
      read.set(path, text);
      return text;
    },
  };
}

async function findCited(cited: string, repository: CheckedRepository): Promise<CitedFile> {
  const form = plainForm(cited);
  if ('why' in form) return { kind: 'refused', ...form };
  const { path } = form;
  // A tool that shows a diff puts `a/` or `b/` before the path.
  for (const spelled of [path, path.replace(/^[ab]\//, '')]) {
    if (await repository.exists(spelled)) return { kind: 'file', path: spelled };
  }
  return { kind: 'missing', path, why: whyMissing(path, await repository.files()) };
}

function whyMissing(path: string, files: readonly string[]): string {
  const name = nameOfPath(path).toLowerCase();
  const [only, second] = files.filter((file) => nameOfPath(file).toLowerCase() === name);
  return only === undefined || second !== undefined || only === path
    ? 'no such file'
    : `no such file; ${only} has this name`;
}

/** A cited path in the repository’s form, or null where it leads out of it. */
export function repositoryForm(cited: string): string | null {
  const form = plainForm(cited);
  return 'why' in form ? null : form.path;
}

/**
 * A path with forward slashes and without dots. Nothing is looked up here; reading the answer has
 * made paths below the root relative and taken line numbers off.
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

/** In characters, as file systems have it. */
const longestPath = 4096;
