import { styleText } from 'node:util';
import stringWidth from 'string-width';
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
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  );
  const lines = cells.map((row) => aligned(row, { widths, width: rows.width ?? Infinity }));
  const [head = '', ...body] = lines;
  return [styleText('bold', head, { stream: process.stdout }), ...body]
    .map((line) => `${line}\n`)
    .join('');
}

const gap = '  ';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function aligned(
  row: readonly string[],
  { widths, width }: { widths: readonly number[]; width: number },
): string {
  const before = row.slice(0, -1).map((cell, column) => {
    return cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)) + gap;
  });
  const start = before.join('');
  const room = Math.max(8, width - stringWidth(start));
  return (start + cut(row.at(-1) ?? '', room)).trimEnd();
}

function cut(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > room) break;
    kept += segment;
  }
  return `${kept}…`;
}
