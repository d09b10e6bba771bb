import type { RelevantFile } from '../../model/context.ts';
import { symbolsIn } from '../symbols.ts';
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
    symbols: [...symbolsIn(definitions, { start, end })],
    score: Math.round(score * 1000) / 1000,
    reasons: reasonsFor({ file, score, parts }),
  };
}

const mostReasons = 4;
/** What adds less than this part of the score is no reason. */
const leastPart = 0.04;

/** A clause for each reason that counted, the strongest first. */
function reasonsFor({ file, score, parts }: RankedFile): string[] {
  const together = Map.groupBy(parts, ([signal]) => signal.reason);
  return [...together]
    .map(([reason, signals]) => ({
      reason,
      part: signals.reduce((sum, [, part]) => sum + part, 0),
    }))
    .filter(({ part }) => part > leastPart * score)
    .toSorted((a, b) => b.part - a.part)
    .map(({ reason }) => reason(file))
    .filter((clause) => clause !== null)
    .slice(0, mostReasons);
}
