import { clockTime, duration } from '../../../short-forms.ts';
import { spentBy, spentText, type Pane, type PaneState } from '../../progress/progress.ts';
import { cutTo, fitted, row, span, type Row, widthOf } from '../../rows.ts';
import { marks, type Tone } from '../../theme.ts';

/** What the head of a pane is drawn with. `now` in ms since the epoch. */
export interface PaneLook {
  readonly now: number;
  readonly width: number;
  readonly isChosen: boolean;
}

/** Rows of a pane's head. */
export const headHeight = 3;

/** Who it is and for how long, what it does, and a rule with what it used. */
export function paneHead(pane: Pane, look: PaneLook): readonly Row[] {
  const { now, width } = look;
  const who = row(...nameSpans(pane, look), span(kindText(pane), 'quiet'));
  const [, tone] = looks[pane.state];
  return [
    ends(who, row(span(elapsedText(pane, now), 'quiet')), width),
    row(span(`   ${activityText(pane, now)}`, tone)),
    ruleWith(spentText(spentBy(pane)), width),
  ];
}

/** One row with the same. */
export function paneLine(pane: Pane, look: PaneLook): Row {
  const [, tone] = looks[pane.state];
  const text = [spentText(spentBy(pane)), elapsedText(pane, look.now)].filter(Boolean).join('  ');
  const name = row(...nameSpans(pane, look), span('  '));
  const left = row(...name, span(activityText(pane, look.now), tone));
  return ends(left, row(span(text, 'quiet')), look.width);
}

/** What the pane's agent does now, or how it ended. */
function activityText({ doing, until }: Pane, now: number): string {
  if (until === null) return doing;
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return doing.replace(/^waiting/, `waiting ${left} s`);
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

function kindText({ kind, model, agent, seat, replacedBy }: Pane): string {
  const who = kind === 'analyst' ? 'built in' : (model ?? '');
  const place = replacedBy !== null ? `replaced by ${replacedBy}` : '';
  const seated = agent === seat ? place : `for ${seat}`;
  return [who, seated].map((text) => (text === '' ? '' : `  ${text}`)).join('');
}

function elapsedText({ since, durationMs, state, until }: Pane, now: number): string {
  if (state === 'expected') return '';
  if (since === null) return duration(durationMs ?? 0);
  return clockTime((durationMs ?? 0) + (until === null ? Math.max(0, now - since) : 0));
}

function ruleWith(text: string, width: number): Row {
  const label = text === '' ? '' : ` ${text} `;
  const rule = `──${label}`.padEnd(Math.max(0, width), '─');
  return row(span(rule, 'quiet'));
}

/** Both ends of a row; the left one gives way. */
function ends(left: Row, right: Row, width: number): Row {
  const room = Math.max(0, width - widthOf(right) - 1);
  return [...fitted(cutTo(left, room), room + 1), ...right];
}
