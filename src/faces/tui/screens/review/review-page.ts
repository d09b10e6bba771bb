// Shows the open page of the review under its tabs, and the rows of each.
import { blockingIn, factText, findingText } from '../../../../model/finding.ts';
import type { PlanChange } from '../../../../model/plan-edit.ts';
import { parallelGroups } from '../../../../model/task-order.ts';
import type { Task } from '../../../../model/task.ts';
import { counted, rejectionText } from '../../../../model/wording.ts';
import { commentNotes } from '../../../../phases/planning/comments.ts';
import { type AnchoredRow, documentRows } from '../../document-rows.ts';
import { type ItemRow, type ListPage, listPage, rowsOfItem, withHead } from '../../list-page.ts';
import {
  type Row,
  type Span,
  bulletTexts,
  cutTo,
  emptyRow,
  factRows,
  fitRow,
  row,
  span,
  widthOf,
  wrapText,
} from '../../screen-rows.ts';
import { type GraphLine, graphOf } from '../../task-graph.ts';
import { type Tone, marks } from '../../theme.ts';
import { fieldName } from './plan-fields.ts';
import { readersText, readingRows } from './reading-rows.ts';
import {
  type ReviewState,
  type Tab,
  fieldLines,
  overviewLines,
  tabs,
  taskOfFinding,
} from './review-state.ts';

/** The open page, without popups; below it, why the last edit was refused. */
export function pageOf(
  state: ReviewState,
  { width, height }: { readonly width: number; readonly height: number },
): ListPage {
  const { at, page, top, refused } = state;
  const head = [tabRow(state), emptyRow];
  const why = refused === null ? [] : wrapText(refused, { width, tone: 'bad' });
  const room = Math.max(1, height - head.length - why.length);
  const shown = listPage(pageRows(state, width - 2), { chosen: at[page], top, height: room });
  return withHead(head, { ...shown, rows: [...shown.rows, ...why] });
}

/** The names of the tabs with their counts, the open one in brackets. */
function tabRow({ desk, comments, page, from }: ReviewState): Row {
  const counts: Readonly<Record<Tab, string>> = {
    overview: '',
    tasks: ` ${desk.tasks.length}`,
    findings: ` ${desk.findings.length + (desk.reading?.findings.length ?? 0)}`,
    changes: ` ${desk.changes.length}`,
    comments: ` ${comments.length}`,
  };
  const open = page === 'fields' ? from : page;
  return tabs.map((tab) => {
    const name = `${tab}${counts[tab]}`;
    return tab === open ? span(` [${name}] `, 'strong') : span(`  ${name}  `, 'quiet');
  });
}

function pageRows(state: ReviewState, width: number): readonly ItemRow[] {
  switch (state.page) {
    case 'overview':
      return overviewRows(state, width);
    case 'tasks':
      return taskRows(state, width);
    case 'findings':
      return [...findingRows(state, width), ...rowsOfItem(null, readingRows(state, width))];
    case 'changes':
      return rowsOfItem(null, changeRows(state, width));
    case 'comments':
      return commentRows(state, width);
    case 'fields':
      return fieldRows(state, width);
  }
}

/** A few words on the approval of the plan. */
export function approvalText({ desk: { approvedHash, hash }, rejected }: ReviewState): string {
  if (rejected !== null) return `${marks.failed} ${rejectionText(rejected)}`;
  if (approvedHash === null) return `${marks.later} not approved yet`;
  if (approvedHash === hash) return `${marks.done} approved`;
  return `${marks.warning} changed since it was approved, so it needs a new approval`;
}

/** The facts that a person needs to decide about the plan, and all of it; each line can be chosen. */
function overviewRows(state: ReviewState, width: number): readonly ItemRow[] {
  const { plan, tasks, version, changes, reading, document } = state.desk;
  if (plan === null) return rowsOfItem(null, unreadableRows(state, width));
  const comments = counted(state.comments.length, 'comment');
  const count = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const fact = (name: string, value: string) => factRows(name, value, width);
  return [
    ...rowsOfItem(null, [
      ...fact('Tasks', orderText(tasks)),
      ...fact('Check', checkText(state)),
      ...(reading === null ? [] : fact('Readers', readersText(reading, state.waitsFor))),
      ...fact('Version', `${version}, ${count} since ${earlierVersion(version)}`),
      ...(state.comments.length === 0 ? [] : fact('Comments', `${comments} not sent yet`)),
      ...fact('Approval', approvalText(state)),
      ...(commentNotes(state.desk.comments, document).get('') ?? []).map(noteRow),
      emptyRow,
    ]),
    ...documentItems(
      state,
      documentRows(document?.blocks ?? [], { width, toggled: state.toggled }),
    ),
  ];
}

