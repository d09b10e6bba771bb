import { needlesOf, type Needle } from './needles.ts';
import type { ContextProvider } from './provider.ts';
import { ranked } from './ranking.ts';
import type { Repository } from './repository.ts';
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
      const found = await hitsOf({ root: query.root, needles, known, signal });
      if (typeof found === 'string') return { ok: false, failure: { reason: found } };
      const tallies = [...found.values()];
      return { ok: true, value: await ranked({ needles, tallies, repository, maxFiles, signal }) };
    },
  };
}

/** Tallies by path, or one clause on why there are none. */
async function hitsOf(search: {
  readonly root: string;
  readonly needles: readonly Needle[];
  readonly known: ReadonlySet<string>;
  readonly signal: AbortSignal;
}): Promise<ReadonlyMap<string, Tally> | string> {
  const { root, needles, known, signal } = search;
  signal.throwIfAborted();
  const { execa } = await import('execa');
  const child = execa(await ripgrepPath(), argsFor(needles), {
    cwd: root,
    stdin: 'ignore',
    buffer: { stdout: false },
    reject: false,
    cancelSignal: signal,
  });
  const tallies = new Map<string, Tally>();
  for await (const line of linesOf(child.stdout)) {
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

/** Fixed strings, names of files ended by a NUL, long lines cut, nobody’s configuration file. */
function argsFor(needles: readonly Needle[]): readonly string[] {
  const texts = new Set(needles.flatMap((needle) => needle.texts));
  const flags = `--no-config --no-messages --color never --no-heading --line-number --with-filename
    --null --fixed-strings --ignore-case --hidden --max-filesize 1M --max-count ${mostLines}
    --max-columns 300 --max-columns-preview --glob !.git --glob !.workflow`.split(/\s+/);
  return [...flags, ...[...texts].flatMap((text) => ['-e', text]), '--', './'];
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
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
  return { path: line.slice(0, end).replace(/^\.\//, ''), number, text: line.slice(colon + 1) };
}
