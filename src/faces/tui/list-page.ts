// Shows rows of which some can be chosen, scrolled to the chosen one.
import { type Row, scrollTo, span } from './screen-rows.ts';
import { marks } from './theme.ts';

/** A row of a page, with the index of the item it shows; null where nothing is to be chosen. */
export interface ItemRow {
  readonly cells: Row;
  readonly item: number | null;
}

/** A page as it is drawn, and how its keys move in it. */
export interface ListPage {
  readonly rows: readonly Row[];
  /** Indexes of what can be chosen, in the order shown. */
  readonly items: readonly number[];
  /** The first row that is shown, and the last one that can be. */
  readonly first: number;
  readonly most: number;
  /** Rows that are scrolled. */
  readonly height: number;
}

interface Shown {
  readonly height: number;
  /** Index of the chosen item, the last one if there are fewer; -1 where none is. */
  readonly chosen?: number;
  /** The row to which the page was scrolled; null until it is. */
  readonly top: number | null;
  /** Until it is scrolled, the end is shown. */
  readonly follows?: boolean;
}

/**
 * The rows as far as there is room, the chosen item marked and, until the page is scrolled, in
 * sight. Where there are items, the rows need two columns more.
 */
export function listPage(
  all: readonly ItemRow[],
  { chosen = 0, top, height, follows = false }: Shown,
): ListPage {
  const items = [...new Set(all.flatMap(({ item }) => item ?? []))];
  const at = all.findIndex(({ item }) => item === Math.min(chosen, items.length - 1));
  const rows = all.map(({ cells }, index) =>
    items.length === 0 ? cells : choiceRow(cells, index === at),
  );
  const most = Math.max(0, rows.length - height);
  const start = follows ? most : at - Math.floor(height / 3);
  const first = clamp(top ?? start, most + 1);
  return { rows: scrollTo(rows, first, height), items, first, most, height };
}

/** A scrolled page, with rows above it that stay. */
export function withHead(head: readonly Row[], page: ListPage): ListPage {
  return { ...page, rows: [...head, ...page.rows] };
}

/** The first row after so many rows more, within the page. */
export function scrollBy({ first, most }: ListPage, by: number): number {
  return clamp(first + by, most + 1);
}

export function rowsOfItem(item: number | null, rows: readonly Row[]): readonly ItemRow[] {
  return rows.map((cells) => ({ cells, item }));
}

/** A row that can be chosen; with a mark where it is. */
export function choiceRow(cells: Row, isChosen: boolean): Row {
  if (!isChosen) return [span('  '), ...cells];
  const shown = cells.map((piece): Row[number] =>
    piece.tone === 'plain' ? { ...piece, tone: 'accent' } : piece,
  );
  return [span(`${marks.chosen} `, 'accent'), ...shown];
}

/** The nearest index of a list of that length. */
export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
