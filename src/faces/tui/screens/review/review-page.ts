// Shows the plan under review on one page: where it stands, all of it, and the comments beside their lines.
import { prose } from '../../../../model/document.ts';
import { findingText } from '../../../../model/finding.ts';
import { stateFacts } from '../../../../phases/documents/plan-state.ts';
import { commentNotes } from '../../../../phases/planning/comments.ts';
import { documentRows, plainRows } from '../../document-rows.ts';
import { type ItemRow, type ListPage, listPage, rowsOfItem } from '../../list-page.ts';
import { type Row, bulletTexts, cutTo, emptyRow, wrapText } from '../../screen-rows.ts';
import { marks } from '../../theme.ts';
import { type ReviewState, blocksOn, linesOn, chosenIndex } from './review-state.ts';

/** The page without popups; below it, why the last edit was refused. */
export function pageOf(
  state: ReviewState,
  { width, height }: { readonly width: number; readonly height: number },
): ListPage {
  const { top, refused } = state;
  const why = refused === null ? [] : wrapText(refused, { width, tone: 'bad' });
  const page = listPage(pageRows(state, width - 2), {
    chosen: chosenIndex(state),
    top,
    height: Math.max(1, height - why.length),
  });
  return { ...page, rows: [...page.rows, ...why].map((line) => cutTo(line, width)) };
}

function pageRows(state: ReviewState, width: number): readonly ItemRow[] {
  const { desk, rejected, waitsFor, compared, toggled } = state;
  if (desk.plan === null) return rowsOfItem(null, unreadableRows(state, width));
  const lines = linesOn(state);
  const notes = commentNotes(desk.comments, desk.document);
  const notesOn = (anchor: string) =>
    rowsOfItem(
      null,
      (notes.get(anchor) ?? []).flatMap((text) =>
        wrapText(`${marks.comment} ${text}`, { width, indent: 2, tone: 'accent' }),
      ),
    );
  const head =
    compared === null ? stateFacts({ ...desk, rejected, waitsFor }) : prose(compared.title);
  const rows = documentRows(blocksOn(state), { width, toggled });
  return [
    ...rowsOfItem(0, plainRows([head], { width })),
    ...(compared === null ? notesOn('') : []),
    ...rowsOfItem(null, [emptyRow]),
    ...rows.flatMap(({ cells, anchor }, at) => {
      const item = anchor === null ? null : lines.indexOf(anchor);
      const isLast = anchor !== null && rows[at + 1]?.anchor !== anchor;
      return [{ cells, item }, ...(isLast ? notesOn(anchor) : [])];
    }),
  ];
}

function unreadableRows({ desk }: ReviewState, width: number): readonly Row[] {
  const faults = desk.findings.map(({ file, pointer, message }) =>
    findingText({ file: file + pointer, message }),
  );
  return [
    ...wrapText('The files on disk cannot be read as a plan.', { width, tone: 'bad' }),
    emptyRow,
    ...bulletTexts(faults, { mark: marks.failed, width }),
    emptyRow,
    ...wrapText('Press e to mend the first of these files.', { width, tone: 'quiet' }),
  ];
}
