import { type QuoteReading, foldLines, quoteReadings } from './quote-readings.ts';

/** Found this near to the stated line, in lines, a quote counts as standing there. */
export const nearLines = 3;

/** The lines of a file with their white space folded, joined to one text. */
export interface FoldedFile {
  readonly text: string;
  /** Where each line begins in `text`; empty lines begin where the next one does. */
  readonly starts: readonly number[];
}

/** A final line end begins no further line. */
export function foldedFile(content: string): FoldedFile {
  const lines = foldLines(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let last = '';
  for (const line of lines) {
    const gap = splitsWord(last.at(-1), line[0]) ? ' ' : '';
    starts.push(length + gap.length);
    if (line === '') continue;
    pieces.push(gap, line);
    length += gap.length + line.length;
    last = line;
  }
  return { text: pieces.join(''), starts };
}

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
  readonly file: FoldedFile;
  readonly quote: string;
  readonly line: number;
}): QuoteFinding {
  if (quote.length > longestQuote) return { found: 'nowhere', why: 'the quote is too long' };
  const readings = quoteReadings(quote);
  if (readings.length === 0) return { found: 'nowhere', why: 'the quote is empty' };
  const reach = { line: 0, near: nearLines, file: Infinity };
  const [nearest] = readings
    .flatMap((reading) => {
      const place = nearestPlace(file, reading, line);
      return place !== null && place.distance <= reach[reading.reach] ? [place] : [];
    })
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined) return { found: 'nowhere', why: whyNot(readings, file, line) };
  return { found: nearest.distance <= nearLines ? 'near' : 'elsewhere', line: nearest.first };
}

interface QuotePlace {
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

function nearestPlace(file: FoldedFile, reading: QuoteReading, line: number): QuotePlace | null {
  let nearest: QuotePlace | null = null;
  let from = 0;
  for (let count = 0; count < mostPlaces; count += 1) {
    const range = nextRange(file.text, reading, from);
    if (range === null) return nearest;
    from = range.start + 1;
    const place = quotePlace(file, range, line);
    const isOneExcerpt = reading.parts.length === 1 || place.height <= longestCut;
    if (isOneExcerpt && (nearest === null || place.distance < nearest.distance)) nearest = place;
  }
  return nearest;
}

/** From the first character of the first part to the end of the last one. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

function nextRange(text: string, { parts, open }: QuoteReading, from: number): TextRange | null {
  let start: number | null = null;
  let end = from;
  for (const [index, part] of parts.entries()) {
    const at = indexOfPart(text, part, {
      from: end,
      wholeLeft: index === 0 && !open.left,
      wholeRight: index === parts.length - 1 && !open.right,
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

/** True where `a` and `b` stand side by side inside one word. */
function splitsWord(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && endsInWord.test(a) && beginsWithWord.test(b);
}

const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWithWord = /^[\p{L}\p{N}_$]/u;

function quotePlace({ starts }: FoldedFile, { start, end }: TextRange, line: number): QuotePlace {
  const lineAt = (offset: number) => {
    const next = starts.findIndex((begin) => begin > offset);
    return next === -1 ? starts.length : next;
  };
  const [first, last] = [lineAt(start), lineAt(end - 1)];
  return { first, height: last - first + 1, distance: Math.max(first - line, line - last, 0) };
}

function whyNot(readings: readonly QuoteReading[], { starts }: FoldedFile, line: number): string {
  if (line > starts.length) return `line ${line} is beyond the end (${starts.length} lines)`;
  return readings.every(({ reach }) => reach !== 'file')
    ? `the quote says too little to search for and is not at line ${line}`
    : 'the quote is not in the file';
}
