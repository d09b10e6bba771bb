import { listed } from '../../../../model/wording.ts';
import type { AgentStanding } from '../../ports.ts';
import { emptyRow, fitted, row, span, type Row, widthOf, wrapped } from '../../rows.ts';
import { marks, type Tone } from '../../theme.ts';
import { inputRows } from '../../widgets/text-field/view.tsx';
import type { TextField } from '../../widgets/text-field/field.ts';
import { fileList, type StartState } from './state.ts';

/** The columns that stand before the field. */
export const gutterWidth = 2;

/** The whole screen: the question, the field, and below it the files or the agents. */
export function startRows(shown: {
  readonly state: StartState;
  readonly field: TextField;
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}): readonly Row[] {
  const { state, field, width, height, active } = shown;
  const below = belowRows(state, field, width);
  const note = field.refused ?? state.note;
  const noteRows = note === null ? [emptyRow] : wrapped(note, { width, tone: 'warn' });
  const fieldHeight = Math.max(3, height - below.length - noteRows.length - 2);
  const lines = inputRows(field, {
    width: width - gutterWidth,
    height: fieldHeight,
    placeholder: 'e.g. Add rate limiting to the login endpoint',
    active,
  });
  return [
    titleRow(state, width),
    ...lines.map((line): Row => [span('│ ', 'accent'), ...line]),
    ...noteRows,
    ...below,
  ].slice(0, height);
}

function titleRow({ recalled, tasks }: StartState, width: number): Row {
  const title = row(span('What do you want done?', 'strong'));
  const hint =
    recalled === null
      ? `${tasks.length === 0 ? '' : '↑ earlier tasks · '}@ adds a file`
      : `earlier task ${recalled + 1} of ${tasks.length}`;
  const right = row(span(hint, 'quiet'));
  return [...fitted(title, Math.max(24, width - widthOf(right))), ...right];
}

function belowRows(state: StartState, field: TextField, width: number): readonly Row[] {
  const list = fileList(state, field);
  if (list === null) return agentRows(state.standings, width);
  if (list.paths.length === 0) return [row(span('No file matches.', 'quiet'))];
  return list.paths.map((path, index) =>
    index === list.chosen
      ? row(span(`${marks.chosen} `, 'accent'), span(path, 'strong'))
      : row(span(`  ${path}`)),
  );
}

/** Who takes part, and how to get what is missing. */
function agentRows(standings: readonly AgentStanding[], width: number): readonly Row[] {
  if (standings.length === 0) return [row(span('Looking for agents…', 'quiet'))];
  const longest = Math.max(...standings.map((one) => one.name.length));
  const name = Math.min(16, longest) + 3;
  const round = firstRound(standings);
  return [
    ...roundRows(round, width),
    emptyRow,
    ...standings.flatMap((standing) =>
      rowsOf(standing, { name, width, part: partIn(round, standing) }),
    ),
  ];
}

/** Columns of what it is and of its part. */
const stateWidth = 14;
const partWidth = 10;

/** `name`: columns of mark and name. What has no room on the first row goes on below itself. */
function rowsOf(
  standing: AgentStanding,
  { name, width, part }: { readonly name: number; readonly width: number; readonly part: string },
): readonly Row[] {
  const [mark, words, tone] = states[standing.state];
  const lead = [
    ...fitted(row(span(`${mark} `, tone), span(standing.name)), name),
    ...fitted(row(span(words, tone)), stateWidth),
    ...fitted(row(span(part, 'quiet')), partWidth),
  ];
  const indent = name + stateWidth + partWidth;
  return detail(standing, width - indent).map((line, index) => [
    ...(index === 0 ? lead : [span(' '.repeat(indent))]),
    ...line,
  ]);
}

function detail(standing: AgentStanding, width: number): readonly Row[] {
  const { kind, state, version, model, remedy, why } = standing;
  if (kind === 'analyst') return [row(span('built in, uses no model', 'quiet'))];
  if (state === 'looking') return [emptyRow];
  // What it lacks is said already: what to type has the room.
  if (state !== 'ready') {
    const text = (remedy ?? why ?? '').replace(/^(?:Install it|Log in): |\.$/g, '');
    return wrapped(text, { width });
  }
  const told = model === null ? 'default model' : model;
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
      ? 'No one can take part: no agent is ready, and the built-in analysts are off.'
      : `No agent with a model is ready, so the built-in analysts (${names}) will write a draft. They use no model: they read the code and its history, and you check what they found.`;
  return wrapped(text, { width, tone: 'warn' });
}

const states: Readonly<Record<AgentStanding['state'], readonly [string, string, Tone]>> = {
  looking: [marks.waiting, 'checking…', 'quiet'],
  ready: [marks.done, 'ready', 'good'],
  'not-installed': [marks.failed, 'not installed', 'bad'],
  'not-logged-in': [marks.warning, 'not logged in', 'warn'],
  disabled: [marks.later, 'disabled', 'quiet'],
};

/** Who will be asked in the first round, as far as it is known. */
interface FirstRound {
  /** Not every agent that decides it has been checked yet. */
  readonly isOpen: boolean;
  readonly seated: readonly AgentStanding[];
}

/** Fills the seats as a round does: with the agents to ask, else with backups, in order. */
export function firstRound(standings: readonly AgentStanding[]): FirstRound {
  const inTurn = standings
    .filter(({ turn }) => turn !== null)
    .toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const seats = inTurn.filter(({ part }) => part === 'asked');
  const chain = inTurn.filter(({ part, state }) => part === 'backup' && canSit(state));
  const inOrder = seats.flatMap((seat) => (canSit(seat.state) ? seat : (chain.shift() ?? [])));
  // The analysts are for those who have no agent with a model.
  const models = inOrder.filter(({ kind }) => kind === 'model');
  const seated =
    models.length === 0 || seats.some(({ kind }) => kind === 'analyst') ? inOrder : models;
  return { isOpen: seated.some(({ state }) => state === 'looking'), seated };
}

/** Who is ready takes the seat of one that is not. */
function partIn({ seated }: FirstRound, standing: AgentStanding): string {
  if (seated.some(({ name }) => name === standing.name)) return 'asked';
  if (!canSit(standing.state)) return '';
  return standing.part === 'asked' ? 'backup' : standing.part;
}

// Who is still looked for may turn out to be ready.
function canSit(state: AgentStanding['state']): boolean {
  return state === 'ready' || state === 'looking';
}
