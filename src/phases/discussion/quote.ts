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

type QuoteFinding =
  | { readonly found: 'near' | 'elsewhere'; readonly line: number }
  | { readonly found: 'nowhere'; readonly why: string };

/**
 * Looks for a quote in a file; lines count from 1. White space is folded, letters keep their
 * case, words stay whole unless an ellipsis cuts them. A quote may span lines, and then stands
 * wherever the stated line is inside it. One that proves little (`reachOf`)
 * counts only on or near the stated line. Of several places the nearest wins.
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

/** One way to understand a quote: folded parts that follow each other in the file. */
interface QuoteReading {
  readonly parts: readonly string[];
  /** The quote says itself that it is cut there, so the word at that end may be cut too. */
  readonly open: { readonly left: boolean; readonly right: boolean };
  /** How far from the stated line it still proves something; farther it is found by luck. */
  readonly reach: 'line' | 'near' | 'file';
}

/**
 * The ways to read a quote, the literal one first. Agents put quotes into code fences, quotation
 * marks or backticks, keep the line numbers of the tool that showed them the file, end them with
 * the full stop of their sentence, escape them once too often, and cut them with an ellipsis.
 */
function quoteReadings(quote: string): readonly QuoteReading[] {
  let texts = [quote.trim()];
  for (const bare of [withoutFence, withoutMarks, withoutNumbers, withoutStop, withoutEscapes]) {
    texts = [...new Set([...texts, ...texts.map(bare)])];
  }
  return [...texts.map(literal), ...texts.filter((text) => cut.test(text)).map(pieced)].filter(
    ({ parts }) => parts.length > 0,
  );
}

/**
 * Folds white space so that only what separates two words is left, as one space: `if ( a )`
 * and `if(a)` become the same, `new Foo` and `newFoo` do not. Letters keep their case.
 */
function fold(text: string): string {
  return foldLines(text.replaceAll('\n', ' '));
}

/** The same, line by line. Typographic quotes count as plain ones, invisible characters as nothing. */
function foldLines(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/[\u2018\u2019\u201B]/g, "'")
    .replaceAll(/[\u201C\u201D\u201F]/g, '"')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu, '');
}

const cut = /…|\.{3}/;

function withoutFence(text: string): string {
  return text.replace(/^```[\w-]*\r?\n(.*?)\r?\n?```$/s, '$1').trim();
}

function withoutMarks(text: string): string {
  const open = /^(?:`{1,3}|["'“‘«])/.exec(text)?.[0];
  const close = /(?:`{1,3}|["'”’»])[.,;:]?$/.exec(text)?.[0];
  return open === undefined || close === undefined || text.length < open.length + close.length
    ? text
    : text.slice(open.length, -close.length).trim();
}

function withoutNumbers(text: string): string {
  const number = /^\s*\d+\s*[→|:\t]/;
  const lines = text.split('\n');
  return lines.every((line) => line.trim() === '' || number.test(line))
    ? lines.map((line) => line.replace(number, '')).join('\n')
    : text;
}

function withoutStop(text: string): string {
  return cut.test(text.slice(-3)) ? text : text.replace(/\.$/, '');
}

function withoutEscapes(text: string): string {
  return text
    .replaceAll(/\\(["'`])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}

function literal(text: string): QuoteReading {
  const folded = fold(text);
  const parts = folded === '' ? [] : [folded];
  return { parts, open: { left: false, right: false }, reach: reachOf(parts, shortest) };
}

function pieced(text: string): QuoteReading {
  const pieces = text
    .split(/\s*[[(]?(?:…|\.{3})[\])]?\s*/)
    .map(withoutComment)
    .map(fold);
  const wordy = pieces.filter((piece) => hasWord.test(piece));
  const parts = wordy.length > 0 ? wordy : pieces.filter((piece) => piece !== '');
  return {
    parts,
    open: { left: parts[0] !== pieces[0], right: parts.at(-1) !== pieces.at(-1) },
    reach: reachOf(parts, shortestPiece),
  };
}

const hasWord = /[\p{L}\p{N}_$]/u;

// `// ...` stands for left-out lines; its comment sign is not in the file.
function withoutComment(text: string): string {
  return text.replace(/\s*(?:\/\/|#|--|\/\*|<!--)$/, '').replace(/^(?:\*\/|-->)\s*/, '');
}

/** In characters without spaces; shorter quotes are found by luck anywhere. */
const shortest = 4;
const shortestPiece = 8;
/** From these lengths on, even common words (`return false;`) prove something: near, anywhere. */
const longCommon = { near: 8, file: 18 };

function reachOf(parts: readonly string[], least: number): QuoteReading['reach'] {
  const grades = parts.map((part) => {
    const length = part.replaceAll(' ', '').length;
    const words = part.match(/[\p{L}\p{N}_$]+/gu) ?? [];
    if (length < least || words.length === 0) return 'line';
    if (words.some((word) => !commonWords.has(word))) return 'file';
    if (length >= longCommon.file) return 'file';
    return length < longCommon.near ? 'line' : 'near';
  });
  return grades.find((grade) => grade === 'file') ?? grades.find((g) => g === 'near') ?? 'line';
}

// Words that stand in nearly every file of some language; alone they point nowhere.
const commonWords = new Set(
  `abstract and any as assert async await bool boolean break case catch char class const continue
  def default defer del delete do double elif else end enum except export extends extern false
  False final finally float fn for foreach from func function go goto if impl implements import in
  int interface is lambda let long match module mut namespace new nil None not null number object
  of or override package pass private protected pub public raise readonly require return self short
  static str string String struct super switch then this throw throws trait true True try type
  typeof undefined unless unsigned until use using val var void when where while with yield
  0 1 2`.split(/\s+/),
);
