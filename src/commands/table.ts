import { styleText } from 'node:util';
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';

/**
 * Columns under a heading, aligned by how wide terminals show the text. Cells become one safe
 * line each; the last one is cut where the row would be longer than `width` columns.
 */
export function table(rows: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly width?: number;
}): string {
  const cells = [rows.head, ...rows.rows].map((row) => row.map((cell) => oneLine(cleanText(cell))));
  const widths = rows.head.map((_, column) =>
    Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))),
  );
  const lines = cells.map((row) => aligned(row, { widths, width: rows.width ?? Infinity }));
  const [head = '', ...body] = lines;
  return [styleText('bold', head, { stream: process.stdout }), ...body]
    .map((line) => `${line}\n`)
    .join('');
}

/** Columns that a terminal takes for a text: two for CJK and emoji, none for marks on a letter. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += widthOf(segment);
  return width;
}

/** Most texts, and quickly told: ASCII, quotes, dashes and what bars are drawn with. */
const plain = /^[ -~\u2013-\u201d\u2026\u2588\u2591]*$/;
const gap = '  ';
/** Made when it is first needed: that takes as long as all of this module. */
function graphemes(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));
}

let segmenter: Intl.Segmenter | null = null;
const emoji = /\p{Emoji_Presentation}|\u{fe0f}/u;
// East Asian wide and full-width letters, and the punctuation that goes with them.
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Bopomofo}|\p{Script=Yi}|[\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6])/u;
const halfWidth = /^[\uff61-\uffdc]/u;
const nothing = /^\p{M}+$/u;

function widthOf(grapheme: string): number {
  if (nothing.test(grapheme)) return 0;
  if (emoji.test(grapheme)) return 2;
  return wide.test(grapheme) && !halfWidth.test(grapheme) ? 2 : 1;
}

function aligned(
  row: readonly string[],
  { widths, width }: { widths: readonly number[]; width: number },
): string {
  const before = row.slice(0, -1).map((cell, column) => {
    return cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)) + gap;
  });
  const start = before.join('');
  const room = Math.max(8, width - displayWidth(start));
  return (start + cut(row.at(-1) ?? '', room)).trimEnd();
}

function cut(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes().segment(text)) {
    used += widthOf(segment);
    if (used > room) break;
    kept += segment;
  }
  return `${kept}…`;
}
