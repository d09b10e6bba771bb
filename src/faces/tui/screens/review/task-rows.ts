import type { Task } from '../../../../model/task.ts';
import { parallelGroups } from '../../../../model/task-order.ts';
import { counted } from '../../../../model/wording.ts';
import { type Row, type Span, cutTo, emptyRow, fitted, row, span, widthOf } from '../../rows.ts';
import { marks } from '../../theme.ts';
import type { Chosen } from './field-rows.ts';
import { type GraphLine, graphOf } from './graph.ts';
import { chosenTask, taskOfFinding } from './chosen.ts';
import type { ReviewState } from './state.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The tasks in the order of the plan, each with its group and what it waits for. */
export function listRows(state: ReviewState, { width }: Room): Chosen {
  const { tasks } = state.desk;
  const groups = parallelGroups(tasks);
  const groupOf = new Map(
    groups.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)),
  );
  const ids = idWidth(tasks);
  const rows = tasks.map((task) => {
    const group = groupOf.get(task.id);
    const facts = row(
      ...(width < 100 ? [] : [span(`  ${factsOf(task)}`, 'quiet')]),
      ...waitsFor(width < 100 ? shortly(task.depends_on) : task.depends_on),
      span(group === undefined ? '  in a circle' : `  group ${group}`, 'quiet'),
    );
    const left = [...marksOf(task, state), ...namedOf(task, { state, ids })];
    return aligned(left, facts, width);
  });
  const chosen = chosenTask(state);
  const head = row(span(`  ${summaryOf(state, groups.length)}`, 'quiet'));
  const at = Math.max(
    0,
    tasks.findIndex(({ id }) => id === chosen),
  );
  return { rows: [head, emptyRow, ...rows], at: at + 2 };
}

/** The tasks by group from top to bottom, with the edges between them. */
export function graphRows(state: ReviewState, { width, height }: Room): Chosen {
  const { tasks } = state.desk;
  const groups = parallelGroups(tasks).length;
  const spaced = tasks.length + Math.max(0, groups - 1) + 2 <= height;
  const lines = graphOf(tasks, { width: Math.floor(width * 0.4), spaced });
  const numbers = String(groups).length;
  const ids = idWidth(tasks);
  const rows = lines.map((line) => {
    const number = line.group === null ? '' : String(line.group);
    const lead = [span(`${number.padStart(numbers)} `, 'strong'), span(`${line.edges} `, 'quiet')];
    const task = line.task === null ? undefined : tasks[line.task];
    return task === undefined
      ? [span('   '), ...lead]
      : taskLine(task, { line, lead, state, ids, width });
  });
  const chosen = chosenTask(state);
  const at = lines.findIndex(({ task }) => task !== null && tasks[task]?.id === chosen);
  const hint =
    groups === 0 ? 'the tasks wait for each other in a circle' : 'groups from top to bottom';
  return {
    rows: [row(span(`  ${summaryOf(state, groups)} · ${hint}`, 'quiet')), emptyRow, ...rows],
    at: Math.max(0, at) + 2,
  };
}

function taskLine(
  task: Task,
  {
    line,
    lead,
    state,
    ids,
    width,
  }: {
    readonly line: GraphLine;
    readonly lead: Row;
    readonly state: ReviewState;
    readonly ids: number;
    readonly width: number;
  },
): Row {
  const left = [...marksOf(task, state), ...lead, ...namedOf(task, { state, ids })];
  const facts = width < 100 ? [] : [span(`  ${factsOf(task)}`, 'quiet')];
  return aligned(left, [...facts, ...waitsFor(line.named)], width);
}

function marksOf(task: Task, state: ReviewState): Row {
  const isChosen = chosenTask(state) === task.id;
  return [span(isChosen ? marks.chosen : ' ', 'accent'), notedOf(task, state)];
}

function namedOf(
  { id, title }: Task,
  { state, ids }: { readonly state: ReviewState; readonly ids: number },
): Row {
  const tone = chosenTask(state) === id ? 'accent' : 'quiet';
  return [...fitted([span(id, tone)], ids), span('  '), span(title)];
}

function notedOf({ id }: Task, { desk, comments }: ReviewState): Span {
  const own = desk.findings.filter((finding) => taskOfFinding(finding, desk) === id);
  if (own.some(({ severity }) => severity === 'blocking')) return span(`${marks.failed} `, 'bad');
  if (own.length > 0) return span(`${marks.warning} `, 'warn');
  return comments.some(({ task }) => task === id) ? span('" ', 'accent') : span('  ');
}

function summaryOf({ desk }: ReviewState, groups: number): string {
  const waves = groups === 0 ? '' : ` in ${counted(groups, 'group')}; those of one may run at once`;
  return `${counted(desk.tasks.length, 'task')}${waves}`;
}

function factsOf({ files = [], effort }: Task): string {
  return `${counted(files.length, 'file')}${effort === undefined ? '' : ` · ${effort}`}`;
}

function waitsFor(ids: readonly string[]): Row {
  return ids.length === 0 ? [] : [span(`  ← ${ids.join(', ')}`, 'quiet')];
}

function shortly(ids: readonly string[]): readonly string[] {
  const [first] = ids;
  return first === undefined || ids.length === 1 ? ids : [`${first} +${ids.length - 1}`];
}

function idWidth(tasks: readonly Task[]): number {
  return Math.min(16, Math.max(0, ...tasks.map(({ id }) => widthOf([span(id)]))));
}

/** The right part keeps its place where the room allows; the left one is cut before it. */
function aligned(left: Row, right: Row, width: number): Row {
  const facts = cutTo(right, Math.floor(width / 2));
  return [...fitted(left, width - widthOf(facts)), ...facts];
}
