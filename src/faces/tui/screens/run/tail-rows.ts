import type { PaneTail, TailLine } from '../../progress/tail.ts';
import { type Row, windowOf, wrapped } from '../../rows.ts';

/** The last rows of a tail, exactly as many as there is room for. */
export function lastRows(
  tail: PaneTail,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  let rows: readonly Row[] = openRows(tail, width);
  for (const line of tail.lines.toReversed()) {
    if (rows.length >= height) break;
    if (line.only !== 'zoomed') rows = [...rowsOf(line, width), ...rows];
  }
  return windowOf(rows, Math.max(0, rows.length - height), height);
}

export function tailRows(tail: PaneTail, width: number): readonly Row[] {
  const lines = tail.lines.filter(({ only }) => only !== 'small');
  return [...lines.flatMap((line) => rowsOf(line, width)), ...openRows(tail, width)];
}

function openRows({ open }: PaneTail, width: number): readonly Row[] {
  return open === '' ? [] : wrapped(fieldsApart(open), { width });
}

// A line never changes, and is drawn in many frames: it is wrapped once for each width.
const known = new WeakMap<TailLine, { readonly width: number; readonly rows: readonly Row[] }>();

function rowsOf(line: TailLine, width: number): readonly Row[] {
  const before = known.get(line);
  if (before?.width === width) return before.rows;
  const { text, tone, isOutput = false } = line;
  const rows = isOutput
    ? wrapped(text, { width, tone, indent: 2, trim: false })
    : wrapped(fieldsApart(text), { width, tone });
  known.set(line, { width, rows });
  return rows;
}

/** Fields of an answer that only Conclave needs. */
const envelope = /[{,]\s*"(?:session|round|phase)":\s*(?:"[^"]*"|\d+)/g;

/** An answer is one long line of JSON. To be readable, each of its fields begins a line. */
export function fieldsApart(text: string): string {
  return text
    .replaceAll(envelope, '')
    .replaceAll(/[[{,]+\s*"([a-z_]+)":\s*/g, '\n$1: ')
    .trimStart();
}
