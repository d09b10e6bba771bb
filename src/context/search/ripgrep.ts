import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasCode } from '../../store/system-error.ts';
import type { FindHits, TakeHit } from './hits.ts';
import { scanHits } from './scan.ts';

/** Ripgrep cannot be asked: it is not installed, or does not understand the question. */
export class NoRipgrep extends Error {}

/**
 * By one call of ripgrep. Nobody’s configuration or ignore file counts: the files are chosen
 * already. Throws `NoRipgrep`.
 */
export const ripgrepHits: FindHits = async (search, take) => {
  const paths = search.paths.filter(isOneLine);
  // Without a path it would search everything.
  if (paths.length > 0) await callRipgrep({ ...search, paths }, take);
  await scanHits({ ...search, paths: search.paths.filter((path) => !isOneLine(path)) }, take);
};

async function callRipgrep(
  { root, paths, pattern, signal }: Parameters<FindHits>[0],
  take: TakeHit,
): Promise<void> {
  signal.throwIfAborted();
  const args = [...flags, '--regexp', pattern, '--', ...paths];
  const child = spawn(await ripgrepPath(), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const closed = once(child, 'close');
    closed.catch(() => undefined);
    await readHits(child.stdout, take);
    const [code] = await closed;
    signal.throwIfAborted();
    // 1 is “nothing found”; 2 without a word is a file that cannot be read.
    if (code !== 0 && code !== 1 && said !== '') throw new NoRipgrep(said.split('\n', 1)[0]);
  } catch (error) {
    signal.throwIfAborted();
    throw hasCode(error, ['ENOENT', 'EACCES']) ? new NoRipgrep('it is not installed') : error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** What ripgrep prints is read line by line. */
function isOneLine(path: string): boolean {
  return !path.includes('\n');
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

/** A path and a NUL stand before the first hit in a file. */
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
      // It says other things of binary files.
      if (line >= 1) take({ path, line, name: text.slice(colon + 1) });
    }
  }
}
