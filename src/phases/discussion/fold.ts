/** The lines of a file, folded only as far as they are looked at. */
export interface FileText {
  readonly length: number;
  /** The lines from `first` to `last`, counted from 1, as far as the file has them. */
  part(first: number, last: number): FoldedText;
  whole(): FoldedText;
}

/** Lines with their white space folded, joined to one text. */
export interface FoldedText {
  readonly text: string;
  /** Where each line begins in `text`; empty lines begin where the next one does. */
  readonly starts: readonly number[];
  /** The number of its first line, from 1. */
  readonly first: number;
}

/**
 * Folds white space so that only what separates two words is left, as one space: `if ( a )`
 * and `if(a)` become the same, `new Foo` and `newFoo` do not. Typographic quotes count as plain
 * ones, invisible characters as nothing. Letters keep their case.
 */
export function fold(text: string): string {
  return withoutLooseSpace(plain(text), looseSpace);
}

/** A file’s content by lines; a final line end begins no further line. */
export function fileText(content: string): FileText {
  // Nearly all code is ASCII, and for it the same rule is several times quicker.
  const loose = isAscii.test(content) ? looseAsciiSpace : looseSpace;
  const lines = plain(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  let whole: FoldedText | null = null;
  return {
    length: lines.length,
    part(first, last) {
      const from = Math.max(1, first);
      return joined(
        lines
          .slice(from - 1, Math.max(from - 1, last))
          .map((line) => withoutLooseSpace(line, loose)),
        from,
      );
    },
    whole() {
      whole ??= this.part(1, lines.length);
      return whole;
    },
  };
}

/** True where `a` and `b` stand side by side inside one word. */
export function splitsWord(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && endsInWord.test(a) && beginsWithWord.test(b);
}

function joined(lines: readonly string[], first: number): FoldedText {
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
  return { text: pieces.join(''), starts, first };
}

function withoutLooseSpace(text: string, loose: RegExp): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(loose, '');
}

const looseSpace = /(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu;
const looseAsciiSpace = /(?<![\w$]) | (?![\w$])/g;
const endsInWord = /[\p{L}\p{N}_$]$/u;
const beginsWithWord = /^[\p{L}\p{N}_$]/u;
// oxlint-disable-next-line no-control-regex -- ASCII has control characters
const isAscii = /^[\u0000-\u007F]*$/;

function plain(text: string): string {
  if (isAscii.test(text)) return text;
  return text
    .normalize('NFC')
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/[\u2018\u2019\u201B]/g, "'")
    .replaceAll(/[\u201C\u201D\u201F]/g, '"');
}
