// Shows rows, some of which can be chosen, scrolled to the chosen one.
import { type Row, scrollTo, span } from './screen-rows.ts';
import { marks } from './theme.ts';

/** A row of a page, with the index of the item that it shows; null if it cannot be chosen. */
export interface ItemRow {
  readonly cells: Row;
  readonly item: number | null;
}

/** A page as it is drawn, and how its keys move in it. */
export interface ListPage {
  readonly rows: readonly Row[];
  /** Indexes of the items that can be chosen, in the order shown. */
  readonly items: readonly number[];
  /** The first row that is shown, and the last row that can be first. */
  readonly first: number;
  readonly most: number;
  /** The number of rows that are scrolled. */
  readonly height: number;
}

interface Shown {
  readonly height: number;
  /** Index of the chosen item, at most that of the last one; -1 if none is chosen. */
  readonly chosen?: number;
  /** The first row after scrolling; null before that. */
  readonly top: number | null;
  /** True to show the end until the page is scrolled. */
  readonly follows?: boolean;
}

/**
 * The rows that fit, with the chosen item marked and, until the page is scrolled, visible. If there
 * are items, the rows need two more columns.
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

/** Adds rows above a scrolled page that stay in place. */
export function withHead(head: readonly Row[], page: ListPage): ListPage {
  return { ...page, rows: [...head, ...page.rows] };
}

/** The first row after scrolling by that many rows, within the page. */
export function scrollBy({ first, most }: ListPage, by: number): number {
  return clamp(first + by, most + 1);
}

export function rowsOfItem(item: number | null, rows: readonly Row[]): readonly ItemRow[] {
  return rows.map((cells) => ({ cells, item }));
}

/** A row that can be chosen, marked if it is. */
export function choiceRow(cells: Row, isChosen: boolean): Row {
  if (!isChosen) return [span('  '), ...cells];
  const shown = cells.map((piece): Row[number] =>
    piece.tone === 'plain' ? { ...piece, tone: 'accent' } : piece,
  );
  return [span(`${marks.chosen} `, 'accent'), ...shown];
}

/** Limits an index to a list of that length. */
export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
