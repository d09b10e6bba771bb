import type { RelevantFile } from '../../model/context.ts';
import type { Definition } from '../symbols.ts';
import type { CloseLook } from './close-look.ts';
import { bestPart, partLines } from './content-signals.ts';
import type { RankedFile } from './rank.ts';
import type { Clues } from './signal.ts';

/** The place, the names and the reasons of a ranked file; without a look, it is told by its path. */
export function explained(
  { file, score, parts }: RankedFile,
  { clues, look }: { readonly clues: Clues; readonly look: CloseLook | undefined },
): RelevantFile {
  const { lines, definitions } = look ?? { lines: 1, definitions: [] };
  const start = Math.min(bestPart(clues.hits.get(file) ?? [], clues).start, lines);
  const end = Math.min(start + partLines - 1, lines);
  return {
    path: clues.paths[file] ?? '',
    start,
    end,
    symbols: symbolsIn(definitions, { start, end }),
    score: Math.round(score * 1000) / 1000,
    reasons: reasonsFor({ file, score, parts }),
  };
}

const mostSymbols = 12;

/** Names defined in the part, and the one that it lies in. */
function symbolsIn(
  definitions: readonly Definition[],
  { start, end }: Pick<RelevantFile, 'start' | 'end'>,
): string[] {
  const around = definitions.findLast(({ line }) => line < start);
  const inside = definitions.filter(({ line }) => line >= start && line <= end);
  const names = [...(around === undefined ? [] : [around]), ...inside].map(({ name }) => name);
  return [...new Set(names)].slice(0, mostSymbols);
}

const mostReasons = 4;
/** What adds less than this part of the score is no reason. */
const leastPart = 0.04;

/** A clause for each reason that counted, the strongest first. */
function reasonsFor({ file, score, parts }: RankedFile): string[] {
  const together = Map.groupBy(parts, ([signal]) => signal.reason);
  return [...together]
    .map(([reason, signals]) => ({ reason, part: signals.reduce((sum, [, part]) => sum + part, 0) }))
    .filter(({ part }) => part > leastPart * score)
    .toSorted((a, b) => b.part - a.part)
    .map(({ reason }) => reason(file))
    .filter((clause) => clause !== null)
    .slice(0, mostReasons);
}
