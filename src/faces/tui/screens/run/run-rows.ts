// Shows headline, panes and notes, a whole tail, and everything that happened.
import { phases, type Phase } from '../../../../model/phase.ts';
import { counted } from '../../../../model/wording.ts';
import { replayText } from '../../../short-forms.ts';
import { type ListPage, listPage, rowsOfItem, withHead } from '../../list-page.ts';
import type { Pane, Progress } from '../../progress/progress.ts';
import {
  cutTo,
  emptyRow,
  row,
  sideBySide,
  span,
  type Row,
  windowOf,
  wrapText,
} from '../../screen-rows.ts';
import { headHeight, lastRows, paneHead, paneLine, type PaneLook, tailRows } from './pane-rows.ts';
import { currentPane, isInSight, panesNow, tasksInView, type RunState } from './run-state.ts';
import { taskGraph, taskPage } from './run-tasks.ts';

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
