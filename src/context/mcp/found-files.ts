import type { RelevantFile } from '../../model/context.ts';
import { fusedPaths } from '../fusion.ts';
import type { Repository } from '../../git/repository.ts';
import { definitionsIn } from '../symbols.ts';
import { bestWindow, symbolsIn } from '../window.ts';
import type { Hit } from './hits.ts';

/** The files of all answers by reciprocal rank, with a reason that says who named them. */
export async function foundFiles(found: {
  readonly lists: readonly (readonly Hit[])[];
  /** Whoever named them, e.g. "the MCP tool search_code". */
  readonly by: string;
  /** How many questions were put, answered or not. */
  readonly asked: number;
  readonly maxFiles: number;
  readonly read: Repository['read'];
}): Promise<readonly RelevantFile[]> {
  const { lists, by, asked, maxFiles, read } = found;
  const best = fusedPaths(lists.map((list) => list.map(({ path }) => path)));
  const files: RelevantFile[] = [];
  for (const { path, score } of best.slice(0, maxFiles)) {
    const hits = lists.flatMap((list) => list.filter((hit) => hit.path === path));
    const often = asked === 1 ? '' : ` for ${hits.length} of ${asked} queries`;
    const content = (await read(path)) ?? '';
    files.push({
      path,
      score,
      reasons: [`named by ${by}${often}`],
      ...partOf(hits, { path, content }),
    });
  }
  return files;
}

/** The lines that were named, if the file has them, else its head. */
function partOf(
  hits: readonly Hit[],
  { path, content }: { readonly path: string; readonly content: string },
): Pick<RelevantFile, 'start' | 'end' | 'symbols'> {
  const lineCount = content.split('\n').length;
  const head = bestWindow({ hits: new Map(), weights: [], lineCount });
  const told = hits.find(({ start }) => start !== null && start <= lineCount);
  const start = told?.start ?? head.start;
  const end = Math.min(
    lineCount,
    told === undefined ? head.end : Math.max(start, told.end ?? start),
  );
  return { start, end, symbols: [...symbolsIn(definitionsIn(path, content), { start, end })] };
}