/** The rows of the plan, with the comments on a line below it. */
function documentItems(state: ReviewState, rows: readonly AnchoredRow[]): readonly ItemRow[] {
  const lines = overviewLines(state);
  const notes = commentNotes(state.desk.comments, state.desk.document);
  return rows.flatMap(({ cells, anchor }, at) => {
    const item = anchor === null ? null : lines.indexOf(anchor);
    const isLast = anchor !== null && rows[at + 1]?.anchor !== anchor;
    const own = isLast ? (notes.get(anchor) ?? []) : [];
    return [{ cells, item }, ...rowsOfItem(null, own.map(noteRow))];
  });
}

function noteRow(text: string): Row {
  return row(span(`  " ${text}`, 'accent'));
}

function unreadableRows({ desk }: ReviewState, width: number): readonly Row[] {
  const faults = desk.findings.map(({ file, pointer, message }) =>
    findingText({ file: file + pointer, message }),
  );
  const help = 'Fix the file in your editor: press e on it under "findings".';
  return [
    ...wrapText('The files on disk cannot be read as a plan.', { width, tone: 'bad' }),
    emptyRow,
    ...bulletTexts(faults, { mark: marks.failed, width }),
    emptyRow,
    ...wrapText(help, { width, tone: 'quiet' }),
  ];
}

function orderText(tasks: readonly Task[]): string {
  const count = counted(tasks.length, 'task');
  const groups = parallelGroups(tasks).length;
  return groups === 0
    ? `${count} that wait for each other in a circle`
    : groups === 1
      ? `${count}${tasks.length === 1 ? '' : ', all at the same time'}`
      : groups === tasks.length
        ? `${count}, one after the other`
        : `${count} in ${groups} groups, one group after the other`;
}

function checkText({ desk }: ReviewState): string {
  const blocking = blockingIn(desk).length;
  const warnings = desk.findings.length - blocking;
  const parts = [
    ...(blocking === 0 ? [] : [`${marks.failed} ${blocking} blocking`]),
    ...(warnings === 0 ? [] : [`${marks.warning} ${counted(warnings, 'warning')}`]),
  ];
  return parts.length === 0 ? `${marks.done} no problems` : parts.join(', ');
}

function earlierVersion(version: number): string {
  return version === 1 ? 'the planner wrote it' : `version ${version - 1}`;
}

/** The tasks in the order of the plan, or by group with the edges between them. */
function taskRows(state: ReviewState, width: number): readonly ItemRow[] {
  const { tasks } = state.desk;
  const graph = graphOf(tasks, Math.floor(width * 0.4));
  const inList = ({ task, ...line }: GraphLine): GraphLine => {
    return { ...line, task, edges: '', named: tasks[task]?.depends_on ?? [] };
  };
  const lines = state.asGraph ? graph : graph.map(inList).toSorted((a, b) => a.task - b.task);
  return [
    ...rowsOfItem(null, [row(span(orderText(tasks), 'quiet')), emptyRow]),
    ...lines.flatMap((line) => {
      const task = tasks[line.task];
      return task === undefined
        ? []
        : rowsOfItem(line.task, [taskRow(task, { line, state, width })]);
    }),
  ];
}

function taskRow(
  task: Task,
  {
    line: { edges, named, group },
    state,
    width,
  }: { readonly line: GraphLine; readonly state: ReviewState; readonly width: number },
): Row {
  const needs = named.length === 0 ? '' : `  ← ${named.join(', ')}`;
  const order = group === 0 ? '  in a circle' : `  group ${group}`;
  const right = cutTo([span(needs, 'quiet'), span(order, 'quiet')], Math.floor(width / 2));
  const lead = edges === '' ? [] : [span(`${edges} `, 'quiet')];
  const left = [noteOf(task, state), ...lead, span(`${task.id}  `), span(task.title)];
  return [...fitRow(left, width - widthOf(right)), ...right];
}

