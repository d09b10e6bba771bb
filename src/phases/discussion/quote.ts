import { type FoldedText, fold, splitsWord } from './fold.ts';
import { type Reading, readingsOf } from './quote-readings.ts';

/** Found this near to the stated line, in lines, a quote counts as standing there. */
export const nearLines = 3;

export type QuoteFinding =
  | { readonly found: 'near' | 'elsewhere'; readonly line: number }
  | { readonly found: 'nowhere'; readonly why: string };

/**
 * Looks for a quote in a file; lines count from 1. White space is folded, letters keep their
 * case, words stay whole unless an ellipsis cuts them. A quote may span lines, and then stands
 * wherever the stated line is inside it. One that proves little (see `quote-readings.ts`)
 * counts only on the stated line itself. Of several places the nearest one wins.
 */
export function findQuote({
  file,
  quote,
  line,
}: {
  readonly file: FoldedText;
  readonly quote: string;
  readonly line: number;
}): QuoteFinding {
  if (fold(quote) === '') return { found: 'nowhere', why: 'no quote is given' };
  const readings = readingsOf(quote);
  if (readings.length === 0) return { found: 'nowhere', why: 'the quote says nothing' };
  let nearest: Place | null = null;
  for (const reading of readings) {
    const place = nearestPlace(file, reading, line);
    if (place === null || (reading.weak && place.first !== line)) continue;
    if (nearest === null || place.distance < nearest.distance) nearest = place;
    if (nearest.distance === 0) break;
  }
  if (nearest === null) return { found: 'nowhere', why: whyNot(readings, file, line) };
  const found = nearest.distance <= nearLines ? 'near' : 'elsewhere';
  return { found, line: nearest.first };
}

interface Place {
  readonly first: number;
  readonly distance: number;
}

// A cut quote is one excerpt: its parts may not come from all over the file.
const longestCut = 40;
// Only a quote of a character or two has more places; it must stand on its line anyway.
const mostPlaces = 20_000;

function nearestPlace(file: FoldedText, reading: Reading, line: number): Place | null {
  let nearest: Place | null = null;
  let from = 0;
  for (let count = 0; count < mostPlaces; count += 1) {
    const span = nextSpan(file, reading, from);
    if (span === null) return nearest;
    from = span.start + 1;
    const place = placeOf(file, span, line);
    if (place !== null && (nearest === null || place.distance < nearest.distance)) nearest = place;
  }
  return nearest;
}

/** From the first character of the first part to the end of the last one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function nextSpan(file: FoldedText, { parts, open }: Reading, from: number): Span | null {
  const last = parts.length - 1;
  let start: number | null = null;
  let end = from;
  for (const [index, part] of parts.entries()) {
    const at = indexOfPart(file.text, part, {
      from: end,
      wholeLeft: index === 0 && !open.left,
      wholeRight: index === last && !open.right,
    });
    if (at === -1) return null;
    start ??= at;
    end = at + part.length;
  }
  return start === null ? null : { start, end };
}

function indexOfPart(
  text: string,
  part: string,
  where: { readonly from: number; readonly wholeLeft: boolean; readonly wholeRight: boolean },
): number {
  for (let at = text.indexOf(part, where.from); at !== -1; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    const cutLeft = where.wholeLeft && splitsWord(text[at - 1], text[at]);
    const cutRight = where.wholeRight && splitsWord(text[end - 1], text[end]);
    if (!cutLeft && !cutRight) return at;
  }
  return -1;
}

function placeOf(file: FoldedText, span: Span, line: number): Place | null {
  const first = lineAt(file, span.start);
  const last = lineAt(file, span.end - 1);
  if (last - first > longestCut) return null;
  return { first, distance: Math.max(first - line, line - last, 0) };
}

function lineAt({ starts }: FoldedText, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function whyNot(readings: readonly Reading[], file: FoldedText, line: number): string {
  const length = file.starts.length;
  if (line > length) return `line ${line} is beyond the end (${length} lines)`;
  return readings.every(({ weak }) => weak)
    ? `the quote is too short to search for and is not on line ${line}`
    : 'the quote is not in the file';
}
