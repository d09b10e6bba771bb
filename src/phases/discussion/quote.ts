import { type FileText, type FoldedText, fold, splitsWord } from './fold.ts';
import { type Reading, readingsOf } from './quote-readings.ts';

/** Found this near to the stated line, in lines, a quote counts as standing there. */
export const nearLines = 3;

export type QuoteFinding =
  | { readonly found: 'near' | 'elsewhere'; readonly line: number }
  | { readonly found: 'nowhere'; readonly why: string };

/**
 * Looks for a quote in a file; lines count from 1. White space is folded, letters keep their
 * case, words stay whole unless an ellipsis cuts them. A quote may span lines, and then stands
 * wherever the stated line is inside it. One that proves little (`reach` in
 * `quote-readings.ts`) counts only on or near the stated line. Of several places the nearest wins.
 */
export function findQuote({
  file,
  quote,
  line,
}: {
  readonly file: FileText;
  readonly quote: string;
  readonly line: number;
}): QuoteFinding {
  if (quote.length > longestQuote) return { found: 'nowhere', why: 'the quote is too long' };
  if (fold(quote) === '') return { found: 'nowhere', why: 'no quote is given' };
  const readings = readingsOf(quote);
  if (readings.length === 0) return { found: 'nowhere', why: 'the quote says nothing' };
  // Most quotes stand where they should, and then the rest of the file need not be folded.
  const isCut = readings.some(({ parts }) => parts.length > 1);
  const margin = nearLines + quote.split('\n').length + (isCut ? longestCut : 0);
  const around = file.part(line - margin, line + margin);
  const near = nearestOf({ text: around, readings, line });
  if (near !== null && near.distance <= nearLines) return { found: 'near', line: near.first };
  const far = nearestOf({ text: file.whole(), readings, line });
  if (far === null) return { found: 'nowhere', why: whyNot(readings, file, line) };
  return { found: far.distance <= nearLines ? 'near' : 'elsewhere', line: far.first };
}

function nearestOf(search: {
  readonly text: FoldedText;
  readonly readings: readonly Reading[];
  readonly line: number;
}): Place | null {
  let nearest: Place | null = null;
  for (const reading of search.readings) {
    const place = nearestPlace(search.text, reading, search.line);
    if (place === null || place.distance > farthest(reading.reach)) continue;
    if (nearest === null || place.distance < nearest.distance) nearest = place;
    if (nearest.distance === 0) break;
  }
  return nearest;
}

function farthest(reach: Reading['reach']): number {
  return reach === 'line' ? 0 : reach === 'near' ? nearLines : Infinity;
}

interface Place {
  /** The line it begins on, from 1, and how many lines it has. */
  readonly first: number;
  readonly height: number;
  /** In lines, from the stated one. */
  readonly distance: number;
}

// In lines: a cut quote is one excerpt, its parts may not come from all over the file.
const longestCut = 40;
// Beyond this the nearest place is no longer looked for, so that no quote takes seconds.
const mostPlaces = 2_000;
// In characters: more is no short piece, and a hostile text would cost much time.
const longestQuote = 10_000;

function nearestPlace(text: FoldedText, reading: Reading, line: number): Place | null {
  let nearest: Place | null = null;
  let from = 0;
  for (let count = 0; count < mostPlaces; count += 1) {
    const span = nextSpan(text, reading, from);
    if (span === null) return nearest;
    from = span.start + 1;
    const place = placeOf(text, span, line);
    const whole = reading.parts.length === 1 || place.height <= longestCut;
    if (whole && (nearest === null || place.distance < nearest.distance)) nearest = place;
  }
  return nearest;
}

/** From the first character of the first part to the end of the last one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function nextSpan({ text }: FoldedText, { parts, open }: Reading, from: number): Span | null {
  const last = parts.length - 1;
  let start: number | null = null;
  let end = from;
  for (const [index, part] of parts.entries()) {
    const at = indexOfPart(text, part, {
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

function placeOf(text: FoldedText, span: Span, line: number): Place {
  const first = lineAt(text, span.start);
  const last = lineAt(text, span.end - 1);
  return { first, height: last - first + 1, distance: Math.max(first - line, line - last, 0) };
}

function lineAt({ starts, first }: FoldedText, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return first - 1 + low;
}

function whyNot(readings: readonly Reading[], file: FileText, line: number): string {
  if (line > file.length) return `line ${line} is beyond the end (${file.length} lines)`;
  return readings.every(({ reach }) => reach !== 'file')
    ? `the quote says too little to search for and is not at line ${line}`
    : 'the quote is not in the file';
}
