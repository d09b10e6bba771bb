// Shows headline, panes with their tails, tasks and notes, and everything that happened.
import { phases, type Phase } from '../../../../model/phase.ts';
import { counted, clockTime, duration } from '../../../../model/wording.ts';
import { replayText } from '../../../short-forms.ts';
import { type ListPage, listPage, rowsOfItem, withHead } from '../../list-page.ts';
import {
  type Pane,
  type Progress,
  spendingOf,
  spendingText,
  type PaneState,
  type TaskCheck,
  type TaskProgress,
} from '../../progress/progress.ts';
import {
  cutTo,
  emptyRow,
  row,
  sideBySide,
  span,
  type Row,
  windowOf,
  wrapText,
  joinEnds,
  fitRow,
  widthOf,
} from '../../screen-rows.ts';
import { currentPane, isInSight, panesNow, tasksInView, type RunState } from './run-state.ts';
import type { PaneTail, TailLine } from '../../progress/tail.ts';
import { marks, type Tone } from '../../theme.ts';
import {
  type Block,
  code,
  diffsIn,
  item,
  list,
  prose,
  section,
} from '../../../../model/document.ts';
import { taskBadges } from '../../../../phases/documents/badges.ts';
import { plainRows } from '../../document-rows.ts';
import { graphOf } from '../../../task-graph.ts';

/** The least width of panes that are side by side, including the line between them. */
const paneWidth = 40;
/** The part of the height for notes, as a divisor; the page of notes shows all of them. */
const noteShare = 8;

interface RunShown {
  readonly progress: Progress;
  readonly state: RunState;
  readonly now: number;
  readonly width: number;
  readonly height: number;
}

/** The open page over the panes, or else the current work. */
export function runPage(shown: RunShown): ListPage {
  const { progress, state, now, width, height } = shown;
  const { sheet, top } = state;
  const chosen = currentPane(panesNow(progress), state.chosen);
  const follows = sheet === 'agent';
  const head = follows && chosen !== null ? paneHead(chosen, { now, width, isChosen: true }) : [];
  const page = (rows: readonly Row[]) =>
    listPage(rowsOfItem(null, rows), { top, follows, height: Math.max(1, height - head.length) });
  switch (sheet) {
    case null:
      return page(runRows(shown));
    case 'agent':
      return withHead(head, page(chosen === null ? [] : tailRows(chosen.tail, width)));
    case 'task':
      return page(taskPage(progress, chosen?.task ?? null, width));
    case 'notes':
      return page(allNotes(progress, width));
  }
}

/** A headline, the tasks, the panes, and what went wrong for these agents. */
function runRows(shown: RunShown): readonly Row[] {
  const { progress, state, width, height } = shown;
  const { rounds, replayed } = progress;
  if (replayed !== null) return [row(span(replayText(rounds.length, replayed), 'quiet'))];
  const tasks = tasksInView(progress);
  const chosen = currentPane(panesNow(progress), state.chosen)?.task ?? null;
  const half = { width, height: Math.floor(height / 2) };
  const graph = tasks.length === 0 ? [] : [...taskGraph(tasks, chosen, half), emptyRow];
  const notes = warningRows(shown);
  const left = Math.max(0, height - 1 - graph.length - notes.length);
  const panes = paneRows({ ...shown, height: left });
  return [headline(progress, width), ...graph, ...panes, ...notes].slice(0, height);
}

function paneRows({ progress, state, now, width, height }: RunShown): readonly Row[] {
  const all = panesNow(progress);
  const chosen = currentPane(all, state.chosen);
  if (chosen === null) {
    const text = work.get(progress.phase) ?? 'No agent is running.';
    return windowOf([emptyRow, ...wrapText(text, { width, tone: 'quiet' })], 0, height);
  }
  const panes = all.filter((pane) => pane === chosen || isInSight(pane, progress));
  const look = (pane: Pane, columns: number): PaneLook => {
    return { now, width: columns, isChosen: panes.length > 1 && pane === chosen };
  };
  if ((width + 1) / panes.length >= paneWidth) {
    // The last columns take the remaining width.
    const columns = (at: number) => Math.floor((width - panes.length + 1 + at) / panes.length);
    return sideBySide(
      panes.map((pane, at) => ({
        width: columns(at),
        rows: openPane(pane, look(pane, columns(at)), height),
      })),
    );
  }
  const openHeight = Math.max(headHeight + 1, height - panes.length + 1);
  const rows = panes.flatMap((pane) =>
    pane === chosen
      ? openPane(pane, look(pane, width), openHeight)
      : [paneLine(pane, look(pane, width))],
  );
  return windowOf(rows, 0, height);
}

