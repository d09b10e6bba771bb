import type { ExecuteAnswer } from '../../../../model/execution.ts';
import type { ExecuteQuestion } from '../../../../workflow/view.ts';
import { apartNote, commandsNote, executors, reviewers } from '../../../execution-words.ts';
import { clamp } from '../../list-page.ts';
import { emptyRow, factRows, fitted, row, span, type Row, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';

/** What can be picked for carrying the plan out now, on a line each; the line after them is "later". */
const picks = [
  { label: 'tasks by   ', choices: executors },
  { label: 'review by  ', choices: reviewers },
] as const;

export interface ExecuteState {
  /** Index of the chosen line. */
  readonly line: number;
  /** For each of `picks` the index of its choice. */
  readonly picked: readonly number[];
}

/**
 * Who was named when the option was chosen is proposed. Enter alone carries nothing out right after
 * the approval: whoever takes what is recommended on each screen has not asked for that.
 */
export function startingExecute(
  { preset, obstacle }: ExecuteQuestion,
  { isApprovedNow }: { readonly isApprovedNow: boolean },
): ExecuteState {
  return {
    line: obstacle !== null || isApprovedNow ? picks.length : 0,
    picked: [
      executors.findIndex(({ value }) => value === preset.execution_method),
      reviewers.findIndex(({ value }) => value === preset.code_review_tool),
    ],
  };
}

export function isLater({ line }: ExecuteState): boolean {
  return line === picks.length;
}

/** The line `by` places further. */
export function lineBeside(state: ExecuteState, by: 1 | -1): ExecuteState {
  return { ...state, line: clamp(state.line + by, picks.length + 1) };
}

/** The next or previous choice on the line, round and round. */
export function picked(state: ExecuteState, by: 1 | -1): ExecuteState {
  const { line, picked: all } = state;
  const count = picks[line]?.choices.length;
  if (count === undefined) return state;
  return { ...state, picked: all.with(line, ((all[line] ?? 0) + by + count) % count) };
}

export function answerOf(state: ExecuteState): ExecuteAnswer {
  if (isLater(state)) return { kind: 'later' };
  const [executor = 0, reviewer = 0] = state.picked;
  return {
    kind: 'now',
    execution_method: executors[executor]?.value ?? 'Agent',
    code_review_tool: reviewers[reviewer]?.value ?? 'Skip',
    by: 'user',
  };
}

interface Shown {
  readonly question: ExecuteQuestion;
  readonly state: ExecuteState;
  /** By which the plan is carried out later. */
  readonly command: string;
  readonly width: number;
}

/** What is asked, with its answers. */
export function choiceRows({ question, state, command, width }: Shown): readonly Row[] {
  const { obstacle, byHand } = question;
  const later = isLater(state);
  const ways = [
    emptyRow,
    ...factRows('Later', command, width),
    ...(byHand === null ? [] : factRows('By hand', byHand, width)),
  ];
  if (obstacle !== null) {
    return [
      row(span('The plan is approved. It cannot be carried out now.', 'strong')),
      ...wrapped(obstacle, { width, tone: 'warn' }),
      ...ways,
    ];
  }
  return [
    row(span('The plan is approved. Carry it out now?', 'strong')),
    emptyRow,
    ...picks.map((_, line) => pickRow(state, line)),
    row(
      mark(later),
      span('2 ', 'key'),
      span('Later   ', tone(later)),
      span('the plan stays approved'),
    ),
    ...(later ? ways : []),
  ];
}

/** What would be done: the tasks, and the commands of their checks, all of them. */
export function workRows(
  { tasks, commands, obstacle }: ExecuteQuestion,
  width: number,
): readonly Row[] {
  const ids = Math.max(0, ...tasks.map(({ id }) => id.length));
  return [
    ...(obstacle === null ? wrapped(apartNote, { width }) : []),
    ...tasks.map(({ id, title }) => row(span(`  ${id.padEnd(ids)}  `, 'quiet'), span(title))),
    ...(commands.length === 0 ? [] : [emptyRow, ...wrapped(commandsNote, { width })]),
    ...commands.flatMap((command) => wrapped(command, { width, indent: 2, tone: 'accent' })),
  ];
}

function pickRow(state: ExecuteState, line: number): Row {
  const isHere = state.line === line;
  const isFirst = line === 0;
  const { label, choices } = picks[line] ?? picks[0];
  const { value = '', means = '' } = choices[state.picked[line] ?? 0] ?? {};
  return row(
    mark(isHere),
    span(isFirst ? '1 ' : '  ', 'key'),
    span(isFirst ? 'Now     ' : '        ', tone(!isLater(state))),
    span(label, 'quiet'),
    ...fitted([span(isHere ? `‹ ${value} ›` : `  ${value}`, tone(isHere))], 18),
    span(means, 'quiet'),
  );
}

function mark(isHere: boolean) {
  return span(isHere ? `${marks.chosen} ` : '  ', 'accent');
}

function tone(isHere: boolean) {
  return isHere ? 'accent' : 'plain';
}
