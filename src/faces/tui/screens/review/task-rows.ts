import { parallelGroups } from '../../../../model/task-order.ts';
import type { Task } from '../../../../model/task.ts';
import { counted } from '../../../../model/wording.ts';
import { type Row, type Span, cutTo, emptyRow, fitted, row, span, widthOf } from '../../rows.ts';
import { marks } from '../../theme.ts';
import type { ChosenRows } from './page-rows.ts';
import { graphOf } from './graph.ts';
import { type ReviewState, taskOfFinding } from './state.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The tasks in the order of the plan, or by group from top to bottom with the edges between them. */
export function taskRows(state: ReviewState, room: Room): ChosenRows {
  const { desk, task: chosen } = state;
  const { tasks } = desk;
  const groups = parallelGroups(tasks);
  const lines = state.asGraph
    ? graphLines(tasks, { groups, room })
    : listLines(tasks, groups, room);
  const ids = Math.min(16, Math.max(0, ...tasks.map(({ id }) => widthOf([span(id)]))));
  const rows = lines.map(({ task, lead, facts }): Row => {
    if (task === null) return [span('   '), ...lead];
    const isChosen = task.id === chosen;
    const mark = span(isChosen ? marks.chosen : ' ', 'accent');
    const id = fitted([span(task.id, isChosen ? 'accent' : 'quiet')], ids);
    const left = [mark, noteOf(task, state), ...lead, ...id, span('  '), span(task.title)];
    return aligned(left, facts, room.width);
  });
  const at = lines.findIndex(({ task }) => task?.id === chosen);
  const head = row(span(`  ${summaryOf(state, groups.length)}`, 'quiet'));
  return { rows: [head, emptyRow, ...rows], at: Math.max(0, at) + 2 };
}

interface TaskLine {
  /** Null between two groups of the graph. */
  readonly task: Task | null;
  /** What stands before the id. */
  readonly lead: Row;
  /** What stands at the right. */
  readonly facts: Row;
}

type Groups = ReturnType<typeof parallelGroups>;

function listLines(tasks: readonly Task[], groups: Groups, { width }: Room): readonly TaskLine[] {
  return tasks.map((task) => {
    const group = groups.findIndex((ids) => ids.includes(task.id)) + 1;
    const [first = '', ...others] = task.depends_on;
    const isShort = width < 100 && others.length > 0;
    const facts = [
      ...factsOf(task, width),
      ...waitsFor(isShort ? [`${first} +${others.length}`] : task.depends_on),
      span(group === 0 ? '  in a circle' : `  group ${group}`, 'quiet'),
    ];
    return { task, lead: [], facts };
  });
}

function graphLines(
  tasks: readonly Task[],
  { groups, room }: { readonly groups: Groups; readonly room: Room },
): readonly TaskLine[] {
  const { width, height } = room;
  const spaced = tasks.length + Math.max(0, groups.length - 1) + 2 <= height;
  const numbers = String(groups.length).length;
  return graphOf(tasks, { width: Math.floor(width * 0.4), spaced }).map((line) => {
    const number = line.group === null ? '' : String(line.group);
    const lead = [span(`${number.padStart(numbers)} `, 'strong'), span(`${line.edges} `, 'quiet')];
    const task = line.task === null ? undefined : tasks[line.task];
    if (task === undefined) return { task: null, lead, facts: [] };
    return { task, lead, facts: [...factsOf(task, width), ...waitsFor(line.named)] };
  });
}

function summaryOf({ desk, asGraph }: ReviewState, groups: number): string {
  const count = counted(desk.tasks.length, 'task');
  const order = asGraph ? ' · top to bottom' : '';
  return groups === 0
    ? `${count}, which wait for each other in a circle`
    : `${count} in ${counted(groups, 'group')}; those in one group can run together${order}`;
}

/** What the plan check found about a task, or else that there is a comment on it. */
function noteOf({ id }: Task, { desk, comments }: ReviewState): Span {
  const own = desk.findings.filter((finding) => taskOfFinding(finding, desk) === id);
  if (own.some(({ severity }) => severity === 'blocking')) return span(`${marks.failed} `, 'bad');
  if (own.length > 0) return span(`${marks.warning} `, 'warn');
  return comments.some(({ task }) => task === id) ? span('" ', 'accent') : span('  ');
}

function factsOf({ files = [], effort }: Task, width: number): Row {
  if (width < 100) return [];
  const size = effort === undefined ? '' : ` · ${effort}`;
  return [span(`  ${counted(files.length, 'file')}${size}`, 'quiet')];
}

function waitsFor(ids: readonly string[]): Row {
  return ids.length === 0 ? [] : [span(`  ← ${ids.join(', ')}`, 'quiet')];
}

/** The right part keeps its place where the room allows; the left one is cut before it. */
function aligned(left: Row, right: Row, width: number): Row {
  const facts = cutTo(right, Math.floor(width / 2));
  return [...fitted(left, width - widthOf(facts)), ...facts];
}