function openPane(pane: Pane, look: PaneLook, height: number): readonly Row[] {
  const room = { width: look.width, height: Math.max(0, height - headHeight) };
  return [...paneHead(pane, look), ...lastRows(pane.tail, room)];
}

function warningRows({ progress, width, height }: RunShown): readonly Row[] {
  const most = Math.max(1, Math.floor(height / noteShare));
  return progress.notes
    .filter(({ group, tone }) => group === progress.group && (tone === 'warn' || tone === 'bad'))
    .slice(-most)
    .map(({ text, tone }) => cutTo(row(span(text, tone)), width));
}

/** The files that were found, and what has happened, grouped by the agents that were asked together. */
function allNotes({ files, notes }: Progress, width: number): readonly Row[] {
  const found = files.flatMap((file) => wrapText(file, { width, indent: 2 }));
  return [
    row(span('What has happened so far', 'strong')),
    ...(found.length === 0 ? [] : [emptyRow, row(span('files, best first', 'quiet')), ...found]),
    ...notes.flatMap(({ group, text, tone, isMore = false }, at) => [
      ...(at > 0 && notes[at - 1]?.group === group
        ? []
        : [emptyRow, row(span((group ?? 'session').replaceAll('-', ' '), 'quiet'))]),
      ...wrapText(text, { width, tone, indent: isMore ? 6 : 2 }),
    ]),
  ];
}

const work: ReadonlyMap<Phase | null, string> = new Map([
  [null, 'Opening the session…'],
  ['context', 'Looking for the code that the task is about…'],
  ['discussion', 'Choosing the agents…'],
  ['planning', 'Making the plan and its tasks…'],
  ['execution', 'Preparing the work trees of the tasks…'],
  ['code-review', 'Gathering the changes…'],
]);

/** Says in one row the current round or phase, and what is known of it. */
function headline(progress: Progress, width: number): Row {
  const [title = '', ...facts] = headlineTexts(progress);
  const rest = facts.map((text) => span(` · ${text}`));
  return cutTo(row(span(title, 'strong'), ...rest), width);
}

function headlineTexts(progress: Progress): readonly string[] {
  const { phase, facts, execution } = progress;
  if (phase === 'discussion' || phase === 'options' || phase === 'decision') {
    return roundTexts(progress);
  }
  const label = phases.find(({ name }) => name === phase)?.label ?? 'starting';
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  if (phase !== 'execution' || execution === null) return [title, ...facts];
  const { tasks, jobs } = execution;
  const completed = tasks.filter(({ state }) => state === 'completed').length;
  return [title, `${completed} of ${counted(tasks.length, 'task')} completed`, `${jobs} at a time`];
}

function roundTexts({ rounds }: Progress): readonly string[] {
  const now = rounds.at(-1)?.opened;
  if (now === undefined) return ['Discussion'];
  const mode = now.mode === 'parallel' ? 'at the same time' : 'one after the other';
  const results = rounds.flatMap(({ result }) => result ?? []);
  const last = results.at(-1);
  return [
    `Round ${now.round} of ${now.max_rounds}`,
    now.seats.length < 2 ? '1 agent' : `${now.seats.length} agents ${mode}`,
    ...(last === undefined
      ? []
      : [
          `score ${results.map(({ score }) => score.toFixed(2)).join(' → ')}`,
          `${last.agreed.length} agreed`,
          `${last.disagreed.length} open`,
        ]),
  ];
}

/** The input of a pane’s head. `now` is in ms since the epoch. */
interface PaneLook {
  readonly now: number;
  readonly width: number;
  readonly isChosen: boolean;
}

const headHeight = 3;

