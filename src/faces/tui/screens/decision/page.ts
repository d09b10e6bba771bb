import type { Synthesis } from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import { agreementText } from '../../../short-forms.ts';
import { modelNeeded } from '../../../../phases/discussion/seats.ts';
import type { CodeAround, CodePlace } from '../../ports.ts';
import {
  bulleted,
  emptyRow,
  row,
  sideBySide,
  span,
  type Row,
  scrolledTo,
  wrapped,
} from '../../rows.ts';
import { marks } from '../../theme.ts';
import { bar, markLegend, solutionColumn, solutionDetail } from './solution-rows.ts';
import { referencesOf, type DecisionState } from './state.ts';

/** A page as it is drawn, and how its keys move in it. */
export interface Page {
  readonly rows: readonly Row[];
  readonly mostScroll: number;
  /** Rows that are scrolled. */
  readonly height: number;
  /** The row of a reference; only the page of details has them. */
  readonly rowOf: (reference: number) => number;
}

/** The page that is open. */
export function decisionPage(offered: Offered, state: DecisionState, room: Room): Page {
  const { width, height } = room;
  switch (state.page) {
    case 'options':
      return optionRows(offered, state, room);
    case 'detail':
      return detailPage(offered, state, room);
    case 'code': {
      const place = referencesOf(offered.synthesis, state.chosen)[state.reference];
      return place === undefined ? scrolled([], 0, height) : codePage(place, state, room);
    }
    case 'agreement':
      return scrolled(agreementRows(offered, width), state.scroll, height);
    case 'cancel':
      return scrolled(cancelRows(width), state.scroll, height);
    case 'more':
    case 'constraint':
      return scrolled([], 0, height);
  }
}

function detailPage({ synthesis }: Offered, state: DecisionState, { width, height }: Room): Page {
  const solution = synthesis.solutions[state.chosen];
  if (solution === undefined) return scrolled([], state.scroll, height);
  const detailOf = (picked: number) =>
    solutionDetail(solution, { number: state.chosen + 1, width, picked });
  return {
    ...scrolled(detailOf(state.reference).rows, state.scroll, height),
    rowOf: (reference) => detailOf(reference).pickedRow,
  };
}

interface Room {
  readonly width: number;
  readonly height: number;
}

interface Offered {
  readonly synthesis: Synthesis;
  readonly uncertainty: string | null;
  /** What agents asked and nobody answered. */
  readonly questions: readonly string[];
  readonly canDiscuss: boolean;
}

/** The narrowest column in which a solution can be read. */
const narrowest = 38;
/** Rows that the sentence on what is uncertain may take. */
const mostUncertain = 3;

/** The solutions side by side, with what is uncertain above them. */
function optionRows(offered: Offered, state: DecisionState, room: Room): Page {
  const head = headRows(offered, state, room.width);
  const columns = columnsOf(offered.synthesis, state, room.width);
  const shown = scrolled(columns, state.scroll, Math.max(1, room.height - head.length));
  return { ...shown, rows: [...head, ...shown.rows] };
}

function scrolled(rows: readonly Row[], scroll: number, height: number): Page {
  const mostScroll = Math.max(0, rows.length - height);
  return {
    rows: scrolledTo(rows, Math.min(scroll, mostScroll), height),
    mostScroll,
    height,
    rowOf: () => 0,
  };
}

