// Finds the words of a task in files, and those that occur nowhere, with ripgrep or by reading each file.
import { readPlainFile } from '../../git/disk.ts';
import type { Repository } from '../../git/repository.ts';
import { eachLimited } from '../../store/each-limited.ts';
import { runProgram } from '../../store/run-program.ts';
import { hasCode, isSystemError } from '../../store/system-error.ts';
import { traitsOf } from '../file-kinds.ts';
import { nameCharacter, memoize } from './terms.ts';

/** Receives each name that matches the pattern; lines count from 1. */
type TakeHit = (hit: {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}) => void;

/** Finds the names in some files on the disk that match a pattern. Rejects if `signal` is aborted. */
export type FindHits = (
  search: {
    readonly root: string;
    readonly paths: readonly string[];
    readonly pattern: string;
    readonly signal: AbortSignal;
  },
  take: TakeHit,
) => Promise<void>;

/** Finds hits with ripgrep, or by reading each file if that is not installed. */
export const ripgrepOrScan: FindHits = async (search, take) => {
  try {
    await ripgrepHits(search, take);
  } catch (error) {
    if (!(error instanceof NoRipgrep)) throw error;
    await scanHits(search, take);
  }
};

/** Thrown if ripgrep cannot be used: it is not installed, or does not understand the pattern. */
export class NoRipgrep extends Error {}

/**
 * Finds hits with one call of ripgrep. No configuration or ignore file is read, because the files
 * are already chosen. Throws `NoRipgrep`.
 */
export const ripgrepHits: FindHits = async ({ root, paths, pattern, signal }, take) => {
  const args = [...flags, '--regexp', pattern, '--', ...paths];
  const { exitCode, fault, stderr } = await runProgram({
    command: await ripgrepPath(),
    args,
    env: process.env,
    cwd: root,
    maxOutput: mostMessages,
    signal,
    read: (stdout) => readHits(stdout, take),
  });
  if (hasCode(fault, ['ENOENT', 'EACCES'])) throw new NoRipgrep('it is not installed');
  if (isSystemError(fault)) throw fault;
  // The exit code is 1 if nothing was found, and 2 without a message if a file cannot be read.
  if (exitCode !== 0 && exitCode !== 1 && stderr.length > 0) {
    throw new NoRipgrep(stderr.toString().split('\n', 1)[0]);
  }
};

/** The most error output, in bytes. */
const mostMessages = 1024 * 1024;

/** The program to start: the bundled ripgrep, else `rg` on the PATH. */
export async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (error) {
    // The optional dependency is not installed, or has no binary for this platform.
    if (error instanceof Error) return 'rg';
    throw error;
  }
}

/** The output puts a path and a NUL before the first hit in a file. */
const flags =
  `--no-config --no-messages --no-ignore --hidden --encoding none --color never --heading
  --null --with-filename --line-number --only-matching --ignore-case`.split(/\s+/);

async function readHits(stream: NodeJS.ReadableStream, take: TakeHit): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  let path = '';
  for await (const chunk of stream) {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const end = text.indexOf('\0');
      if (end !== -1) path = text.slice(0, end);
      const colon = text.indexOf(':', end);
      const line = Number(text.slice(end + 1, Math.max(0, colon)));
      // Other lines are notes on binary files.
      if (line >= 1) take({ path, line, name: text.slice(colon + 1) });
    }
  }
}

/** Finds hits by reading each file: needs no other program, and finds the same. */
export const scanHits: FindHits = async ({ root, paths, signal, pattern }, take) => {
  const hitsIn = hitReader(pattern);
  await eachLimited(paths, async (path) => {
    signal.throwIfAborted();
    const content = await readPlainFile(root, path);
    if (content === null || content.includes(0)) return;
    for (const hit of hitsIn(content.toString('utf8'))) take({ path, ...hit });
  });
};

/** Finds the names in a text that match, with their lines from 1. */
export function hitReader(
  pattern: string,
): (text: string) => Generator<{ readonly line: number; readonly name: string }> {
  const whole = new RegExp(pattern, 'iu');
  const fits = memoize((name) => whole.test(name));
  const names = new RegExp(`${nameCharacter}+`, 'gu');
  return function* hitsIn(text) {
    let line = 1;
    let end = text.indexOf('\n');
    for (const match of text.matchAll(names)) {
      for (; end !== -1 && end < match.index; end = text.indexOf('\n', end + 1)) line++;
      if (fits(match[0])) yield { line, name: match[0] };
    }
  };
}

/** The length that a command line may have on every system, in characters. */
const longestPart = 100_000;

/** Splits paths into as many parts as the command lines need. */
export function* splitPaths(paths: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let length = 0;
  for (const path of paths) {
    if (length > longestPart) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push(path);
    length += path.length + 1;
  }
  if (part.length > 0) yield part;
}

/** The most words in one pattern, so that it fits into the command line of a program. */
const mostWords = 500;

/**
 * Picks the words that occur nowhere as whole words, with case counted. Looks at the files of the
 * base as they are on the disk, in one pass for some hundred words.
 */
export async function absentWords(
  { root, files }: Pick<Repository, 'root' | 'files'>,
  words: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const all = [...new Set(words)];
  const texts = all.length === 0 ? [] : (await files()).filter((path) => !traitsOf(path).isBinary);
  const absent = new Set<string>();
  for (let start = 0; start < all.length; start += mostWords) {
    const part = all.slice(start, start + mostWords);
    for (const word of await absentAmong(part, { root, texts, signal })) absent.add(word);
  }
  return absent;
}

async function absentAmong(
  words: readonly string[],
  search: {
    readonly root: string;
    readonly texts: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Iterable<string>> {
  const { root, texts, signal } = search;
  const absent = new Map(words.map((word) => [word, wholeWord(word)]));
  const pattern = [...absent.values()].map(({ source }) => `(?:${source})`).join('|');
  for (const paths of splitPaths(texts)) {
    await ripgrepOrScan({ root, paths, pattern, signal }, ({ name }) => {
      // Without ripgrep, the name may be a longer one that contains punctuation.
      if (absent.delete(name)) return;
      for (const [word, whole] of absent) if (whole.test(name)) absent.delete(word);
    });
    if (absent.size === 0) break;
  }
  return absent.keys();
}

/** Matches a whole word, also with ripgrep. Punctuation at the end of a word is its own border. */
function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[^\w-]/g, String.raw`\$&`);
  const [start, end] = [/^\w/, /\w$/].map((border) => (border.test(word) ? String.raw`\b` : ''));
  return new RegExp(`${start}${escaped}${end}`);
}