/** The head of a pane: its agent and time, its work, and a rule with its usage. */
function paneHead(pane: Pane, look: PaneLook): readonly Row[] {
  const { now, width } = look;
  const spent = spendingText(spendingOf(pane));
  const who = row(...nameSpans(pane, look), span(kindText(pane), 'quiet'));
  return [
    joinEnds(who, row(span(elapsedText(pane, now), 'quiet')), width),
    row(span('   '), activity(pane, now)),
    row(span(`──${spent === '' ? '' : ` ${spent} `}`.padEnd(width, '─'), 'quiet')),
  ];
}

function paneLine(pane: Pane, look: PaneLook): Row {
  const text = [spendingText(spendingOf(pane)), elapsedText(pane, look.now)]
    .filter(Boolean)
    .join('  ');
  const left = row(...nameSpans(pane, look), span('  '), activity(pane, look.now));
  return joinEnds(left, row(span(text, 'quiet')), look.width);
}

function activity({ state, doing, until }: Pane, now: number) {
  const [, tone] = looks[state];
  if (until === null) return span(doing, tone);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return span(`waiting ${left} s: ${doing}`, tone);
}

const looks: Readonly<Record<PaneState, readonly [mark: string, tone: Tone]>> = {
  expected: [marks.later, 'quiet'],
  running: [marks.now, 'accent'],
  waiting: [marks.waiting, 'warn'],
  answered: [marks.done, 'good'],
  failed: [marks.failed, 'bad'],
  stopped: [marks.later, 'quiet'],
};

function nameSpans({ state, task, agent }: Pane, { isChosen }: PaneLook): Row {
  const [mark, tone] = looks[state];
  return [
    span(isChosen ? marks.chosen : ' ', 'accent'),
    span(`${mark} `, tone),
    span(task === null ? agent : `${task} ${agent}`, isChosen ? 'strong' : 'plain'),
  ];
}

function kindText({ kind, model, agent, seat }: Pane): string {
  const who = kind === 'analyst' ? 'built in' : (model ?? '');
  return `  ${who}${agent === seat ? '' : `  for ${seat}`}`;
}

function elapsedText({ since, durationMs, state, until }: Pane, now: number): string {
  if (state === 'expected') return '';
  if (since === null) return duration(durationMs ?? 0);
  return clockTime((durationMs ?? 0) + (until === null ? Math.max(0, now - since) : 0));
}

/** The last rows of a tail, exactly as many as fit. */
export function lastRows(
  tail: PaneTail,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  let rows: readonly Row[] = openRows(tail, width);
  for (let at = tail.lines.length - 1; at >= 0 && rows.length < height; at -= 1)
    rows = [...tail.lines.slice(at, at + 1).flatMap((line) => rowsOf(line, width)), ...rows];
  return windowOf(rows, Math.max(0, rows.length - height), height);
}

function tailRows(tail: PaneTail, width: number): readonly Row[] {
  return [...tail.lines.flatMap((line) => rowsOf(line, width)), ...openRows(tail, width)];
}

function openRows({ open }: PaneTail, width: number): readonly Row[] {
  return open === '' ? [] : wrapText(splitFields(open), { width });
}

// A line never changes and is drawn in many frames, so it is wrapped once for each width.
const known = new WeakMap<TailLine, { readonly width: number; readonly rows: readonly Row[] }>();

function rowsOf(line: TailLine, width: number): readonly Row[] {
  const before = known.get(line);
  if (before?.width === width) return before.rows;
  const { text, tone, isOutput = false } = line;
  const rows = isOutput
    ? wrapText(text, { width, tone, indent: 2, trim: false })
    : wrapText(splitFields(text), { width, tone });
  known.set(line, { width, rows });
  return rows;
}

/** Fields of an answer that only Conclave needs. */
const envelope = /[{,]\s*"(?:session|round|phase)":\s*(?:"[^"]*"|\d+)/g;

/** Starts a new line for each field, because a JSON answer is one long line. */
export function splitFields(text: string): string {
  return text
    .replaceAll(envelope, '')
    .replaceAll(/[[{,]+\s*"([a-z_]+)":\s*/g, '\n$1: ')
    .trimStart();
}

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
function taskGraph(
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
    const facts = factsOf(task);
    // On a narrow screen only the last fact stays, so that the title of the task is read.
    const right = widthOf(facts) > width / 2 ? facts.slice(-1) : facts;
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
function taskPage({ execution }: Progress, id: string | null, width: number): readonly Row[] {
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
