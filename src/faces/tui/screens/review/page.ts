import {
  type Row,
  emptyRow,
  row,
  span,
  widthOf,
  sideBySide,
  windowOf,
  wrapped,
} from '../../rows.ts';
import { type ChosenRows, documentRows } from './field-rows.ts';
import { fieldName, taskDocument } from './fields.ts';
import { changeRows, commentRows, findingRows, overviewRows } from './page-rows.ts';
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
  const foot = [
    ...(state.refused === null ? [] : wrapped(state.refused, { width, tone: 'bad' })),
    ...(state.page === 'fields' ? [row(span(fieldName(chosenField(state) ?? ''), 'quiet'))] : []),
  ];
  const height = Math.max(1, room.height - head.length - foot.length);
  const isWide = state.page === 'tasks' && width >= wide;
  const left = Math.floor(width * 0.55);
  const { rows, at } = bodyOf(state, { width: isWide ? left - 1 : width, height });
  const most = Math.max(0, rows.length - height);
  const base = clamp(at - Math.floor(height / 3), most + 1);
  const shown = windowOf(rows, clamp(base + state.scroll, most + 1), height);
  const body = isWide ? withTask(shown, state, { width, left }) : shown;
  return { rows: [...head, ...body, ...foot], base, most, height };
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
