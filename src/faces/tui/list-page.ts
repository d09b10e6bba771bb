import { type Row, scrolledTo, span } from './rows.ts';
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
  /** The first row that would be shown without scrolling. */
  readonly base: number;
  /** The last row that can be the first one shown. */
  readonly most: number;
  /** Rows that are scrolled. */
  readonly height: number;
}

/**
 * The rows as far as there is room, the chosen item marked and in sight; `scroll` are rows from
 * there. Where there are items, the rows need two columns more.
 */
export function listPage(
  all: readonly ItemRow[],
  { chosen, scroll, height }: { readonly chosen: number; readonly scroll: number; height: number },
): ListPage {
  const items = [...new Set(all.flatMap(({ item }) => item ?? []))];
  const at = all.findIndex(({ item }) => item === clamp(chosen, items.length));
  const rows = all.map(({ cells }, index) => {
    if (index === at) return chosenRow(cells);
    return items.length === 0 ? cells : [span('  '), ...cells];
  });
  const most = Math.max(0, rows.length - height);
  const base = clamp(at - Math.floor(height / 3), most + 1);
  const shown = scrolledTo(rows, clamp(base + scroll, most + 1), height);
  return { rows: shown, items, base, most, height };
}

/** What `scroll` becomes by so many rows more, within the page. */
export function scrollBy(
  scroll: number,
  by: number,
  { base, most }: Pick<ListPage, 'base' | 'most'>,
): number {
  return clamp(clamp(base + scroll, most + 1) + by, most + 1) - base;
}

export function ofItem(item: number | null, rows: readonly Row[]): readonly ItemRow[] {
  return rows.map((cells) => ({ cells, item }));
}

/** With the mark of what is chosen. */
export function chosenRow(cells: Row): Row {
  const shown = cells.map((piece): Row[number] =>
    piece.tone === 'plain' ? { ...piece, tone: 'accent' } : piece,
  );
  return [span(`${marks.chosen} `, 'accent'), ...shown];
}

/** The nearest index of a list of that length. */
export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
