import { type Row, emptyRow, fitted, row, span, widthOf } from '../../rows.ts';
import { marks } from '../../theme.ts';
import { inputRows } from '../../widgets/text-field/rows.ts';
import type { TextField } from '../../widgets/text-field/state.ts';
import { agentRows } from './agent-rows.ts';
import { type StartState, fileList } from './state.ts';

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
  const fieldHeight = Math.max(3, height - below.length - 3);
  const lines = inputRows(field, {
    width: width - gutterWidth,
    height: fieldHeight,
    placeholder: 'e.g. Add rate limiting to the login endpoint',
    active,
  });
  return [
    titleRow(state, width),
    ...lines.map((line): Row => [span('│ ', 'accent'), ...line]),
    note === null ? emptyRow : row(span(note, 'warn')),
    ...below,
  ].slice(0, height);
}

function titleRow({ recalled, tasks }: StartState, width: number): Row {
  const title = row(span('What do you want to have done?', 'strong'));
  const hint =
    recalled === null
      ? `${tasks.length === 0 ? '' : '↑ earlier tasks · '}@ completes a file`
      : `earlier task ${recalled + 1} of ${tasks.length}`;
  const right = row(span(hint, 'quiet'));
  return [...fitted(title, Math.max(32, width - widthOf(right))), ...right];
}

function belowRows(state: StartState, field: TextField, width: number): readonly Row[] {
  const list = fileList(state, field);
  if (list === null) return agentRows(state.standings, width);
  if (list.paths.length === 0) return [row(span('No file of the repository fits.', 'quiet'))];
  return list.paths.map((path, index) =>
    index === list.chosen
      ? row(span(`${marks.chosen} `, 'accent'), span(path, 'strong'))
      : row(span(`  ${path}`)),
  );
}
