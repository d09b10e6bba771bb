import { phases, type Phase } from '../../../../model/phase.ts';
import { counted } from '../../../../model/wording.ts';
import type { Pane, Progress, RoundProgress, TaskProgress } from '../../progress/progress.ts';
import { reviewText } from '../../../execution-lines.ts';
import { cutTo, emptyRow, row, sideBySide, span, type Row, windowOf, wrapped } from '../../rows.ts';
import type { Tone } from '../../theme.ts';
import { headHeight, paneHead, paneLine, type PaneLook } from './pane-rows.ts';
import {
  chosenPane,
  isInSight,
  panesNow,
  seatedPanes,
  tasksInView,
  type RunState,
} from './state.ts';
import { lastRows, rowsFrom } from './tail-rows.ts';
import { taskGraph } from './tasks.ts';

/** A pane and the line beside it are at least this wide where panes stand side by side. */
const paneWidth = 40;
/** A note that is longer is shown whole by its key. */
const noteShare = 8;

interface RunShown {
  readonly progress: Progress;
  readonly state: RunState;
  readonly now: number;
  readonly width: number;
  readonly height: number;
}

/** What happens now: a headline, the panes, and what went wrong among these agents. */
export function runRows(shown: RunShown): readonly Row[] {
  const { progress, state, width, height } = shown;
  const chosen = chosenPane(panesNow(progress), state.chosen);
  if (state.isZoomed && chosen !== null) return zoomedRows(chosen, shown);
  const notes = noteRows(shown);
  const tasks = tasksNow(shown, chosen);
  const left = Math.max(0, height - 1 - tasks.length - notes.length);
  const panes = paneRows({ ...shown, height: left });
  return [headlineRow(progress, width), ...tasks, ...panes, ...notes].slice(0, height);
}

/** The panes that keys go through: those that are on the screen. */
export function reachablePanes({ progress, state, width }: Omit<RunShown, 'height' | 'now'>) {
  const all = panesNow(progress);
  const seated = seatedPanes(all);
  return state.isZoomed || !fit(seated, width) ? all : seated;
}

/** The tasks above their panes, in no more than half of the room. */
function tasksNow({ progress, width, height }: RunShown, chosen: Pane | null): readonly Row[] {
  const tasks = tasksInView(progress);
  if (tasks.length === 0) return [];
  const room = { width, height: Math.max(1, Math.floor(height / 2)) };
  return [...taskGraph(tasks, chosen?.task ?? null, room), emptyRow];
}

/** The room of a zoomed tail. */
export function zoomRoom({ width, height }: Pick<RunShown, 'width' | 'height'>) {
  return { width, height: Math.max(1, height - headHeight) };
}

function zoomedRows(pane: Pane, { state, now, width, height }: RunShown): readonly Row[] {
  const head = paneHead(pane, { now, width, isChosen: true });
  const tail = rowsFrom(pane.tail, state.top, zoomRoom({ width, height }));
  return [...head, ...tail].slice(0, height);
}

function paneRows(shown: RunShown): readonly Row[] {
  const { progress, state, now, width, height } = shown;
  const reachable = reachablePanes(shown);
  if (reachable.length === 0) return windowOf(emptyRows(progress, width), 0, height);
  const chosen = chosenPane(reachable, state.chosen);
  const panes = reachable.filter((pane) => pane === chosen || isInSight(pane, progress));
  const isSideBySide = fit(panes, width);
  const look = (pane: Pane, columns: number): PaneLook => ({
    now,
    width: columns,
    isChosen: panes.length > 1 && pane === chosen,
  });
  if (!isSideBySide) return listRows({ panes, chosen, look, width, height });
  const widths = columnsOf(panes.length, width);
  return sideBySide(
    panes.map((pane, at) => {
      const columns = widths[at] ?? paneWidth;
      return { width: columns, rows: openPane(pane, look(pane, columns), height) };
    }),
  );
}

function listRows(list: {
  readonly panes: readonly Pane[];
  readonly chosen: Pane | null;
  readonly look: (pane: Pane, columns: number) => PaneLook;
  readonly width: number;
  readonly height: number;
}): readonly Row[] {
  const { panes, chosen, look, width, height } = list;
  const openHeight = Math.max(headHeight + 1, height - panes.length + 1);
  const rows = panes.flatMap((pane) =>
    pane === chosen
      ? openPane(pane, look(pane, width), openHeight)
      : [paneLine(pane, look(pane, width))],
  );
  return windowOf(rows, 0, height);
}

function openPane(pane: Pane, look: PaneLook, height: number): readonly Row[] {
  const { width } = look;
  const room = { width, height: Math.max(0, height - headHeight) };
  return [...paneHead(pane, look), ...lastRows(pane.tail, room)];
}

function fit(panes: readonly Pane[], width: number): boolean {
  return panes.length > 0 && (width + 1) / panes.length >= paneWidth;
}

/** Columns of each pane where a line stands between them; the last ones take what is left over. */
function columnsOf(count: number, width: number): readonly number[] {
  const room = width - (count - 1);
  return Array.from({ length: count }, (_, at) => Math.floor((room + at) / count));
}

