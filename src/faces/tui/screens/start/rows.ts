// Shows the start screen as rows: field, files, agents and their parts.
import { listed } from '../../../../model/wording.ts';
import { forecastText } from '../../../short-forms.ts';
import { choiceRow } from '../../list-page.ts';
import type { AgentState } from '../../ports.ts';
import { joinEnds, emptyRow, fitRow, row, span, type Row, wrapText } from '../../rows.ts';
import { marks, type Tone } from '../../theme.ts';
import { inputRows } from '../../widgets/text-field/view.tsx';
import type { TextField } from '../../widgets/text-field/field.ts';
import { fileList, firstRound, type StartState } from './state.ts';

/** Columns before the field. */
export const gutterWidth = 2;

/** The whole screen: the question, the field, and below it the files or the agents. */
export function startRows({
  state,
  field,
  width,
  height,
  active,
}: {
  readonly state: StartState;
  readonly field: TextField;
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}): readonly Row[] {
  const below = belowRows(state, field, width);
  const { note } = state;
  const noteRows = note === null ? [emptyRow] : wrapText(note, { width, tone: 'warn' });
  const lines = inputRows(field, {
    width: width - gutterWidth,
    height: Math.max(3, height - below.length - noteRows.length - 2),
    placeholder: 'e.g. Add rate limiting to the login endpoint',
    active: active && state.agentAt === null,
  });
  const question = row(span('What do you want done?', 'strong'));
  return [
    joinEnds(question, row(span('@ adds a file', 'quiet')), width),
    ...lines.map((line): Row => [span('│ ', 'accent'), ...line]),
    ...noteRows,
    ...below,
  ].slice(0, height);
}

function belowRows(state: StartState, field: TextField, width: number): readonly Row[] {
  const list = fileList(state, field);
  if (list === null) return agentRows(state, width);
  if (list.paths.length === 0) return [row(span('No file matches.', 'quiet'))];
  return list.paths.map((path, index) => choiceRow(row(span(path)), index === list.chosen));
}

/** The agents that take part, and how to get a missing one. */
function agentRows(state: StartState, width: number): readonly Row[] {
  const { standings, agentAt, forecast, models } = state;
  if (standings.length === 0) return [row(span('Looking for agents…', 'quiet'))];
  const name = 3 + Math.max(...standings.map((one) => one.name.length));
  const room = agentAt === null ? width : width - 2;
  return [
    ...roundRows(state, width),
    ...(forecast === null ? [] : [row(span(forecastText(forecast), 'quiet'))]),
    emptyRow,
    ...standings.flatMap((standing, index) => {
      const own = { ...standing, model: models[standing.name] ?? standing.model };
      const rows = rowsOf(own, { name, width: room, part: partIn(state, standing) });
      if (agentAt === null) return rows;
      return rows.map((line, at) => choiceRow(line, index === agentAt && at === 0));
    }),
  ];
}

const stateWidth = 14;
const partWidth = 10;

/** `name`: columns of mark and name. The last column is wrapped below itself. */
function rowsOf(
  standing: AgentState,
  { name, width, part }: { readonly name: number; readonly width: number; readonly part: string },
): readonly Row[] {
  const [mark, words, tone] = states[standing.state];
  const lead = [
    ...fitRow(row(span(`${mark} `, tone), span(standing.name)), name),
    ...fitRow(row(span(words, tone)), stateWidth),
    ...fitRow(row(span(part, 'quiet')), partWidth),
  ];
  const indent = name + stateWidth + partWidth;
  return detail(standing, width - indent).map((line, index) => [
    ...(index === 0 ? lead : [span(' '.repeat(indent))]),
    ...line,
  ]);
}

function detail(standing: AgentState, width: number): readonly Row[] {
  const { kind, state, transport, version, model, remedy, why } = standing;
  if (kind === 'analyst') return [row(span('built in, uses no model', 'quiet'))];
  if (state === 'looking') return [emptyRow];
  if (state !== 'ready') {
    // Its state says what it lacks: what to type has the room.
    const text = (remedy ?? why ?? '').replace(/^(?:Install it|Log in): |\.$/g, '');
    return wrapText(text, { width });
  }
  const facts = row(span(version ?? (transport === 'api' ? 'by its API' : ''), 'quiet'));
  return [[...fitRow(facts, 12), span(model ?? 'default model', 'quiet')]];
}

function roundRows(state: StartState, width: number): readonly Row[] {
  const seated = firstRound(state);
  if (seated.some((one) => one.state === 'looking')) {
    return [row(span('First round: ', 'strong'), span('looking for agents…', 'quiet'))];
  }
  const names = listed(seated.map((one) => one.name));
  if (state.asked !== null || seated.some(({ kind }) => kind === 'model')) {
    return [row(span('First round: ', 'strong'), span(names))];
  }
  const text =
    seated.length === 0
      ? 'No one can take part: no agent is ready, and the built-in analysts are off.'
      : `No agent with a model is ready, so the built-in analysts (${names}) will write a draft. They use no model: they read the code and its history, and you check what they found.`;
  return wrapText(text, { width, tone: 'warn' });
}

const states: Readonly<Record<AgentState['state'], readonly [string, string, Tone]>> = {
  looking: [marks.waiting, 'checking…', 'quiet'],
  ready: [marks.done, 'ready', 'good'],
  'not-installed': [marks.failed, 'not installed', 'bad'],
  'not-logged-in': [marks.warning, 'not logged in', 'warn'],
  disabled: [marks.later, 'disabled', 'quiet'],
};

function partIn(state: StartState, standing: AgentState): string {
  if (firstRound(state).includes(standing)) return 'asked';
  // Its state says what it lacks.
  if (standing.state !== 'ready' && standing.state !== 'looking') return '';
  return standing.part === 'asked' ? 'backup' : standing.part;
}
