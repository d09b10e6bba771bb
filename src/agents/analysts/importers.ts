import { eachLimited } from '../../git/each-limited.ts';
import { kindOf } from '../../context/file-kinds.ts';
import { importsIn } from '../../context/imports.ts';
import type { Repository } from '../../git/repository.ts';

/** A file that imports one of the targets, with the line that says so. */
export interface Importer {
  readonly path: string;
  readonly target: string;
  readonly line: number;
  readonly text: string;
}

/** Beyond this many source files, only those below the targets’ top folders are read. */
const mostRead = 1500;

/** Every source file that imports one of the targets, tests left out. */
export async function importersOf(
  targets: readonly string[],
  source: {
    readonly repository: Pick<Repository, 'files' | 'read'>;
    readonly signal: AbortSignal;
  },
): Promise<readonly Importer[]> {
  const { repository, signal } = source;
  const files = await repository.files();
  const known = new Set(files);
  const wanted = new Set(targets);
  const found = await eachLimited(readable(files, targets), async (path) => {
    signal.throwIfAborted();
    const content = await repository.read(path);
    if (content === null) return [];
    return importsIn({ path, content }, known)
      .filter(({ target }) => wanted.has(target) && !wanted.has(path))
      .map(({ target, line, text }) => ({ path, target, line, text }));
  });
  return found.flat();
}

/** The files of some kinds that there is time to read for what is around some of them. */
export function readable(
  files: readonly string[],
  targets: readonly string[],
  kinds: readonly ReturnType<typeof kindOf>[] = ['source'],
): readonly string[] {
  const sources = files.filter((path) => kinds.includes(kindOf(path)));
  if (sources.length <= mostRead) return sources;
  const tops = new Set(targets.map(topOf));
  return sources.filter((path) => tops.has(topOf(path))).slice(0, mostRead);
}

function topOf(path: string): string {
  return path.split('/', 2).join('/');
}
