// Shows the graph of tasks while they are executed, and one of them with its checks and diff.
import {
  type Block,
  code,
  diffsIn,
  item,
  list,
  prose,
  section,
} from '../../../../model/document.ts';
import { counted } from '../../../../model/wording.ts';
import { taskBadges } from '../../../../phases/documents/badges.ts';
import { listPage, rowsOfItem } from '../../list-page.ts';
import type { Progress, TaskCheck, TaskProgress } from '../../progress/progress.ts';
import { plainRows } from '../../document-rows.ts';
import { fitRow, row, span, type Row, widthOf } from '../../screen-rows.ts';
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

/** A task: its state, its checks before and after the work, and its changes so far. */
export function taskPage(
  { execution }: Progress,
  id: string | null,
  width: number,
): readonly Row[] {
  const task = execution?.tasks.find((one) => one.id === id);
  if (task === undefined) return [row(span('No task is chosen.', 'quiet'))];
  const { title, state, executor, why, before, after, all, again, joined, diff } = task;
  const checks = [
    ['Checks before the work', before],
    ['Checks after the work', after],
    ['Checks with everything that was changed', all],
    ['Checks on the start once more', again],
    ['Checks that fail on the joined result', joined.filter(({ passed }) => passed === false)],
  ] as const;
  const blocks = [
    prose([{ text: `${task.id}  ${title}`, tone: 'strong' }]),
    prose([taskBadges[state], { text: ` · ${executor}`, tone: 'quiet' }]),
    prose(why),
    ...checks.map(([name, runs]) => section('', name, [list(runs.map(checkItem))])),
    section('', 'Changes', diff === '' ? [prose('nothing so far')] : diffsIn(diff)),
  ];
  return plainRows(blocks, { width, folds: 'open' });
}

function checkItem({ check, passed, note, output = '' }: TaskCheck): Block {
  const [mark, tone] =
    passed === null
      ? (['·', 'quiet'] as const)
      : passed
        ? (['✓', 'good'] as const)
        : (['✗', 'bad'] as const);
  return item([{ badge: '', mark, tone }, check], [prose(note), code(output.trim())]);
}