/** What the agents agree on and what not, with how the score came about. */
function agreementRows({ synthesis }: Offered, width: number): readonly Row[] {
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const { score, reasons } = synthesis.convergence;
  return [
    row(span('Convergence ', 'strong'), span(bar(score))),
    ...reasons.flatMap((reason) => wrapped(reason, { width, indent: 2, tone: 'quiet' })),
    ...list('Agreed', agreements, { width, mark: marks.done }),
    ...list('Not agreed', disagreements, { width, mark: marks.failed }),
    ...(resolution === '' ? [] : list('Resolution', [resolution], { width, mark: ' ' })),
    ...list(
      'Did not answer',
      synthesis.unanswered.map(({ agent, reason }) => `${agent}: ${reason}`),
      { width, mark: marks.warning },
    ),
    ...list('Notes', synthesis.notes, { width, mark: marks.bullet }),
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

function headRows(
  { synthesis, uncertainty, questions, canDiscuss }: Offered,
  { constraints }: DecisionState,
  width: number,
): readonly Row[] {
  const { agreements, disagreements } = synthesis.cross_verification;
  const { score, recommendation } = synthesis.convergence;
  const facts = row(
    span(`Round ${synthesis.round}: `, 'quiet'),
    span(bar(score), recommendation === 'converged' ? 'good' : 'warn'),
    span(` ${agreementText(recommendation)} · ${agreements.length} agreed`, 'quiet'),
    span(` · ${disagreements.length} open`, disagreements.length > 0 ? 'warn' : 'quiet'),
  );
  const doubts = uncertainty === null ? [] : wrapped(uncertainty, { width, tone: 'warn' });
  const shown = doubts.slice(0, mostUncertain);
  const cutOff = doubts.length > mostUncertain ? [row(span('… press a for all', 'quiet'))] : [];
  const alone = canDiscuss ? [] : wrapped(modelNeeded, { width, tone: 'quiet' });
  const open = questions.flatMap((text) =>
    wrapped(`? still open: ${text}`, { width, tone: 'warn' }),
  );
  const hidden = synthesis.solutions.length - columnsIn(width);
  const more = hidden > 0 ? [row(span(`${counted(hidden, 'more option')}: ← →`, 'accent'))] : [];
  const kept = constraints.flatMap((text) => wrapped(`• keep to: ${text}`, { width }));
  return [
    facts,
    ...more,
    ...shown,
    ...cutOff,
    ...open.slice(0, mostUncertain),
    ...alone,
    ...kept,
    emptyRow,
  ];
}

function columnsOf(synthesis: Synthesis, state: DecisionState, width: number): readonly Row[] {
  const { solutions } = synthesis;
  const fit = Math.min(solutions.length, columnsIn(width));
  const first = Math.min(Math.max(0, state.chosen - fit + 1), Math.max(0, solutions.length - fit));
  const each = Math.floor((width - (fit - 1)) / fit);
  const shown = solutions.slice(first, first + fit).map((solution, index) => ({
    width: each,
    rows: solutionColumn(solution, {
      number: first + index + 1,
      width: each - 2,
      isChosen: first + index === state.chosen,
    }).map((line) => (index === 0 ? line : [span(' '), ...line])),
  }));
  return [...sideBySide(shown), emptyRow, markLegend];
}

/** How many solutions stand side by side. */
function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + 1) / (narrowest + 1)));
}

function list(
  title: string,
  texts: readonly string[],
  { width, mark }: { width: number; mark: string },
): readonly Row[] {
  if (texts.length === 0) return [];
  return [emptyRow, row(span(title, 'strong')), ...bulleted(texts, { mark, width, indent: 2 })];
}

/** The path stays above the code. */
function codePage(
  place: CodePlace,
  { code, scroll }: DecisionState,
  { width, height }: Room,
): Page {
  const path = wrapped(`${place.path}:${place.line}`, { width, tone: 'strong' });
  const linked = path.map((line) => line.map((piece) => ({ ...piece, file: place.path })));
  const head = [...linked, emptyRow];
  const shown = scrolled(codeRows(place, code), scroll, Math.max(1, height - head.length));
  return { ...shown, rows: [...head, ...shown.rows] };
}

/** The code around a place, its line marked; says so where it cannot be shown. */
function codeRows(place: CodePlace, code: CodeAround | null): readonly Row[] {
  if (code === null) return [row(span('The repository has no such text file.', 'warn'))];
  const digits = String(code.start + code.lines.length - 1).length;
  return code.lines.map((text, index) => {
    const number = code.start + index;
    const isPlace = number === place.line;
    return row(
      span(isPlace ? `${marks.chosen} ` : '  ', 'accent'),
      span(`${String(number).padStart(digits)}  `, 'quiet'),
      span(text.replaceAll('\t', '  '), isPlace ? 'strong' : 'plain'),
    );
  });
}
