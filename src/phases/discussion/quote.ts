// Looks for a quote in a file with its white space folded.
import { withoutInvisible } from '../../model/invisible.ts';
import { counted, oneLine } from '../../model/wording.ts';

/** The greatest distance from the stated line, in lines, at which a quote counts as being there. */
const nearLines = 3;
/** Shorter quotes, in characters without spaces, occur anywhere by chance, so they count only near their line. */
const shortest = 8;
/** The longest quote, in characters: a longer one is not a short piece, and a hostile text would take much time. */
const longestQuote = 2_000;
/** The most lines of a cut quote, which is one excerpt: its parts must not come from all over the file. */
const longestCut = 40;
/** The most places that are compared, so that no quote takes seconds. */
const mostPlaces = 2_000;

/** The lines of a file with their white space folded, joined to one text. */
export interface FoldedFile {
  /** The original text. */
  readonly content: string;
  readonly text: string;
  /** The index in `text` at which each line begins; empty lines begin where the next one does. */
  readonly starts: readonly number[];
}

/** Folds the lines of a file; a line end at the end of the file starts no further line. */
export function foldFile(content: string): FoldedFile {
  const lines = fold(content).split('\n');
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
  return { content, text: pieces.join(''), starts };
}

type QuoteFinding =
  | { readonly found: 'near' | 'elsewhere'; readonly line: number }
  | { readonly found: 'nowhere'; readonly why: string };

/**
 * Looks for a quote in a file; lines count from 1. White space is folded, letters keep their case, words stay
 * whole unless an ellipsis cuts them. A quote that spans lines counts as being on each of them. Among several
 * places the nearest wins, and among equally near ones the lowest.
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
  const excerpts = excerptsOf(quote);
  if (excerpts.length === 0) return { found: 'nowhere', why: 'the quote is empty' };
  for (const excerpt of excerpts) {
    const nearest = nearestPlace(file, excerpt, line);
    if (nearest !== undefined && nearest.distance <= nearLines) {
      return { found: 'near', line: nearest.first };
    }
    if (nearest !== undefined && !isShort(excerpt)) {
      return { found: 'elsewhere', line: nearest.first };
    }
  }
  const { length } = file.starts;
  if (line > length) {
    return { found: 'nowhere', why: `line ${line} is beyond the end (${counted(length, 'line')})` };
  }
  const why = excerpts.every(isShort)
    ? `the quote is too short to search for and is not near line ${line}`
    : 'the quote is not in the file';
  return { found: 'nowhere', why: `${why}; ${instead(file, line)}` };
}

/** Shows the cited line as it is, so that a person sees what differs. */
function instead({ content }: FoldedFile, line: number): string {
  const there = oneLine(content.split('\n')[line - 1] ?? '');
  const shown = there.length > mostShown ? `${there.slice(0, mostShown)}…` : there;
  return there === '' ? `line ${line} is empty` : `line ${line} is “${shown}”`;
}

/** The part of a line that is shown, in characters. */
const mostShown = 80;

function isShort({ parts }: Excerpt): boolean {
  return parts.join('').replaceAll(' ', '').length < shortest;
}

function nearestPlace(file: FoldedFile, excerpt: Excerpt, line: number) {
  return rangesOf(file.text, excerpt)
    .map((range) => placeOf(range, file, line))
    .filter(({ height }) => excerpt.parts.length === 1 || height <= longestCut)
    .toSorted((a, b) => a.distance - b.distance || a.height - b.height)[0];
}

/** Folded parts of a quote that follow each other in the file. */
interface Excerpt {
  readonly parts: readonly string[];
  /** True for an end that an ellipsis cuts off; the word there may be cut, too. */
  readonly isOpen: { readonly left: boolean; readonly right: boolean };
}

/**
 * The ways to read a quote, best first: an ellipsis in it may be code (`{ ...a, b }`) or a cut. Removes what
 * agents put around a quote: code fences, quotation marks, line numbers of the tool that showed them the file,
 * the full stop of their sentence, comment signs around an ellipsis.
 */
