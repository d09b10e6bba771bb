/** One way to understand a quote: folded parts that follow each other in the file. */
export interface QuoteReading {
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
export function quoteReadings(quote: string): readonly QuoteReading[] {
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
export function foldLines(text: string): string {
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
