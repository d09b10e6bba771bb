// Finds a text in the files of a repository at its base, line by line.
import { findChanges } from '../../git/base.ts';
import type { Repository } from '../../git/repository.ts';
import { redactFile } from '../../model/secrets.ts';
import { runProgram } from '../../store/run-program.ts';
import { hasCode, isSystemError } from '../../store/system-error.ts';
import { splitPaths, ripgrepPath } from './find-hits.ts';
import { openSearchTree } from './read-hits.ts';

/** A line that contains the text; lines count from 1. Secrets in it are not shown. */
export interface TextHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface TextSearch {
  readonly repository: Pick<Repository, 'root' | 'base' | 'read'>;
  readonly paths: readonly string[];
  /** The text to find as written, except for the case of its letters. */
  readonly text: string;
  /** The most hits to find. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Finds the lines that contain a text, in the order of the paths, within the limits of the code search. */
export async function findText(search: TextSearch): Promise<readonly TextHit[]> {
  const { repository, text, most, signal } = search;
  const wanted = text.toLowerCase();
  const hits: TextHit[] = [];
  for (const path of await pathsWith(search)) {
    signal.throwIfAborted();
    const content = redactFile(path, (await repository.read(path)) ?? '');
    for (const [index, line] of content.split('\n').entries()) {
      if (line.toLowerCase().includes(wanted)) hits.push({ path, line: index + 1, text: line });
      if (hits.length === most) return hits;
    }
  }
  return hits;
}

/** The files that may contain the text: those on the disk that do, and those changed since the base. */
async function pathsWith({ repository, paths, text, signal }: TextSearch): Promise<string[]> {
  const { sizes } = openSearchTree(repository.root, paths);
  const searched = paths.filter((_, file) => (sizes[file] ?? 0) > 0);
  const found = new Set(await findChanges(repository, signal));
  for (const part of splitPaths(searched)) {
    for (const path of await searchDisk({ root: repository.root, part, text, signal }))
      found.add(path);
  }
  return paths.filter((path) => found.has(path));
}

interface DiskSearch {
  readonly root: string;
  readonly part: readonly string[];
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Finds the files with ripgrep; if it is not installed, each file is read later. */
async function searchDisk({ root, part, text, signal }: DiskSearch): Promise<readonly string[]> {
  const { stdout, fault } = await runProgram({
    command: await ripgrepPath(),
    args: [...flags, '--regexp', text, '--', ...part],
    env: process.env,
    cwd: root,
    maxOutput: 16 * 1024 * 1024,
    signal,
  });
  if (hasCode(fault, ['ENOENT', 'EACCES'])) return part;
  if (isSystemError(fault)) throw fault;
  return stdout.toString('utf8').split('\0').filter(Boolean);
}

const flags =
  `--no-config --no-messages --no-ignore --hidden --encoding none --color never --fixed-strings
  --null --files-with-matches --ignore-case`.split(/\s+/);