function noteRows({ progress, width, height }: RunShown): readonly Row[] {
  const most = Math.max(1, Math.floor(height / noteShare));
  return progress.notes
    .filter(({ group, tone }) => group === progress.group && tone !== 'plain' && tone !== 'quiet')
    .slice(-most)
    .map(({ text, tone }) => cutTo(row(span(text, tone)), width));
}

/** What is said while no agent was asked yet. */
function emptyRows(progress: Progress, width: number): readonly Row[] {
  return [emptyRow, ...wrapped(workText(progress), { width, tone: 'quiet' })];
}

function workText({ phase, context }: Progress): string {
  if (phase === null) return 'Opening the session…';
  if (phase === 'context' && context !== null) return 'Ordering the files…';
  return work.get(phase) ?? 'No agent is running.';
}

const work: ReadonlyMap<Phase, string> = new Map([
  ['context', 'Looking for the code that the task is about…'],
  ['discussion', 'Choosing the agents…'],
  ['planning', 'Making the plan and its tasks…'],
  ['execution', 'Preparing the work trees of the tasks…'],
  ['code-review', 'Gathering the changes…'],
]);

/** One row: which round or what of planning it is, and what is known of it. */
function headlineRow(progress: Progress, width: number): Row {
  const parts = partsOf(progress);
  return cutTo(
    parts.flatMap(([text, tone], at) =>
      at === 0 ? row(span(text, tone)) : row(span(' · ', 'quiet'), span(text, tone)),
    ),
    width,
  );
}

type Part = readonly [text: string, tone: Tone];

function partsOf(progress: Progress): readonly Part[] {
  const { phase } = progress;
  if (phase === 'discussion' || phase === 'options' || phase === 'decision') {
    return roundParts(progress);
  }
  const title: Part = [phaseTitle(phase), 'strong'];
  if (phase === 'context') return [title, ...contextParts(progress)];
  if (phase === 'planning' || phase === 'plan-review') return [title, ...planParts(progress)];
  if (phase === 'execution') return [title, ...taskParts(progress.execution)];
  if (phase === 'code-review') return [title, ...reviewParts(progress.review)];
  return [title];
}

function taskParts(execution: Progress['execution']): readonly Part[] {
  if (execution === null) return [];
  const { tasks, jobs } = execution;
  const count = (which: TaskProgress['state']) =>
    tasks.filter(({ state }) => state === which).length;
  return [
    [`${count('completed')} of ${counted(tasks.length, 'task')} completed`, 'plain'],
    ...ends.flatMap(([end, tone]) =>
      count(end) === 0 ? [] : [[`${count(end)} ${end}`, tone] as const],
    ),
    [`${jobs} at a time`, 'quiet'],
  ];
}

const ends = [
  ['unproven', 'warn'],
  ['failed', 'bad'],
  ['blocked', 'warn'],
] as const;

function reviewParts(review: Progress['review']): readonly Part[] {
  if (review === null) return [];
  return [[reviewText(review), review.blocking > 0 ? 'bad' : 'plain']];
}

function phaseTitle(phase: Progress['phase']): string {
  const label = phases.find(({ name }) => name === phase)?.label ?? 'starting';
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function roundParts({ rounds }: Progress): readonly Part[] {
  const now = rounds.at(-1)?.opened;
  if (now === undefined) return [['Discussion', 'strong']];
  const seats = `${counted(now.seats.length, 'agent')}${modeText(now)}`;
  return [
    [`Round ${now.round} of ${now.max_rounds}`, 'strong'],
    [seats, 'plain'],
    ...scoreParts(rounds),
  ];
}

function modeText({ mode, seats }: RoundProgress['opened']): string {
  if (seats.length < 2) return '';
  return mode === 'parallel' ? ' at the same time' : ' one after the other';
}

function scoreParts(rounds: readonly RoundProgress[]): readonly Part[] {
  const scores = rounds.flatMap(({ result }) => (result === null ? [] : result.score.toFixed(2)));
  const last = rounds.findLast(({ result }) => result !== null)?.result;
  if (last === undefined || last === null) return [];
  return [
    [`score ${scores.join(' → ')}`, 'accent'],
    [`${last.agreed.length} agreed`, 'plain'],
    [`${last.disagreed.length} open`, 'plain'],
  ];
}

function contextParts({ context }: Progress): readonly Part[] {
  if (context === null) return [];
  const found: Part = [`${counted(context.files.length, 'file')} by ${context.provider}`, 'plain'];
  return context.reason === null ? [found] : [found, [`degraded: ${context.reason}`, 'warn']];
}

function planParts({ plan }: Progress): readonly Part[] {
  if (plan === null) return [];
  const by = plan.source === 'derived' ? 'derived from the solution' : `by ${plan.source}`;
  const written: Part = [`${counted(plan.titles.length, 'task')} ${by}`, 'plain'];
  if (plan.findings === null) return [written, ['plan check…', 'quiet']];
  const { findings, blocking } = plan;
  if (findings.length === 0) return [written, ['plan check: nothing found', 'good']];
  const warnings = counted(findings.length - blocking, 'warning');
  const tone = blocking > 0 ? 'bad' : 'warn';
  return [written, [`plan check: ${blocking} blocking, ${warnings}`, tone]];
}
