/** A text with its white space folded, and the place of each of its lines in the folded form. */
export interface FoldedText {
  readonly text: string;
  /** Where each line begins in `text`; empty lines begin where the next one does. */
  readonly starts: readonly number[];
}

/**
 * Folds white space so that only what separates two words is left, as one space: `if ( a )`
 * and `if(a)` become the same, `new Foo` and `newFoo` do not. Typographic quotes count as plain
 * ones, invisible characters as nothing. Letters keep their case.
 */
export function fold(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ').replaceAll(looseSpace, '');
}

/** Folds a whole file; a final line end begins no further line. */
export function foldLines(content: string): FoldedText {
  const starts: number[] = [];
  let text = '';
  for (const line of linesOf(content)) {
    const folded = fold(line);
    if (folded !== '' && endsInWord.test(text) && beginsWithWord.test(folded)) text += ' ';
    starts.push(text.length);
    text += folded;
  }
  return { text, starts };
}

/** True where `a` and `b` stand side by side inside one word. */
export function splitsWord(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && endsInWord.test(a) && beginsWithWord.test(b);
}

const looseSpace = /(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu;
const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWithWord = /^[\p{L}\p{N}_$]/u;

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- plain ASCII is the quick way past the rest
  if (/^[\u0000-\u007F]*$/.test(text)) return text;
  return text
    .normalize('NFC')
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/[\u2018\u2019\u201B]/g, "'")
    .replaceAll(/[\u201C\u201D\u201F]/g, '"');
}

function linesOf(content: string): readonly string[] {
  const lines = content.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
