import { overTasks } from '../../progress/execution.ts';
import type { Progress, TaskCheck, TaskProgress } from '../../progress/progress.ts';
import {
  bulleted,
  cutTo,
  emptyRow,
  fitted,
  row,
  span,
  type Row,
  type Span,
  widthOf,
  windowOf,
  wrapped,
} from '../../rows.ts';
import { diffTone, marks, type Tone } from '../../theme.ts';
import { graphOf } from '../review/graph.ts';

/** A terminal with fewer columns shows neither edges nor executors. */
const narrow = 70;

type TaskState = TaskProgress['state'];

/** How a task stands, by a mark and a colour. */
export const taskLooks: Readonly<Record<TaskState, readonly [mark: string, tone: Tone]>> = {
  waiting: [marks.later, 'quiet'],
  running: [marks.now, 'accent'],
  checking: [marks.now, 'accent'],
  completed: [marks.done, 'good'],
  unproven: [marks.warning, 'warn'],
  failed: [marks.failed, 'bad'],
  blocked: [marks.later, 'warn'],
};

/** Marks of the checks before the work and after it, e.g. `✗✓ → ✓✓`. */
export function checkMarks({ before, after }: Pick<TaskProgress, 'before' | 'after'>): Row {
  const arrow = after.length === 0 ? [] : [span(before.length === 0 ? '' : ' → ', 'quiet')];
  return [
    ...before.map(({ passed }) => markOf(passed, 'quiet')),
    ...arrow,
    ...after.map(afterMark),
  ];
}

/** The graph of the tasks with how each stands: as many as there is room for, the chosen one among them. */
export function taskGraph(
  tasks: readonly TaskProgress[],
  chosen: string | null,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  const isNarrow = width < narrow;
  const lanes = isNarrow ? 0 : Math.floor(width / 5);
  const graph = graphOf(tasks, lanes);
  const columns = columnsOf(tasks, isNarrow);
  const rows = graph.flatMap(({ task: index, edges }): readonly Row[] => {
    const task = tasks[index];
    if (task === undefined) return [];
    const [mark, tone] = taskLooks[task.state];
    const isChosen = task.id === chosen;
    const left = row(
      span(isChosen ? marks.chosen : ' ', 'accent'),
      span(`${mark} `, tone),
      span(edges === '' ? '' : `${edges} `, 'quiet'),
      span(`${task.id}  `, isChosen ? 'strong' : 'quiet'),
      span(task.title),
    );
    const right = columns.flatMap(({ of, width: room }) => [span('  '), ...fitted(of(task), room)]);
    const facts = cutTo(right, Math.floor(width / 2));
    return [[...fitted(left, width - widthOf(facts)), ...facts]];
  });
  const at = Math.max(
    0,
    graph.findIndex(({ task }) => task !== null && tasks[task]?.id === chosen),
  );
  const top = Math.min(Math.max(0, at - Math.floor(height / 2)), Math.max(0, rows.length - height));
  return windowOf(rows, top, Math.min(height, rows.length));
}

/** One task: its state, its checks before and after the work, its files, and what it has changed so far. */
export function taskSheet(
  { execution }: Progress,
  id: string | null,
  width: number,
): readonly Row[] {
  const task = execution?.tasks.find((one) => one.id === id);
  if (execution === null || task === undefined) return [row(span('No task is chosen.', 'quiet'))];
  const [mark, tone] = taskLooks[task.state];
  const conflict = execution.conflicts.find((one) => one.task === id);
  const how = conflict?.resolved === true ? 'resolved by its agent' : 'not resolved';
  const doubts = [
    ...(conflict === undefined ? [] : [`conflict in ${conflict.files.join(', ')}: ${how}`]),
    ...(task.outside.length === 0 ? [] : [`also changed: ${task.outside.join(', ')}`]),
  ];
  const diff = task.diff.trimEnd().split('\n');
  return [
    ...wrapped(`${task.id}  ${task.title}`, { width, tone: 'strong' }),
    row(
      span(`${mark} `, tone),
      ...stateSpans(task, overTasks(execution.tasks)),
      span(` · ${task.executor}`, 'quiet'),
    ),
    ...(task.why === '' ? [] : wrapped(task.why, { width, tone, indent: 2 })),
    ...doubts.flatMap((text) => wrapped(`! ${text}`, { width, tone: 'warn', indent: 2 })),
    ...part('Checks before the work', checkRows(task.before, width)),
    ...part('Checks after the work', checkRows(task.after, width)),
    ...part(
      'Changes',
      task.diff === ''
        ? [row(span('  nothing so far', 'quiet'))]
        : diff.flatMap((line) =>
            wrapped(line, { width, tone: diffTone(line), indent: 2, trim: false }),
          ),
    ),
  ];
}

function part(title: string, rows: readonly Row[]): readonly Row[] {
  return rows.length === 0 ? [] : [emptyRow, row(span(title, 'strong')), ...rows];
}

function checkRows(checks: readonly TaskCheck[], width: number): readonly Row[] {
  return checks.flatMap(({ check, passed, note }) => {
    const { text: mark, tone } = markOf(passed, 'bad');
    return [
      ...bulleted([check], { mark, tone, width, indent: 2 }),
      ...(note === '' ? [] : wrapped(note, { width, tone: 'quiet', indent: 4 })),
    ];
  });
}

function markOf(passed: boolean | null, failed: Tone): Span {
  if (passed === null) return span('·', 'quiet');
  return passed ? span(marks.done, 'good') : span(marks.failed, failed);
}

function afterMark({ passed }: TaskCheck): Span {
  return markOf(passed, 'bad');
}

/** What stands at the right of a task, each as wide as the widest. */
function columnsOf(tasks: readonly TaskProgress[], isNarrow: boolean) {
  const over = overTasks(tasks);
  const columns = [
    checkMarks,
    ({ executor }: TaskProgress) => (isNarrow ? [] : [span(executor, 'quiet')]),
    (task: TaskProgress) => stateSpans(task, over),
  ];
  return columns
    .map((of) => ({ of, width: Math.max(0, ...tasks.map((task) => widthOf(of(task)))) }))
    .filter(({ width }) => width > 0);
}

function stateSpans(
  { state, blockedBy, depends_on: needs }: TaskProgress,
  over: ReadonlySet<string>,
): Row {
  const [, tone] = taskLooks[state];
  if (state === 'blocked' && blockedBy !== null) return [span(`blocked by ${blockedBy}`, tone)];
  const [first, ...more] = state === 'waiting' ? needs.filter((id) => !over.has(id)) : [];
  if (first === undefined) return [span(state, tone)];
  return [span(`after ${first}${more.length === 0 ? '' : ` +${more.length}`}`, tone)];
}
