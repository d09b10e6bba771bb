// Counts as signals the words of the task in the content, and how close together they stand.
import { counted, listed } from '../../model/wording.ts';
import {
  blockLines,
  distinctWords,
  saturate,
  tally,
  type Clues,
  type ReadSignals,
} from './signal.ts';

/** The words of the task in the content, its names of several parts, and how close they stand. */
export const contentSignals: ReadSignals = (clues) => {
  const { hits, sizes, paths, terms, values } = clues;
  const words = new Float64Array(paths.length);
  const names = new Float64Array(paths.length);
  const literals = new Float64Array(paths.length);
  const phrases = new Float64Array(paths.length);
  const closeness = new Float64Array(paths.length);
  const searched = sizes.filter((size) => size > 0);
  const total = searched.reduce((sum, size) => sum + size, 0);
  const average = Math.max(1, total / Math.max(1, searched.length));
  for (const [file, found] of hits) {
    for (const [term, count] of countsIn(found, terms.length)) {
      const { isJoint = false, isLiteral = false } = terms[term] ?? {};
      const [one, several] = isLiteral ? [literals, phrases] : [words, names];
      const scores = isJoint ? several : one;
      // Of a file that is not on the disk, the size is not known.
      const ratio = (sizes[file] || average) / average;
      add(scores, file, (values[term] ?? 0) * saturate(count, ratio));
    }
    add(closeness, file, bestPart(found, clues).value);
  }
  const reason = (file: number): string | null => wordsReason(file, clues);
  const spelled = (file: number): string | null => literalsReason(file, clues);
  return [
    { share: 0.9, scores: words, reason },
    { share: 0.7, scores: names, reason },
    { share: 0.1, scores: literals, reason: spelled },
    { share: 0.4, scores: phrases, reason: spelled },
    { share: 0.9, scores: closeness, reason },
  ];
};

const partBlocks = 3;
/** The lines of a part that is worth showing. */
export const partLines = partBlocks * blockLines;
/** The share of a term of several words, which stand there, too. */
export const jointShare = 0.5;

/** The lines where the most telling hits stand together, from 1. */
function bestPart(
  hits: readonly number[],
  { terms, values }: Pick<Clues, 'terms' | 'values'>,
): { readonly start: number; readonly value: number } {
  const blocks = Map.groupBy(hits, (hit) => Math.floor(hit / terms.length / blockLines));
  let best = { start: 1, value: 0 };
  for (const start of startsAround(blocks.keys())) {
    const inside = Array.from({ length: partBlocks }, (_, at) => blocks.get(start + at) ?? []);
    let value = 0;
    for (const [term, count] of countsIn(inside.flat(), terms.length)) {
      const { isJoint = false, isLiteral = false } = terms[term] ?? {};
      // The word of a literal counts by its stem already.
      const share = isJoint ? jointShare : isLiteral ? 0 : 1;
      value += ((values[term] ?? 0) * share * count) / (count + 0.6);
    }
    if (value > best.value) best = { start: 1 + blockLines * start, value };
  }
  return best;
}

/** The blocks with which a part may start that has one of these. */
function startsAround(blocks: Iterable<number>): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const block of blocks) {
    for (let at = Math.max(0, block - partBlocks + 1); at <= block; at++) starts.add(at);
  }
  return starts;
}

function countsIn(hits: readonly number[], termCount: number): ReadonlyMap<number, number> {
  return tally(hits.map((hit) => hit % termCount));
}

function add(scores: Float64Array, file: number, value: number): void {
  scores[file] = (scores[file] ?? 0) + value;
}

/** Words are compared by their stems, so the file may have another form of them. */
function wordsReason(file: number, { hits, terms, values }: Clues): string | null {
  const found = [...countsIn(hits.get(file) ?? [], terms.length)]
    .filter(([term]) => terms[term]?.isLiteral !== true)
    .toSorted(([a], [b]) => (values[b] ?? 0) - (values[a] ?? 0))
    .map(([term, count]) => ({ word: terms[term]?.word ?? '', count }));
  const words = distinctWords(
    found.map(({ word }) => word),
    4,
  );
  if (words.length === 0) return null;
  const counts = found.filter(({ word }) => words.includes(word)).map(({ count }) => count);
  return `words like ${listed(words)} (up to ${counted(Math.max(...counts), 'hit')})`;
}

/** Names and phrases stand in the file as the task spells them. */
function literalsReason(file: number, { hits, terms, values }: Clues): string | null {
  const found = [...new Set((hits.get(file) ?? []).map((hit) => hit % terms.length))]
    .filter((term) => terms[term]?.isLiteral === true)
    .toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
    .slice(0, 3);
  return found.length === 0 ? null : `says ${listed(found.map((term) => terms[term]?.word ?? ''))}`;
}
