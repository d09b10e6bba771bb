import type { RelevantFile, TokenEstimate } from '../../model/context.ts';
import { estimatedTokens } from '../../model/text-size.ts';

/** About how many tokens each found file costs a model, with line numbers; unreadable ones none. */
export async function tokenEstimates(
  files: readonly RelevantFile[],
  read: (path: string) => Promise<string | null>,
): Promise<readonly TokenEstimate[]> {
  return await Promise.all(
    files.map(async ({ path, start, end }) => {
      const lines = ((await read(path)) ?? '').split('\n');
      const range = numberedBytes(lines.slice(start - 1, end), start);
      return {
        path,
        range: estimatedTokens(range),
        file: estimatedTokens(numberedBytes(lines, 1)),
      };
    }),
  );
}

function numberedBytes(lines: readonly string[], first: number): number {
  return lines.reduce(
    (sum, line, index) => sum + Buffer.byteLength(`${first + index}: ${line}\n`, 'utf8'),
    0,
  );
}
