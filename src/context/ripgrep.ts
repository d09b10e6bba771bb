import { needlesOf, type Needle } from './needles.ts';
import { foundNothing, type ContextProvider } from './provider.ts';
import { ranked } from './ranking.ts';
import type { Repository } from '../git/repository.ts';
import { nothingToSearch } from './scan.ts';
import { emptyTally, mostLines, tallyLine, type Tally } from './tally.ts';

/** Searches with one call of ripgrep: its bundled binary, else `rg` on PATH. */
export function ripgrepProvider(repository: Pick<Repository, 'files' | 'read'>): ContextProvider {
  return {
    name: 'ripgrep',
    async search(query, { maxFiles, signal }) {
      const needles = needlesOf(query.keywords);
      if (needles.length === 0) return nothingToSearch;
      const known = new Set(await repository.files());
      const place = { root: query.root, signal };
      const found = await hitsOf({ ...place, needles, known });
      if (typeof found === 'string') return { ok: false, failure: { reason: found } };
      const tallies = [...found.values()];
      const files = await ranked({ needles, tallies, repository, maxFiles, signal });
      if (files.length > 0) return { ok: true, value: files };
      const spares = (await looksInto(known, place)) ? ['scan'] : [];
      return { ok: false, failure: { reason: foundNothing, spares } };
    },
  };
}

interface Place {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Tallies by path, or one clause on why there are none. */
async function hitsOf(
  search: Place & { readonly needles: readonly Needle[]; readonly known: ReadonlySet<string> },
): Promise<ReadonlyMap<string, Tally> | string> {
  const { needles, known, signal } = search;
  const { child } = await started(argsFor(needles), search);
  const tallies = new Map<string, Tally>();
  for await (const line of partsOf(child.stdout, '\n')) {
    const hit = hitIn(line);
    if (hit === null || !known.has(hit.path)) continue;
    const tally = tallies.get(hit.path) ?? emptyTally(hit.path, needles);
    tallies.set(hit.path, tally);
    tallyLine(tally, hit);
  }
  const result = await child;
  signal.throwIfAborted();
  if (result.code === 'ENOENT') return 'ripgrep is not installed';
  // 1 is "nothing found"; 2 with hits is a file that could not be read.
  if (result.exitCode === 0 || result.exitCode === 1 || tallies.size > 0) return tallies;
  return result.stderr.split('\n', 1)[0] || 'ripgrep failed';
}

/**
 * Whether ripgrep looks into each of these files, but for those that are too large. It leaves out
 * what an ignore file names, be it committed, and what is not checked out.
 */
async function looksInto(files: ReadonlySet<string>, place: Place): Promise<boolean> {
  const { child } = await started([...walking, '--files', '--null', './'], place);
  const left = new Set(files);
  for await (const path of partsOf(child.stdout, '\0')) left.delete(withoutDot(path));
  await child;
  place.signal.throwIfAborted();
  return left.size === 0;
}

/** In an object, because to wait for the process itself is to wait for its end. */
async function started(args: readonly string[], { root, signal }: Place) {
  signal.throwIfAborted();
  const { execa } = await import('execa');
  const child = execa(await ripgrepPath(), args, {
    cwd: root,
    stdin: 'ignore',
    buffer: { stdout: false },
    reject: false,
    cancelSignal: signal,
  });
  return { child };
}

/** The program that is started: the bundled one, else the name of that on PATH. */
export async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (error) {
    // An optional dependency: not installed, or without a binary for this platform.
    if (error instanceof Error) return 'rg';
    throw error;
  }
}

/** Which files there are, by nobody’s configuration file. */
const walking = '--no-config --no-messages --hidden --glob !.git --glob !.workflow'.split(' ');

/** Fixed strings, names of files ended by a NUL, long lines cut. */
function argsFor(needles: readonly Needle[]): readonly string[] {
  const texts = new Set(needles.flatMap((needle) => needle.texts));
  const flags = `--color never --no-heading --line-number --with-filename --null --fixed-strings
    --ignore-case --max-filesize 1M --max-count ${mostLines} --max-columns 300
    --max-columns-preview`.split(/\s+/);
  return [...walking, ...flags, ...[...texts].flatMap((text) => ['-e', text]), '--', './'];
}

async function* partsOf(stream: NodeJS.ReadableStream, end: string): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const parts = `${rest}${chunk.toString()}`.split(end);
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/** Reads `./path NUL line:text`; other lines, e.g. on binary files, are no hits. */
function hitIn(line: string): { path: string; number: number; text: string } | null {
  const end = line.indexOf('\0');
  const colon = line.indexOf(':', end);
  if (end === -1 || colon === -1) return null;
  const number = Number(line.slice(end + 1, colon));
  if (!Number.isInteger(number) || number < 1) return null;
  return { path: withoutDot(line.slice(0, end)), number, text: line.slice(colon + 1) };
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, '');
}
