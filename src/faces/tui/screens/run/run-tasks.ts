// Shows the graph of tasks while they are executed, and one of them with its checks and diff.
import { counted } from '../../../../model/wording.ts';
import { taskBadges } from '../../../../phases/documents/badges.ts';
import { listPage, rowsOfItem } from '../../list-page.ts';
import type { Progress, TaskCheck, TaskProgress } from '../../progress/progress.ts';
import {
  bulletTexts,
  emptyRow,
  fitRow,
  row,
  span,
  type Row,
  type Span,
  widthOf,
  wrapText,
} from '../../screen-rows.ts';
import { diffTone, marks } from '../../theme.ts';
import { graphOf } from '../../task-graph.ts';

/** How many tests pass so far, or checks where no test is counted: after the work, once one ran. */
function passedText({ before, after }: Pick<TaskProgress, 'before' | 'after'>): string {
  const runs = after.length > 0 ? after : before;
  const tests = runs.flatMap((run) => run.tests ?? []);
  const sum = (key: 'passed' | 'failed') => tests.reduce((all, one) => all + one[key], 0);
  if (tests.length > 0)
    return `${sum('passed')} of ${counted(sum('passed') + sum('failed'), 'test')}`;
  const passed = runs.filter((run) => run.passed === true).length;
  const all = Math.max(before.length, after.length);
  return all === 0 ? '' : `${passed} of ${counted(all, 'check')}`;
}

/** The graph of the tasks with their states: as many as fit, around the chosen one. */
export function taskGraph(
  tasks: readonly TaskProgress[],
  chosen: string | null,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  const factsOf = taskFacts(tasks);
  const rows = graphOf(tasks, Math.floor(width / 5)).flatMap(({ task: index, edges }) => {
    const task = tasks[index];
    if (task === undefined) return [];
    const { mark, tone } = taskBadges[task.state];
    const left = row(
      span(`${mark} `, tone),
      span(edges === '' ? '' : `${edges} `, 'quiet'),
      span(`${task.id}  `, 'quiet'),
      span(task.title),
    );
    const right = factsOf(task);
    return rowsOfItem(index, [[...fitRow(left, width - 2 - widthOf(right)), ...right]]);
  });
  const at = tasks.findIndex(({ id }) => id === chosen);
  return listPage(rows, { chosen: at, top: null, height: Math.min(height, rows.length) }).rows;
}

/** The columns to the right of a task, each as wide as its widest value: checks, executor and state. */
function taskFacts(tasks: readonly TaskProgress[]): (task: TaskProgress) => Row {
  const [checks, executor] = [
    Math.max(0, ...tasks.map((task) => passedText(task).length)),
    Math.max(0, ...tasks.map((task) => task.executor.length)),
  ];
  return (task) => [
    span('  '),
    span(passedText(task).padEnd(checks + 2), 'quiet'),
    span(`${task.executor.padEnd(executor)}  `, 'quiet'),
    span(task.state.padEnd(9), taskBadges[task.state].tone),
  ];
}

/** Draws a task: its state, its checks before and after the work, and its changes so far. */
export function taskPage(
  { execution }: Progress,
  id: string | null,
  width: number,
): readonly Row[] {
  const task = execution?.tasks.find((one) => one.id === id);
  if (task === undefined) return [row(span('No task is chosen.', 'quiet'))];
  const { mark, tone } = taskBadges[task.state];
  const diff = task.diff === '' ? ['nothing so far'] : task.diff.trimEnd().split('\n');
  return [
    ...wrapText(`${task.id}  ${task.title}`, { width, tone: 'strong' }),
    row(span(`${mark} ${task.state}`, tone), span(` · ${task.executor}`, 'quiet')),
    ...(task.why === '' ? [] : wrapText(task.why, { width, tone, indent: 2 })),
    ...checkRows('Checks before the work', task.before, width),
    ...checkRows('Checks after the work', task.after, width),
    ...checkRows('Checks with everything that was changed', task.all, width),
    ...checkRows('Checks on the start once more', task.again, width),
    ...checkRows('Checks that fail on the joined result', failing(task.joined), width),
    emptyRow,
    row(span('Changes', 'strong')),
    ...diffRows(diff, { width, indent: 2 }),
  ];
}

/** Shows the lines of a diff in git’s own form. */
function diffRows(
  lines: readonly string[],
  { width, indent }: { readonly width: number; readonly indent: number },
): readonly Row[] {
  return lines.flatMap((line) =>
    wrapText(line, { width, tone: diffTone(line), indent, trim: false }),
  );
}

const failing = (checks: readonly TaskCheck[]) => checks.filter(({ passed }) => passed === false);

/** Checks under a title, each with what is known of its output; empty without checks. */
function checkRows(title: string, checks: readonly TaskCheck[], width: number): readonly Row[] {
  if (checks.length === 0) return [];
  return [
    emptyRow,
    row(span(title, 'strong')),
    ...checks.flatMap(({ check, passed, note, output = '' }) => {
      const { text: mark, tone } = markOf(passed);
      const printed = output.trim();
      return [
        ...bulletTexts([check], { mark, tone, width, indent: 2 }),
        ...(note === '' ? [] : wrapText(note, { width, tone: 'quiet', indent: 4 })),
        ...(printed === '' ? [] : wrapText(printed, { width, indent: 4, trim: false })),
      ];
    }),
  ];
}

function markOf(passed: boolean | null): Span {
  if (passed === null) return span('·', 'quiet');
  return passed ? span(marks.done, 'good') : span(marks.failed, 'bad');
}
