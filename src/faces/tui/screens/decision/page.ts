import type { Synthesis } from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import { modelNeeded } from '../../../../phases/discussion/seats.ts';
import { agreementText } from '../../../short-forms.ts';
import { type ListPage, chosenRow, listPage, ofItem } from '../../list-page.ts';
import {
  type Row,
  bulleted,
  emptyRow,
  fileSpan,
  row,
  sideBySide,
  span,
  titled,
  wrapped,
} from '../../rows.ts';
import type { Decide } from '../../state.ts';
import { marks } from '../../theme.ts';
import { bar, markLegend, solutionColumn, solutionDetail } from './solution-rows.ts';
import { referencesOf, type DecisionState } from './state.ts';

interface Room {
  readonly width: number;
  readonly height: number;
}

type Offered = Decide['question'];

/** The page that is open. */
export function decisionPage(offered: Offered, state: DecisionState, room: Room): ListPage {
  const { reference: chosen, scroll } = state;
  const { width, height } = room;
  const shown = (rows: readonly Row[]) => listPage(ofItem(null, rows), { chosen, scroll, height });
  switch (state.page) {
    case 'options':
      return shown([
        ...headRows(offered, state, width),
        ...columnRows(offered.synthesis, state, width),
      ]);
    case 'detail': {
      const solution = offered.synthesis.solutions[state.chosen];
      const number = state.chosen + 1;
      const rows = solution === undefined ? [] : solutionDetail(solution, number, width - 2);
      return listPage(rows, { chosen, scroll, height });
    }
    case 'code':
      return shown(codeRows(offered, state, width));
    case 'agreement':
      return shown(agreementRows(offered, width));
    case 'cancel':
      return shown(cancelRows(width));
    case 'more':
    case 'constraint':
      return shown([]);
  }
}

/** Where the discussion stands, and what is uncertain or not answered. */
function headRows(
  { synthesis, uncertainty, questions, canDiscuss }: Offered,
  { constraints }: DecisionState,
  width: number,
): readonly Row[] {
  const { agreements, disagreements } = synthesis.cross_verification;
  const { score, recommendation } = synthesis.convergence;
  const hidden = synthesis.solutions.length - columnsIn(width);
  const warning = { width, tone: 'warn' } as const;
  return [
    row(
      span(`Round ${synthesis.round}: `, 'quiet'),
      span(bar(score), recommendation === 'converged' ? 'good' : 'warn'),
      span(` ${agreementText(recommendation)} · ${agreements.length} agreed`, 'quiet'),
      span(` · ${disagreements.length} open`, disagreements.length > 0 ? 'warn' : 'quiet'),
    ),
    ...(hidden > 0 ? [row(span(`${counted(hidden, 'more option')}: ← →`, 'accent'))] : []),
    ...(uncertainty === null ? [] : wrapped(uncertainty, warning)),
    ...questions.flatMap((text) => wrapped(`? still open: ${text}`, warning)),
    ...(canDiscuss ? [] : wrapped(modelNeeded, { width, tone: 'quiet' })),
    ...constraints.flatMap((text) => wrapped(`${marks.bullet} keep to: ${text}`, { width })),
    emptyRow,
  ];
}

/** The narrowest column in which a solution can be read. */
const narrowest = 38;

/** How many solutions fit side by side. */
function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + 1) / (narrowest + 1)));
}

/** The solutions side by side, the chosen one among them. */
function columnRows(
  { solutions }: Synthesis,
  { chosen }: DecisionState,
  width: number,
): readonly Row[] {
  const fit = Math.min(solutions.length, columnsIn(width));
  const first = Math.max(0, chosen - fit + 1);
  const each = Math.floor((width - (fit - 1)) / fit);
  const columns = solutions.slice(first, first + fit).map((solution, index) => {
    const [name = emptyRow, ...rows] = solutionColumn(solution, first + index + 1, each - 3);
    const head = first + index === chosen ? chosenRow(name) : [span('  '), ...name];
    return { width: each, rows: [head, ...rows.map((line) => [span('  '), ...line])] };
  });
  return [...sideBySide(columns), emptyRow, markLegend];
}

/** The code around the chosen place, its line marked; says so where it cannot be shown. */
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
    return [...head, ...wrapped(text, { width, tone: 'warn' })];
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
      return number === place.line ? chosenRow(line) : [span('  '), ...line];
    }),
  ];
}

/** What the agents agree on and what not, with how the score came about. */
function agreementRows({ synthesis }: Offered, width: number): readonly Row[] {
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const { score, reasons } = synthesis.convergence;
  const silent = synthesis.unanswered.map(({ agent, reason }) => `${agent}: ${reason}`);
  const list = (title: string, texts: readonly string[], mark: string) =>
    titled(title, bulleted(texts, { mark, width, indent: 2 }));
  return [
    row(span('Convergence ', 'strong'), span(bar(score))),
    ...reasons.flatMap((reason) => wrapped(reason, { width, indent: 2, tone: 'quiet' })),
    ...list('Agreed', agreements, marks.done),
    ...list('Not agreed', disagreements, marks.failed),
    ...list('Resolution', resolution === '' ? [] : [resolution], ' '),
    ...list('Did not answer', silent, marks.warning),
    ...list('Notes', synthesis.notes, marks.bullet),
  ];
}

/** What cancelling means. */
function cancelRows(width: number): readonly Row[] {
  const text =
    'No plan is made. Everything the agents said is saved, and "conclave resume" asks for the decision again.';
  return [
    row(span('Cancel and keep the session?', 'strong')),
    emptyRow,
    ...wrapped(text, { width }),
  ];
}
