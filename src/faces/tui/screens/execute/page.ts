import type { ExecuteAnswer } from '../../../../model/execution.ts';
import type { ExecuteQuestion } from '../../../../workflow/view.ts';
import { apartNote, commandsNote, executors, reviewers } from '../../../execution-words.ts';
import { emptyRow, factRows, fitted, row, span, type Row, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';

/** The lines that can be chosen: the first two carry the plan out now. */
const lines = ['executor', 'reviewer', 'later'] as const;
type Line = (typeof lines)[number];

export interface ExecuteState {
  readonly line: Line;
  /** Indexes into `executors` and `reviewers`. */
  readonly executor: number;
  readonly reviewer: number;
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
    line: obstacle !== null || isApprovedNow ? 'later' : 'executor',
    executor: executors.findIndex(({ value }) => value === preset.execution_method),
    reviewer: reviewers.findIndex(({ value }) => value === preset.code_review_tool),
  };
}

/** The line `by` places further. */
export function lineBeside(state: ExecuteState, by: 1 | -1): ExecuteState {
  const at = lines.indexOf(state.line) + by;
  return { ...state, line: lines[Math.max(0, Math.min(at, lines.length - 1))] ?? state.line };
}

/** The next or previous answer on the line, round and round. */
export function picked(state: ExecuteState, by: 1 | -1): ExecuteState {
  const next = (at: number, length: number) => (at + by + length) % length;
  switch (state.line) {
    case 'executor':
      return { ...state, executor: next(state.executor, executors.length) };
    case 'reviewer':
      return { ...state, reviewer: next(state.reviewer, reviewers.length) };
    case 'later':
      return state;
  }
}

export function answerOf({ line, executor, reviewer }: ExecuteState): ExecuteAnswer {
  if (line === 'later') return { kind: 'later' };
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
  const isLater = state.line === 'later';
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
    pickerRow({ state, line: 'executor', lead: '1 ', name: 'Now' }),
    pickerRow({ state, line: 'reviewer', lead: '  ', name: '' }),
    row(
      mark(isLater),
      span('2 ', 'key'),
      span('Later   ', tone(isLater)),
      span('the plan stays approved'),
    ),
    ...(isLater ? ways : []),
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

function pickerRow({
  state,
  line,
  lead,
  name,
}: {
  readonly state: ExecuteState;
  readonly line: 'executor' | 'reviewer';
  readonly lead: string;
  readonly name: string;
}): Row {
  const isHere = state.line === line;
  const { value = '', means = '' } =
    line === 'executor' ? (executors[state.executor] ?? {}) : (reviewers[state.reviewer] ?? {});
  return row(
    mark(isHere),
    span(lead, 'key'),
    span(name.padEnd(8), tone(state.line !== 'later')),
    span(line === 'executor' ? 'tasks by   ' : 'review by  ', 'quiet'),
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
