// Shows the head of an agent's pane and its wrapped tail, with one row per field of a JSON answer.
import { clockTime, duration } from '../../../../model/wording.ts';

import { spendingOf, spendingText, type Pane, type PaneState } from '../../progress/progress.ts';
import type { PaneTail, TailLine } from '../../progress/tail.ts';
import { joinEnds, row, span, type Row, windowOf, wrapText } from '../../screen-rows.ts';
import { marks, type Tone } from '../../theme.ts';

/** The input of a pane’s head. `now` is in ms since the epoch. */
export interface PaneLook {
  readonly now: number;
  readonly width: number;
  readonly isChosen: boolean;
}

export const headHeight = 3;

/** The head of a pane: its agent and time, its work, and a rule with its usage. */
export function paneHead(pane: Pane, look: PaneLook): readonly Row[] {
  const { now, width } = look;
  const spent = spendingText(spendingOf(pane));
  const who = row(...nameSpans(pane, look), span(kindText(pane), 'quiet'));
  return [
    joinEnds(who, row(span(elapsedText(pane, now), 'quiet')), width),
    row(span('   '), activity(pane, now)),
    row(span(`──${spent === '' ? '' : ` ${spent} `}`.padEnd(width, '─'), 'quiet')),
  ];
}

export function paneLine(pane: Pane, look: PaneLook): Row {
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

export function tailRows(tail: PaneTail, width: number): readonly Row[] {
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
