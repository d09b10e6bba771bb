import type { PaneTail, TailLine } from '../../progress/tail.ts';
import { type Row, windowOf, wrapped } from '../../rows.ts';
import type { TailPlace } from './state.ts';

/** Columns and rows that a tail has on the screen. */
interface TailRoom {
  readonly width: number;
  readonly height: number;
}

/** The last rows of a tail, exactly as many as there is room for. */
export function lastRows(
  tail: PaneTail,
  { width, height, isZoomed = false }: TailRoom & { readonly isZoomed?: boolean },
): readonly Row[] {
  const hidden = isZoomed ? 'small' : 'zoomed';
  let rows: readonly Row[] = openRows(tail, width);
  for (let at = tail.lines.length - 1; at >= 0 && rows.length < height; at -= 1) {
    const line = tail.lines[at];
    if (line !== undefined && line.only !== hidden) rows = [...rowsOf(line, width), ...rows];
  }
  return windowOf(rows, Math.max(0, rows.length - height), height);
}

/** The rows of a zoomed tail from a place on; its last rows where that is null. */
export function rowsFrom(tail: PaneTail, top: TailPlace | null, room: TailRoom): readonly Row[] {
  if (top === null) return lastRows(tail, { ...room, isZoomed: true });
  const all = placedRows(tail, room.width);
  const from = Math.min(indexOf(all, top), Math.max(0, all.length - room.height));
  return windowOf(
    all.map(({ row }) => row),
    from,
    room.height,
  );
}

/** The place `by` rows further; null at the end, which is followed again. */
export function placeBeside(
  tail: PaneTail,
  { top, by, width, height }: TailRoom & { readonly top: TailPlace | null; readonly by: number },
): TailPlace | null {
  const all = placedRows(tail, width);
  const last = Math.max(0, all.length - height);
  const from = top === null ? last : Math.min(indexOf(all, top), last);
  const to = Math.max(0, from + by);
  return to >= last ? null : (all[to]?.place ?? null);
}

interface PlacedRow {
  readonly row: Row;
  readonly place: TailPlace;
}

function placedRows(tail: PaneTail, width: number): readonly PlacedRow[] {
  const { lines, gone } = tail;
  return [
    ...lines.flatMap((line, at) =>
      line.only === 'small' ? [] : placed(rowsOf(line, width), gone + at),
    ),
    ...placed(openRows(tail, width), gone + lines.length),
  ];
}

function placed(rows: readonly Row[], line: number): readonly PlacedRow[] {
  return rows.map((row, part) => ({ row, place: { line, part } }));
}

// A place whose row is gone, or narrower now, is the next one that is there.
function indexOf(all: readonly PlacedRow[], { line, part }: TailPlace): number {
  const found = all.findIndex(
    ({ place }) => place.line > line || (place.line === line && place.part >= part),
  );
  return found < 0 ? all.length : found;
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

/** A name of a field as agents write it in their answers, where one begins. */
const field = /[{,]\s*"([a-z_]+)":\s*/g;

/** Fields that are there for Conclave alone. */
const envelope = new Set(['session', 'round', 'phase']);

/** What stands around a value, or between the texts of a list, and says nothing to a person. */
const around = /^[[\]{}]*"?|"?[[\]{},]*$/g;
const between = /",\s*"/g;

/**
 * An answer is one long line of JSON. To be followed by a person, each of its fields begins a line
 * of its own; any other text stays as it is, also where it is only a part that has come so far.
 */
export function fieldsApart(text: string): string {
  const [before = '', ...parts] = text.split(field);
  if (parts.length < 4) return text;
  // A name and a value by turns.
  const lines = parts.flatMap((name, index) =>
    index % 2 === 0 && !envelope.has(name)
      ? [`${name}: ${plain(parts[index + 1] ?? '')}`.trimEnd()]
      : [],
  );
  return [plain(before), ...lines].filter((line) => line !== '').join('\n');
}

function plain(value: string): string {
  return value.trim().replaceAll(around, '').replaceAll(between, '; ');
}
