// Looks up files and words in the work tree, without opening the repository at a base.
import { lookAt, readPlainFile } from './disk.ts';
import { git, type GitTarget } from './git.ts';
import { walk } from './walk.ts';

/** The largest file that is read, in bytes. */
const largestFile = 4 * 1024 * 1024;

/** Lists the files that are tracked or new, without what git ignores; without git, all that a walk finds. */
export async function listWorkFiles(target: GitTarget): Promise<readonly string[]> {
  const listed = await git(target, [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
  ]);
  if (listed.ok) return [...new Set(listed.stdout.toString('utf8').split('\0'))];
  return (await walk(target.root, { signal: target.signal })).files;
}

/** The text of a file; null if it does not exist, lies behind a link, or is too large. */
export async function readWorkFile({ root }: GitTarget, path: string): Promise<string | null> {
  const found = await lookAt(root, path);
  if (found.kind !== 'file' || found.size > largestFile) return null;
  return (await readPlainFile(root, path))?.toString('utf8') ?? null;
}

/** Finds the files that contain a word as a whole, by word; null if git cannot tell. */
export async function filesWithWords(
  target: GitTarget,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  if (words.length === 0) return new Map();
  // All words share one pattern: with many patterns, git takes a hundred times as long.
  const pattern = words.map((word) => word.replaceAll('$', '[$]')).join('|');
  const inRepository = await git(target, [...searching, '--untracked', '-e', pattern]);
  // The exit code is 1 if nothing matches, and higher outside of a repository.
  const isOutside = !inRepository.ok && inRepository.exitCode !== 1;
  const found = isOutside
    ? await git(target, [...searching, '--no-index', '-e', pattern])
    : inRepository;
  if (!found.ok) return found.exitCode === 1 ? new Map() : null;
  const files = new Map<string, string[]>();
  for (const line of found.stdout.toString('utf8').split('\n')) {
    const [path = '', word = ''] = line.split('\0');
    if (word === '') continue;
    const known = files.get(word) ?? [];
    if (known.at(-1) !== path) files.set(word, [...known, path]);
  }
  return files;
}

/** The user’s settings may add columns and colours, and some of them forbid untracked files. */
const searching =
  'grep --only-matching --word-regexp --extended-regexp -I -z --no-color --no-line-number --no-column --no-full-name --no-recurse-submodules'.split(
    ' ',
  );
