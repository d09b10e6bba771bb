import { type ListPage, chosenRow, clamp, listPage } from '../../list-page.ts';
import { type Row, emptyRow, row, span, wrapped } from '../../rows.ts';
import { pageRows } from './page-rows.ts';
import { type Overlay, type ReviewState, type Tab, tabs } from './state.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The open page, without what is open in front of it. */
export function pageOf(state: ReviewState, { width, height }: Room): ListPage {
  const { at, page, scroll } = state;
  const head = [tabRow(state), emptyRow];
  const why = refusalRows(state, width);
  const shown = listPage(pageRows(state, width - 2), {
    chosen: at[page],
    scroll,
    height: Math.max(1, height - head.length - why.length),
  });
  return { ...shown, rows: [...head, ...shown.rows, ...why] };
}

/** What is open in front of the page, but for the text that is written. */
export function overlayRows(
  { title, entries, at = 0, ticked, body = [] }: Overlay,
  { width, height }: Room,
): readonly Row[] {
  const head = wrapped(title, { width, tone: 'strong' });
  const texts = body.flatMap(({ text, tone }) => [emptyRow, ...wrapped(text, { width, tone })]);
  if (entries === undefined) return [...head, ...texts];
  const rows = entries.map((entry, index) => {
    const tick = ticked === undefined ? '' : ticked.includes(index) ? '[x] ' : '[ ] ';
    const cells = row(span(`${tick}${entry}`));
    return index === at ? chosenRow(cells) : [span('  '), ...cells];
  });
  const room = Math.max(1, height - head.length - texts.length - 1);
  const from = clamp(at - Math.floor(room / 2), Math.max(1, rows.length - room + 1));
  return [...head, ...texts, emptyRow, ...rows.slice(from, from + room)];
}

/** Why the last edit was refused, if it was. */
export function refusalRows({ refused }: ReviewState, width: number): readonly Row[] {
  return refused === null ? [] : wrapped(refused, { width, tone: 'bad' });
}

/** The names of the tabs with what they hold, the open one in brackets. */
function tabRow({ desk, comments, page, from }: ReviewState): Row {
  const counts: Readonly<Record<Tab, string>> = {
    overview: '',
    tasks: ` ${desk.tasks.length}`,
    findings: ` ${desk.findings.length}`,
    changes: ` ${desk.changes.length}`,
    comments: ` ${comments.length}`,
  };
  const open = page === 'fields' ? from : page;
  return tabs.map((tab) => {
    const name = `${tab}${counts[tab]}`;
    return tab === open ? span(` [${name}] `, 'strong') : span(`  ${name}  `, 'quiet');
  });
}