function excerptsOf(quote: string): readonly Excerpt[] {
  const bare = withoutNumbers(quote.replace(/^\s*```[\w-]*\r?\n/, ''));
  const whole = foldedPiece(bare);
  const pieces = bare.split(ellipsis).map(foldedPiece);
  const asCode = { parts: [whole], isOpen: { left: false, right: false } };
  const asCut = {
    parts: pieces.filter((piece) => piece !== ''),
    isOpen: {
      left: pieces.length > 1 && pieces[0] === '',
      right: pieces.length > 1 && pieces.at(-1) === '',
    },
  };
  const excerpts = ellipsis.test(whole) ? [asCode, asCut] : [asCut];
  return excerpts.filter(({ parts }) => parts.length > 0);
}

const ellipsis = /…|\.{3}/;

function foldedPiece(text: string): string {
  return fold(text.replaceAll(edges, '').replaceAll('\n', ' '));
}

// Matches what can be removed from the ends of a quote without changing which code it quotes.
const edges = /^[\s"'`“”‘’«».,;:*/\\#<!>-]+|[\s"'`“”‘’«».,;:*/\\#<!>-]+$/g;

function withoutNumbers(text: string): string {
  const number = /^\s*\d+\s*[→|:\t]/;
  const lines = text.split('\n');
  return lines.every((line) => line.trim() === '' || number.test(line))
    ? lines.map((line) => line.replace(number, '')).join('\n')
    : text;
}

/**
 * Folds white space so that only the space between two words is left: `if ( a )` and `if(a)` become the same,
 * `new Foo` and `newFoo` do not. Line ends stay. Typographic quotes become plain ones; invisible characters and
 * the escapes of quotes are removed.
 */
function fold(text: string): string {
  return withoutInvisible(text.normalize('NFC'))
    .text.replaceAll(/[\u200C\u200D]/g, '')
    .replaceAll(/[\u2018\u2019\u201B]/g, "'")
    .replaceAll(/[\u201C\u201D\u201F]/g, '"')
    .replaceAll(/\\(?=["'`])/g, '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu, '');
}

/** The range from the first character of the first part to the end of the last one. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

function rangesOf(text: string, excerpt: Excerpt): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let range = nextRange(text, excerpt, 0);
  while (range !== null && ranges.length < mostPlaces) {
    ranges.push(range);
    range = nextRange(text, excerpt, range.start + 1);
  }
  return ranges;
}

function nextRange(text: string, { parts, isOpen }: Excerpt, from: number): TextRange | null {
  let start: number | null = null;
  let end = from;
  for (const [index, part] of parts.entries()) {
    const at = indexOfPart(text, part, {
      from: end,
      wholeLeft: index === 0 && !isOpen.left,
      wholeRight: index === parts.length - 1 && !isOpen.right,
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
    const isCutLeft = where.wholeLeft && splitsWord(text[at - 1], text[at]);
    const isCutRight = where.wholeRight && splitsWord(text[end - 1], text[end]);
    if (!isCutLeft && !isCutRight) return at;
  }
  return -1;
}

/** True if `a` and `b` are neighbours inside one word. */
function splitsWord(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && endsInWord.test(a) && beginsWithWord.test(b);
}

const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWithWord = /^[\p{L}\p{N}_$]/u;

/** The first line of a range, its height, and its distance from the stated line, in lines. */
function placeOf({ start, end }: TextRange, { starts }: FoldedFile, line: number) {
  const lineAt = (offset: number) => {
    const next = starts.findIndex((begin) => begin > offset);
    return next === -1 ? starts.length : next;
  };
  const [first, last] = [lineAt(start), lineAt(end - 1)];
  return { first, height: last - first + 1, distance: Math.max(first - line, line - last, 0) };
}
