import {
  type Row,
  type Span,
  emptyRow,
  fitted,
  row,
  span,
  widthOf,
  sideBySide,
  windowOf,
  wrapped,
} from '../../rows.ts';
import { marks } from '../../theme.ts';
import { type DocumentLine, type FieldText, fieldName, taskDocument } from './fields.ts';
import {
  type ChosenRows,
  changeRows,
  commentRows,
  findingRows,
  overviewRows,
} from './page-rows.ts';
import { type ReviewState, type Tab, chosenField, clamp, shownDocument, tabs } from './state.ts';
import { taskRows } from './task-rows.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** A page as it is drawn, and how far it can be scrolled. */
export interface PageRows {
  readonly rows: readonly Row[];
  /** The first row that would be shown without scrolling. */
  readonly base: number;
  readonly most: number;
  /** Rows that are scrolled. */
  readonly height: number;
}

/** From here on the chosen task is shown beside the list. */
const wide = 130;

/** The page that is open, without what stands in front of it. */
export function pageOf(state: ReviewState, room: Room): PageRows {
  const { width } = room;
  const head = [tabRow(state, width), emptyRow];
  const why = state.refused === null ? [] : wrapped(state.refused, { width, tone: 'bad' });
  const whole = Math.max(1, room.height - head.length - why.length);
  const isWide = state.page === 'tasks' && width >= wide;
  const left = Math.floor(width * 0.55);
  const { rows, at } = bodyOf(state, { width: isWide ? left - 1 : width, height: whole });
  const hasFoot = state.page === 'fields' || rows.length > whole;
  const height = Math.max(1, whole - (hasFoot ? 1 : 0));
  const most = Math.max(0, rows.length - height);
  const base = clamp(at - Math.floor(height / 3), most + 1);
  const from = clamp(base + state.scroll, most + 1);
  const shown = windowOf(rows, from, height);
  const below = rows.length - from - height;
  const foot = [...why, ...(hasFoot ? [footRow(state, { width, below })] : [])];
  const body = isWide ? withTask(shown, state, { width, left }) : shown;
  return { rows: [...head, ...body, ...foot], base, most, height };
}

/** The whole name of the chosen field at the left, what is below at the right. */
function footRow(state: ReviewState, { width, below }: { width: number; below: number }): Row {
  const name = state.page === 'fields' ? fieldName(chosenField(state) ?? '') : '';
  const more = below > 0 ? '↓ more' : '';
  const left = fitted([span(name, 'quiet')], Math.max(0, width - more.length - 1));
  return more === '' ? row(span(name, 'quiet')) : [...left, span(` ${more}`, 'quiet')];
}

/** The names of the tabs with what they hold, the open one marked. */
function tabRow(state: ReviewState, width: number): Row {
  const { desk, comments, page, from } = state;
  const counts: Readonly<Record<Tab, string>> = {
    overview: '',
    tasks: ` ${desk.tasks.length}`,
    findings: ` ${desk.findings.length}`,
    changes: ` ${desk.changes.length}`,
    comments: ` ${comments.length}`,
  };
  const open = page === 'fields' ? from : page;
  const line = tabs.flatMap((tab, index): Row => {
    const name = `${tab}${counts[tab]}`;
    const shown = tab === open ? span(`[${name}]`, 'strong') : span(` ${name} `, 'quiet');
    return [span(index === 0 ? ' ' : '  '), shown];
  });
  const right = `version ${desk.version}`;
  const room = width - widthOf(line) - right.length - 1;
  return room < 2 ? line : [...line, span(' '.repeat(room)), span(right, 'quiet')];
}

function bodyOf(state: ReviewState, room: Room): ChosenRows {
  const { width } = room;
  switch (state.page) {
    case 'overview':
      return { rows: overviewRows(state, width), at: 0 };
    case 'tasks':
      return taskRows(state, room);
    case 'findings':
      return findingRows(state, width);
    case 'changes':
      return { rows: changeRows(state, width), at: 0 };
    case 'comments':
      return commentRows(state, width);
    case 'fields':
      return fieldsPage(state, width);
  }
}

