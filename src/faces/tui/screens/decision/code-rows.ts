import type { CodeAround } from '../../ports.ts';
import { type Row, emptyRow, row, span } from '../../rows.ts';
import { marks } from '../../theme.ts';

/** The code around a place, its line marked; says so where it cannot be shown. */
export function codeRows(
  place: { readonly path: string; readonly line: number },
  code: CodeAround | null,
): readonly Row[] {
  const head = row(span(`${place.path}:${place.line}`, 'strong'));
  if (code === null) {
    return [head, emptyRow, row(span('There is no such text file in the repository.', 'warn'))];
  }
  const digits = String(code.start + code.lines.length - 1).length;
  const lines = code.lines.map((text, index) => {
    const number = code.start + index;
    const isPlace = number === place.line;
    return row(
      span(isPlace ? `${marks.chosen} ` : '  ', 'accent'),
      span(`${String(number).padStart(digits)}  `, 'quiet'),
      span(text.replaceAll('\t', '  '), isPlace ? 'strong' : 'plain'),
    );
  });
  return [head, emptyRow, ...lines];
}
