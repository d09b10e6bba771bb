import { git } from '../../git/git.ts';
import type { Repository } from '../../git/repository.ts';
import { walk } from '../../git/walk.ts';
import type { CodeAround } from '../../faces/tui/ports.ts';
import { cleanText } from '../../model/clean-text.ts';

/** More files than these nobody finds by a few letters. */
const mostFiles = 50_000;
const linesBefore = 7;
const linesAfter = 60;
/** A line of a built file can have megabytes. */
const longestLine = 500;

/**
 * The tracked and the untracked files that are not ignored, relative to `root`. Names that cannot
 * be shown as they are, e.g. with control characters, are left out: nobody could type them.
 */
export async function repositoryFiles(root: string): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = await git({ root, signal }, args);
  const paths = listed.ok
    ? listed.stdout.toString('utf8').split('\0').slice(0, mostFiles)
    : (await walk(root, { signal })).files;
  return paths.filter((path) => path !== '' && isShowable(path));
}

/** A piece of a file at the session’s base; null where there is no session or no such text file. */
export async function codeAround(
  repository: Repository | null,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<CodeAround | null> {
  const text = (await repository?.read(path)) ?? null;
  if (text === null) return null;
  const lines = text.split('\n');
  const start = Math.max(1, Math.min(line, lines.length) - linesBefore);
  const shown = lines.slice(start - 1, start - 1 + linesBefore + linesAfter);
  return { path, start, lines: shown.map((one) => one.slice(0, longestLine)) };
}

function isShowable(path: string): boolean {
  return cleanText(path) === path && !/[\n\t\uFFFD]/.test(path);
}
