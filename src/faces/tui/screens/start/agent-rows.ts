import { listed } from '../../../../model/wording.ts';
import type { AgentStanding } from '../../ports.ts';
import { type Row, emptyRow, fitted, row, span, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { type FirstRound, firstRound } from './first-round.ts';

/** Who takes part, and how to mend what is missing. */
export function agentRows(standings: readonly AgentStanding[], width: number): readonly Row[] {
  if (standings.length === 0) return [row(span('Looking for agents…', 'quiet'))];
  const longest = Math.max(...standings.map((one) => one.name.length));
  const name = Math.min(16, longest) + 3;
  return [
    ...roundRows(firstRound(standings), width),
    emptyRow,
    ...standings.flatMap((standing) => rowsOf(standing, { name, width })),
  ];
}

/** Columns of what it is and of its part. */
const stateWidth = 14;
const partWidth = 11;

/** `name`: columns of mark and name. What has no room on the first row goes on below itself. */
function rowsOf(
  standing: AgentStanding,
  { name, width }: { readonly name: number; readonly width: number },
): readonly Row[] {
  const [mark, words, tone] = states[standing.state];
  const lead = [
    ...fitted(row(span(`${mark} `, tone), span(standing.name)), name),
    ...fitted(row(span(words, tone)), stateWidth),
    ...fitted(row(span(standing.part, 'quiet')), partWidth),
  ];
  const indent = name + stateWidth + partWidth;
  return detail(standing, width - indent).map((line, index) => [
    ...(index === 0 ? lead : [span(' '.repeat(indent))]),
    ...line,
  ]);
}

function detail(standing: AgentStanding, width: number): readonly Row[] {
  const { kind, state, version, model, remedy, why } = standing;
  if (kind === 'analyst') return [row(span('built in, reads only the repository', 'quiet'))];
  if (state === 'looking') return [emptyRow];
  // What it lacks is said already: what to type has the room.
  if (state !== 'ready') {
    const text = (remedy ?? why ?? '').replace(/^(?:Install it|Log in): |\.$/g, '');
    return wrapped(text, { width });
  }
  const told = model === null ? 'its own default model' : model;
  return [[...fitted(row(span(version ?? '', 'quiet')), 12), span(told, 'quiet')]];
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
