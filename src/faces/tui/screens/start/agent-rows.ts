import { listed } from '../../../../model/wording.ts';
import type { AgentStanding } from '../../ports.ts';
import { type Row, emptyRow, fitted, row, span, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { type FirstRound, firstRound } from './first-round.ts';

/** Who takes part, and how to mend what is missing. */
export function agentRows(standings: readonly AgentStanding[], width: number): readonly Row[] {
  if (standings.length === 0) return [row(span('Looking for agents…', 'quiet'))];
  const name = Math.max(...standings.map((one) => one.name.length));
  return [
    ...roundRows(firstRound(standings), width),
    emptyRow,
    ...standings.map((standing) => agentRow(standing, Math.min(16, name))),
  ];
}

function agentRow(standing: AgentStanding, nameWidth: number): Row {
  const [mark, words, tone] = states[standing.state];
  return [
    ...fitted(row(span(`${mark} `, tone), span(standing.name)), nameWidth + 3),
    ...fitted(row(span(words, tone)), 14),
    ...fitted(row(span(standing.part, 'quiet')), 11),
    ...detail(standing),
  ];
}

function detail(standing: AgentStanding): Row {
  const { kind, state, version, model, remedy, why } = standing;
  if (kind === 'analyst') return row(span('built in, reads only the repository', 'quiet'));
  if (state === 'looking') return emptyRow;
  // What it lacks is said already: what to type has the room.
  if (state !== 'ready') {
    return row(span((remedy ?? why ?? '').replace(/^(?:Install it|Log in): |\.$/g, '')));
  }
  return [
    ...fitted(row(span(version ?? '', 'quiet')), 12),
    span(model === null ? 'its own default model' : model, 'quiet'),
  ];
}

function roundRows(round: FirstRound, width: number): readonly Row[] {
  const { seated, isOpen } = round;
  if (isOpen) return [row(span('First round: ', 'strong'), span('looking for agents…', 'quiet'))];
  const names = listed(seated.map((one) => one.name));
  if (seated.some(({ kind }) => kind === 'model')) {
    return [row(span('First round: ', 'strong'), span(names))];
  }
  const text =
    seated.length === 0
      ? 'Nobody can sit in the first round: no agent is ready, and the built-in analysts are off.'
      : `No agent with a model takes a seat: the built-in analysts (${names}) will work. They read the code and its history, use no model, and their plan is a sketch for you to check.`;
  return wrapped(text, { width, tone: 'warn' });
}

const states: Readonly<Record<AgentStanding['state'], readonly [string, string, Tone]>> = {
  looking: [marks.waiting, 'looking…', 'quiet'],
  ready: [marks.done, 'ready', 'good'],
  'not-installed': [marks.failed, 'missing', 'bad'],
  'not-logged-in': [marks.warning, 'not logged in', 'warn'],
  disabled: [marks.later, 'switched off', 'quiet'],
};
