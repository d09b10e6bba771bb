// Turns the task’s words in the content, and how close together they are, into signals.
import { counted, listed } from '../../model/wording.ts';
import {
  blockLines,
  distinctWords,
  saturate,
  tally,
  type Clues,
  type ReadSignals,
} from './search-signal.ts';

/** Signals from the words of the task in the content, its compound names, and how close they are. */
export const contentSignals: ReadSignals = (clues) => {
  const { hits, sizes, paths, terms, values } = clues;
  const words = new Float64Array(paths.length);
  const names = new Float64Array(paths.length);
  const closeness = new Float64Array(paths.length);
  const searched = sizes.filter((size) => size > 0);
  const total = searched.reduce((sum, size) => sum + size, 0);
  const average = Math.max(1, total / Math.max(1, searched.length));
  for (const [file, found] of hits) {
    for (const [term, count] of countsIn(found, terms.length)) {
      const scores = terms[term]?.isJoint === true ? names : words;
      // If a file is not on the disk, its size is unknown.
      const ratio = (sizes[file] || average) / average;
      add(scores, file, (values[term] ?? 0) * saturate(count, ratio));
    }
    add(closeness, file, bestPart(found, clues).value);
  }
  const reason = (file: number): string | null => wordsReason(file, clues);
  return [
    { share: 0.9, scores: words, reason },
    { share: 0.7, scores: names, reason },
    { share: 0.9, scores: closeness, reason },
  ];
};

const partBlocks = 3;
/** The number of lines of a part that is worth showing. */
export const partLines = partBlocks * blockLines;
/** The share of a term of several words, whose single words count, too. */
export const jointShare = 0.5;

/** Finds the lines where the most telling hits are together, counted from 1. */
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
      const share = terms[term]?.isJoint === true ? jointShare : 1;
      value += ((values[term] ?? 0) * share * count) / (count + 0.6);
    }
    if (value > best.value) best = { start: 1 + blockLines * start, value };
  }
  return best;
}

/** The blocks at which a part can start that contains one of these. */
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

/**
 * Names the words that were found. Literals occur as spelled; other words may have another form in
 * the file.
 */
function wordsReason(file: number, { hits, terms, values }: Clues): string | null {
  const found = [...countsIn(hits.get(file) ?? [], terms.length)]
    .toSorted(([a], [b]) => (values[b] ?? 0) - (values[a] ?? 0))
    .map(([term, count]) => ({ word: '', isLiteral: false, ...terms[term], count }));
  const literals = found.filter(({ isLiteral }) => isLiteral).map(({ word }) => word);
  const told = distinctWords(literals, 3);
  const words = distinctWords([...told, ...found.map(({ word }) => word)], told.length + 4).slice(
    told.length,
  );
  const counts = found.filter(({ word }) => words.includes(word)).map(({ count }) => count);
  const clauses = [
    ...(told.length === 0 ? [] : [`says ${listed(told)}`]),
    ...(words.length === 0
      ? []
      : [`words like ${listed(words)} (up to ${counted(Math.max(...counts), 'hit')})`]),
  ];
  return clauses.length === 0 ? null : clauses.join('; ');
}
