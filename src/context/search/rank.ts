import type { RelevantFile } from '../../model/context.ts';
import type { FileTraits } from '../file-kinds.ts';
import { symbolsIn } from '../symbols.ts';
import type { CloseLook } from './close-look.ts';
import { bestPart, partLines } from './content-signals.ts';
import type { Clues, Signal } from './signal.ts';

interface RankedFile {
  readonly file: number;
  readonly score: number;
  /** What each signal adds to the score. */
  readonly parts: ReadonlyMap<Signal, number>;
}

const kindFactor = { source: 1, test: 0.75, doc: 0.65, data: 0.65 } as const;
const generatedFactor = 0.3;

/** The files that some signal finds, best first, at most so many. */
export function rankFiles(
  signals: readonly Signal[],
  { paths, traits, most }: Pick<Clues, 'paths' | 'traits'> & { readonly most: number },
): readonly RankedFile[] {
  const finding = signals.filter(({ findsNone }) => findsNone !== true);
  const found = [...paths.keys()].filter((file) =>
    finding.some(({ scores }) => (scores[file] ?? 0) > 0),
  );
  const sources = found.filter((file) => {
    const { kind = 'data', isGenerated = true } = traits[file] ?? {};
    return kind === 'source' && !isGenerated;
  });
  // A change log has every word, so source files set the measure where there are any.
  const measured = sources.length > 0 ? sources : found;
  const units = signals.map((signal) => ({
    signal,
    greatest: measured.reduce((value, file) => Math.max(value, signal.scores[file] ?? 0), 0) || 1,
  }));
  const partOf = (file: number, { signal, greatest }: (typeof units)[number]): number =>
    factorOf(traits[file]) * signal.share * Math.min(1, (signal.scores[file] ?? 0) / greatest);
  const scores = new Float64Array(paths.length);
  for (const file of found) {
    scores[file] = units.reduce((sum, unit) => sum + partOf(file, unit), 0);
  }
  const scoreOf = (file: number): number => scores[file] ?? 0;
  return found
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || byPath(paths, a, b))
    .slice(0, most)
    .map((file) => {
      const parts = new Map(units.map((unit) => [unit.signal, partOf(file, unit)]));
      return { file, score: scoreOf(file), parts };
    });
}

function factorOf(traits: FileTraits | undefined): number {
  if (traits === undefined) return 0;
  return traits.isGenerated ? generatedFactor : kindFactor[traits.kind];
}

function byPath(paths: readonly string[], a: number, b: number): number {
  return (paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1;
}

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
