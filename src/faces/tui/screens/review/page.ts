import { type Row, sideBySide, emptyRow, row, span, windowOf, wrapped } from '../../rows.ts';
import { taskDocument, wordsOf } from './document.ts';
import { type Chosen, fieldRows } from './field-rows.ts';
import { changeRows, commentRows, findingRows } from './finding-rows.ts';
import { overviewRows, tabRow } from './overview-rows.ts';
import { chosenField, chosenTask, clamp, documentOf } from './chosen.ts';
import type { ReviewState } from './state.ts';
import { graphRows, listRows } from './task-rows.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** A page as it is drawn, and how far it can be scrolled. */
export interface PageRows {
  readonly rows: readonly Row[];
  /** The first row shown. */
  readonly from: number;
  /** The first row that would be shown without scrolling. */
  readonly base: number;
  readonly most: number;
  /** Rows that are scrolled. */
  readonly height: number;
}

/** From here on the chosen task is shown beside the list. */
const wide = 130;

/** The page that is open, for reading; pages with a text or a question have their own rows. */
export function pageOf(state: ReviewState, room: Room): PageRows {
  const { width } = room;
  const head = [tabRow(state, width), emptyRow];
  const foot = [
    ...refusalRows(state, width),
    ...(state.page === 'fields' ? [fieldName(state)] : []),
  ];
  const height = Math.max(1, room.height - head.length - foot.length);
  const { rows, at } = bodyOf(state, { width, height });
  const most = Math.max(0, rows.length - height);
  const base = clamp(at - Math.floor(height / 3), most + 1);
  const from = clamp(base + state.scroll, most + 1);
  const shown = windowOf(rows, from, height);
  const isWide = state.page === 'tasks' && width >= wide;
  const body = isWide ? withTask(shown, state, room) : shown;
  return { rows: [...head, ...body, ...foot], from, base, most, height };
}

function bodyOf(state: ReviewState, room: Room): Chosen {
  const { width } = room;
  switch (state.page) {
    case 'tasks': {
      const left = width >= wide ? { ...room, width: Math.floor(width * 0.55) - 1 } : room;
      return state.asGraph ? graphRows(state, left) : listRows(state, left);
    }
    case 'findings':
      return findingRows(state, width);
    case 'comments':
      return commentRows(state, width);
    case 'changes':
      return { rows: changeRows(state, width), at: 0 };
    case 'fields':
      return fieldsPage(state, width);
    case 'overview':
    case 'write':
    case 'confirm':
    case 'mend':
      return { rows: overviewRows(state, width), at: 0 };
  }
}

function fieldsPage(state: ReviewState, width: number): Chosen {
  const { tasks } = state.desk;
  const place = `${tasks.findIndex(({ id }) => id === state.about) + 1} of ${tasks.length}`;
  const title = state.about === null ? 'plan.json' : `${state.about}  ${place}`;
  const { rows, at } = fieldRows(documentOf(state), { width, field: chosenField(state) });
  return { rows: [row(span(title, 'accent')), ...rows], at: at + 1 };
}

function refusalRows({ refused }: ReviewState, width: number): readonly Row[] {
  return refused === null ? [] : wrapped(refused, { width, tone: 'bad' });
}

function fieldName(state: ReviewState): Row {
  const field = chosenField(state);
  return row(span(field === null ? '' : wordsOf(field), 'quiet'));
}

function withTask(list: readonly Row[], state: ReviewState, { width }: Room): readonly Row[] {
  const left = Math.floor(width * 0.55);
  const right = width - left - 1;
  const task = state.desk.tasks.find(({ id }) => id === chosenTask(state));
  if (task === undefined) return list;
  const { rows } = fieldRows(taskDocument(task), { width: right - 2, field: null });
  const more = rows.length > list.length ? [row(span('  … enter shows all', 'quiet'))] : [];
  const shown = [...rows.slice(0, list.length - more.length), ...more];
  return sideBySide([
    { rows: list, width: left },
    { rows: windowOf(shown, 0, list.length), width: right },
  ]);
}