/** The mark of a task with plan check findings, or else with a comment. */
function noteOf({ id }: Task, { desk, comments }: ReviewState): Span {
  const own = desk.findings.filter((finding) => taskOfFinding(finding, desk) === id);
  if (own.some(({ severity }) => severity === 'blocking')) return span(`${marks.failed} `, 'bad');
  if (own.length > 0) return span(`${marks.warning} `, 'warn');
  return comments.some(({ task }) => task === id) ? span('" ', 'accent') : span('  ');
}

/** Findings of the plan check, blocking ones first. */
function findingRows({ desk }: ReviewState, width: number): readonly ItemRow[] {
  if (desk.findings.length === 0) {
    return rowsOfItem(null, [row(span(`${marks.done} The plan check found no problems.`, 'good'))]);
  }
  return desk.findings.flatMap((finding, item) => {
    const { severity, file } = finding;
    const [mark, tone] =
      severity === 'blocking'
        ? ([marks.failed, 'bad'] as const)
        : ([marks.warning, 'warn'] as const);
    const place = span(taskOfFinding(finding, desk) ?? file);
    const head = row(span(`${mark} ${severity}  `, tone), place);
    return rowsOfItem(item, [head, ...wrapText(factText(finding), { width, indent: 2 })]);
  });
}

/** Comments for the planner that have not been sent yet. */
function commentRows({ comments }: ReviewState, width: number): readonly ItemRow[] {
  if (comments.length === 0) {
    const text = 'No comments yet. c writes one on the whole plan or, on a task, on that task.';
    return rowsOfItem(null, wrapText(text, { width, tone: 'quiet' }));
  }
  return comments.flatMap(({ task, text }, item) =>
    rowsOfItem(item, [row(span(task ?? 'the plan')), ...wrapText(text, { width, indent: 2 })]),
  );
}

/** Changes since the previous version, by task, with each field before and after. */
function changeRows({ desk, compared }: ReviewState, width: number): readonly Row[] {
  const { version } = desk;
  const { changes } = compared ?? desk;
  const before = earlierVersion(version);
  if (changes.length === 0)
    return [row(span(compared?.title ?? `Nothing changed since ${before}.`, 'quiet'))];
  const head =
    compared?.title ?? `Version ${version}: ${counted(changes.length, 'change')} since ${before}`;
  const titles = new Map(desk.tasks.map(({ id, title }) => [id, title]));
  const byTask = [...Map.groupBy(changes, ({ task }) => task)];
  return [
    ...wrapText(head, { width, tone: 'strong' }),
    ...byTask.flatMap(([task, own]) => [
      emptyRow,
      row(span(task === null ? 'the plan' : `${task}  ${titles.get(task) ?? ''}`, 'accent')),
      ...own.flatMap((change) => differenceRows(change, width)),
    ]),
  ];
}

function differenceRows(
  { field, change, before, after }: PlanChange,
  width: number,
): readonly Row[] {
  const name = field === 'task_ids' ? 'order' : fieldName(field);
  const side = (mark: string, text: string | null, tone: Tone) =>
    text === null ? [] : bulletTexts([text], { mark, width, tone, textTone: tone, indent: 4 });
  return [
    row(span(`  ${name} ${change}`, 'quiet')),
    ...side('-', before, 'bad'),
    ...side('+', after, 'good'),
  ];
}

/** The fields of a task or the plan, each on separate rows; unset ones are only named. */
function fieldRows(state: ReviewState, width: number): readonly ItemRow[] {
  const { desk, about } = state;
  const place = `${desk.tasks.findIndex(({ id }) => id === about) + 1} of ${desk.tasks.length}`;
  const title = about === null ? 'plan.json' : `${about}  ${place}`;
  const lines = fieldLines(state);
  const fields = lines.filter(({ path }) => path !== null);
  return [
    ...rowsOfItem(null, [row(span(title, 'accent'))]),
    ...lines.flatMap((line) => {
      const { label, text, path } = line;
      if (path === null) {
        const isNested = label.startsWith(' ');
        const heading = row(span(label, isNested ? 'quiet' : 'strong'));
        return rowsOfItem(null, isNested ? [heading] : [emptyRow, heading]);
      }
      const rows = bulletTexts([text ?? ''], { mark: `${label} `, width, tone: 'quiet' });
      return rowsOfItem(fields.indexOf(line), rows);
    }),
  ];
}