function fieldsPage(state: ReviewState, width: number): ChosenRows {
  const { tasks } = state.desk;
  const place = `${tasks.findIndex(({ id }) => id === state.about) + 1} of ${tasks.length}`;
  const title = state.about === null ? 'plan.json' : `${state.about}  ${place}`;
  const { rows, at } = documentRows(shownDocument(state), { width, field: chosenField(state) });
  return { rows: [row(span(title, 'accent')), ...rows], at: at + 1 };
}

function withTask(
  list: readonly Row[],
  state: ReviewState,
  { width, left }: { readonly width: number; readonly left: number },
): readonly Row[] {
  const right = width - left - 1;
  const task = state.desk.tasks.find(({ id }) => id === state.task);
  if (task === undefined) return list;
  const { rows } = documentRows(taskDocument(task), { width: right - 2, field: null });
  const more = rows.length > list.length ? [row(span('  … enter shows all', 'quiet'))] : [];
  const shown = [...rows.slice(0, list.length - more.length), ...more];
  return sideBySide([
    { rows: list, width: left },
    { rows: windowOf(shown, 0, list.length), width: right },
  ]);
}

interface Look {
  readonly width: number;
  /** Path of the chosen field; null for a page that is only read. */
  readonly field: string | null;
}

/** A plan or a task as rows, a mark at the chosen field. */
function documentRows(document: readonly DocumentLine[], look: Look): ChosenRows {
  const firstHeading = document.findIndex((line) => 'heading' in line);
  const lines = document.flatMap((line, index) => {
    if ('heading' in line) {
      return [emptyRow, row(span(line.heading, 'strong'))].map((cells) => ({
        cells,
        begins: null,
      }));
    }
    const section = firstHeading !== -1 && index > firstHeading ? 2 : 0;
    return lineRows(line, { ...look, indent: line.indent + section });
  });
  const at = lines.findIndex(({ begins }) => begins?.includes(look.field ?? '') === true);
  const rows = lines.map(({ cells }, index): Row => {
    if (cells.length === 0) return cells;
    return [span(index === at ? `${marks.chosen} ` : '  ', 'accent'), ...cells];
  });
  return { rows, at: Math.max(0, at) };
}

interface FieldRow {
  readonly cells: Row;
  /** The paths of the fields that begin on it. */
  readonly begins: readonly string[] | null;
}

type FieldLine = Exclude<DocumentLine, { readonly heading: string }>;

/** One row where all fits; else one or more for each field, up to the label where that is short. */
function lineRows(
  { label, fields }: FieldLine,
  { width, field: chosen, indent }: Look & { readonly indent: number },
): readonly FieldRow[] {
  const gap = label === '' ? '' : label.length < 3 ? ' ' : '  ';
  const lead = [span(' '.repeat(indent)), span(label + gap, 'quiet')];
  const whole = fields.flatMap((one, index) => [
    span(index === 0 ? '' : '  '),
    span(one.label === undefined ? '' : `${one.label} `, 'quiet'),
    span(shownText(one), toneOf(one, chosen)),
  ]);
  const isOneLine = fields.every(({ text }) => !text.includes('\n'));
  if (isOneLine && widthOf([...lead, ...whole]) + 2 <= width) {
    return [{ cells: [...lead, ...whole], begins: fields.map(({ field }) => field) }];
  }
  const hangs = widthOf(lead) <= width / 4;
  const start = hangs ? widthOf(lead) : indent + 2;
  const rows = fields.flatMap((one) =>
    wrapped(one.label === undefined ? shownText(one) : `${one.label} ${shownText(one)}`, {
      width: width - start - 2,
      tone: toneOf(one, chosen),
    }).map((piece, number) => ({ piece, begins: number === 0 ? [one.field] : null })),
  );
  return [
    ...(hangs ? [] : [{ cells: lead, begins: null }]),
    ...rows.map(({ piece, begins }, index) => ({
      cells: [...(hangs && index === 0 ? lead : [span(' '.repeat(start))]), ...piece],
      begins,
    })),
  ];
}

function shownText({ text }: FieldText): string {
  return text === '' ? '(empty)' : text;
}

function toneOf({ field, missing }: FieldText, chosen: string | null): Span['tone'] {
  if (field === chosen) return 'accent';
  return missing === true ? 'quiet' : 'plain';
}
