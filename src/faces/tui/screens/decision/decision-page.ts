// Shows options side by side, one in full, agreement, and the code around a place.
import { type Synthesis, isDraft } from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import { noModelText } from '../../../../phases/discussion/seats.ts';
import { missingText } from '../../../../phases/opinions.ts';
import { assumptionText, replyTexts } from '../../../../phases/present-options.ts';
import { agreementText } from '../../../short-forms.ts';
import { type ItemRow, type ListPage, choiceRow, listPage, rowsOfItem } from '../../list-page.ts';
import {
  type Row,
  bulletTexts,
  emptyRow,
  fileSpan,
  row,
  sideBySide,
  span,
  withTitle,
  wrapText,
} from '../../screen-rows.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { marks } from '../../theme.ts';
import { markLegend, solutionColumn, solutionDetail } from './option-card.ts';
import { referencesOf, type DecisionState } from './decision-state.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

type Offered = QuestionStage<'decide'>['question'];

/** The page that is open. */
export function decisionPage(offered: Offered, state: DecisionState, room: Room): ListPage {
  const { reference: chosen, top } = state;
  const { width, height } = room;
  return listPage(pageRows(offered, state, width), { chosen, top, height });
}

function pageRows(offered: Offered, state: DecisionState, width: number): readonly ItemRow[] {
  switch (state.page) {
    case 'options': {
      const columns = columnRows(offered.synthesis, state, width);
      return rowsOfItem(null, [...headRows(offered, state, width), ...columns]);
    }
    case 'detail': {
      const solution = offered.synthesis.solutions[state.chosen];
      if (solution === undefined) return [];
      return solutionDetail(
        { solution, synthesis: offered.synthesis, number: state.chosen + 1 },
        width - 2,
      );
    }
    case 'code':
      return rowsOfItem(null, codeRows(offered, state, width));
    case 'agreement':
      return rowsOfItem(null, agreementRows(offered, width));
  }
}

function agreementRow({ round, cross_verification: found, convergence }: Synthesis): Row {
  const { agreements, disagreements } = found;
  const isAgreed = convergence.recommendation === 'converged';
  return row(
    span(`Round ${round}: `, 'quiet'),
    span(bar(convergence.score), isAgreed ? 'good' : 'warn'),
    // The user has already answered the agents’ questions.
    span(
      ` ${agreementText(isAgreed ? 'converged' : 'continue')} · ${agreements.length} agreed`,
      'quiet',
    ),
    span(` · ${disagreements.length} open`, disagreements.length > 0 ? 'warn' : 'quiet'),
  );
}

/** The state of the discussion, with its uncertain points and the agents that did not answer. */
function headRows(
  { synthesis, uncertainty, questions, canDiscuss, asked }: Offered,
  { constraints }: DecisionState,
  width: number,
): readonly Row[] {
  const missing = missingText(synthesis);
  const hidden = synthesis.solutions.length - columnsIn(width);
  const warning = { width, tone: 'warn' } as const;
  return [
    synthesis.solutions.length > 0 && synthesis.solutions.every(isDraft)
      ? row(span('Draft · no model answered', 'quiet'))
      : agreementRow(synthesis),
    ...(hidden > 0 ? [row(span(`${counted(hidden, 'more option')}: ← →`, 'accent'))] : []),
    ...(uncertainty === null ? [] : wrapText(uncertainty, warning)),
    ...(missing === null ? [] : wrapText(missing, warning)),
    ...(asked === null ? [] : askedRows(asked, synthesis, width)),
    ...questions.flatMap((text) => [
      ...wrapText(`? still open: ${text}`, warning),
      ...assumedRows(assumptionText(text, synthesis), width),
    ]),
    ...(canDiscuss ? [] : wrapText(noModelText, { width, tone: 'quiet' })),
    ...constraints.flatMap((text) => wrapText(`${marks.bullet} keep to: ${text}`, { width })),
    emptyRow,
  ];
}

function assumedRows(text: string, width: number): readonly Row[] {
  return text === '' ? [] : wrapText(text, { width, indent: 4, tone: 'quiet' });
}

/** The user’s question, and the agents’ answers. */
function askedRows(asked: string, synthesis: Synthesis, width: number): readonly Row[] {
  const replies = replyTexts(synthesis);
  const none = ['No agent answered in words; what they think of each option is below.'];
  return [
    ...wrapText(`You asked: ${asked}`, { width, tone: 'accent' }),
    ...bulletTexts(replies.length === 0 ? none : replies, { mark: marks.bullet, width, indent: 2 }),
  ];
}

/** The narrowest column in which a solution is readable. */
const narrowest = 38;

/** The number of solutions that fit side by side. */
function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + 1) / (narrowest + 1)));
}

/** The solutions side by side, the chosen one among them. */
function columnRows(
  synthesis: Synthesis,
  { chosen }: DecisionState,
  width: number,
): readonly Row[] {
  const { solutions } = synthesis;
  const fit = Math.min(solutions.length, columnsIn(width));
  const first = Math.max(0, chosen - fit + 1);
  const each = Math.floor((width - (fit - 1)) / fit);
  const columns = solutions.slice(first, first + fit).map((solution, index) => {
    const [name = emptyRow, ...rows] = solutionColumn(
      { solution, synthesis, number: first + index + 1 },
      each - 3,
    );
    const head = choiceRow(name, first + index === chosen);
    return { width: each, rows: [head, ...rows.map((line) => choiceRow(line, false))] };
  });
  return [...sideBySide(columns), emptyRow, markLegend];
}

/** The code around the chosen place, with its line marked; says so if it cannot be shown. */
function codeRows(
  { synthesis }: Offered,
  { chosen, reference, code }: DecisionState,
  width: number,
): readonly Row[] {
  const place = referencesOf(synthesis.solutions[chosen])[reference];
  if (place === undefined) return [];
  const head = [row(fileSpan(place.path, `${place.path}:${place.line}`, 'strong')), emptyRow];
  if (code === null) {
    const text = 'The repository has no such text file.';
    return [...head, ...wrapText(text, { width, tone: 'warn' })];
  }
  const digits = String(code.start + code.lines.length - 1).length;
  return [
    ...head,
    ...code.lines.map((text, index) => {
      const number = code.start + index;
      const line = row(
        span(`${String(number).padStart(digits)}  `, 'quiet'),
        span(text.replaceAll('\t', '  ')),
      );
      return choiceRow(line, number === place.line);
    }),
  ];
}

/** The agents’ agreements and disagreements, with the parts of the score. */
function agreementRows({ synthesis }: Offered, width: number): readonly Row[] {
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const { score, reasons } = synthesis.convergence;
  const missing = missingText(synthesis);
  const list = (title: string, texts: readonly string[], mark: string) =>
    withTitle(title, bulletTexts(texts, { mark, width, indent: 2 }));
  return [
    row(span('Convergence ', 'strong'), span(bar(score))),
    ...reasons.flatMap((reason) => wrapText(reason, { width, indent: 2, tone: 'quiet' })),
    ...list('Agreed', agreements, marks.done),
    ...list('Not agreed', disagreements, marks.failed),
    ...list('Resolution', resolution === '' ? [] : [resolution], ' '),
    ...list('Did not answer', missing === null ? [] : [missing], marks.warning),
    ...list('Notes', synthesis.notes, marks.bullet),
  ];
}

/** A bar of ten cells and the number: `███████░░░ 0.72`. */
function bar(share: number): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${share.toFixed(2)}`;
}
