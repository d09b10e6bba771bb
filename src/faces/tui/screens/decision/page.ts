// Shows options side by side, one in full, agreement, and the code around a place.
import {
  type AffectedFile,
  type CheckedClaim,
  ReferenceStatus,
  type Solution,
  type Synthesis,
  isDraft,
  referenceWords,
} from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import {
  differencesOf,
  failedReferences,
  missingText,
  opinionText,
  opinionsOn,
  tallyOf,
  versionTexts,
} from '../../../../phases/opinions.ts';
import type { Opinion } from '../../../../model/opinion.ts';
import { assumedText, replyTexts } from '../../../../phases/options.ts';
import { noModelText } from '../../../../phases/discussion/seats.ts';
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
} from '../../rows.ts';
import type { QuestionStage } from '../../state.ts';
import { type Tone, marks } from '../../theme.ts';
import { referencesOf, type DecisionState } from './state.ts';

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

/** The state of the discussion, with its uncertain points and the agents that did not answer. */
function headRows(
  { synthesis, uncertainty, questions, canDiscuss, asked }: Offered,
  { constraints }: DecisionState,
  width: number,
): readonly Row[] {
  const { agreements, disagreements } = synthesis.cross_verification;
  const { score, recommendation } = synthesis.convergence;
  const isAgreed = recommendation === 'converged';
  const missing = missingText(synthesis);
  const hidden = synthesis.solutions.length - columnsIn(width);
  const warning = { width, tone: 'warn' } as const;
  return [
    row(
      span(`Round ${synthesis.round}: `, 'quiet'),
      span(bar(score), isAgreed ? 'good' : 'warn'),
      // Questions that the agents asked are behind it.
      span(
        ` ${agreementText(isAgreed ? 'converged' : 'continue')} · ${agreements.length} agreed`,
        'quiet',
      ),
      span(` · ${disagreements.length} open`, disagreements.length > 0 ? 'warn' : 'quiet'),
    ),
    ...(hidden > 0 ? [row(span(`${counted(hidden, 'more option')}: ← →`, 'accent'))] : []),
    ...(uncertainty === null ? [] : wrapText(uncertainty, warning)),
    ...(missing === null || uncertainty !== null ? [] : wrapText(missing, warning)),
    ...(asked === null ? [] : askedRows(asked, synthesis, width)),
    ...questions.flatMap((text) => [
      ...wrapText(`? still open: ${text}`, warning),
      ...assumedRows(assumedText(text, synthesis), width),
    ]),
    ...(canDiscuss ? [] : wrapText(noModelText, { width, tone: 'quiet' })),
    ...constraints.flatMap((text) => wrapText(`${marks.bullet} keep to: ${text}`, { width })),
    emptyRow,
  ];
}

function assumedRows(text: string, width: number): readonly Row[] {
  return text === '' ? [] : wrapText(text, { width, indent: 4, tone: 'quiet' });
}

/** What the user asked, and the answers of the agents. */
function askedRows(asked: string, synthesis: Synthesis, width: number): readonly Row[] {
  const replies = replyTexts(synthesis);
  const none = ['Nobody answered in words; what they hold of the options is below.'];
  return [
    ...wrapText(`You asked: ${asked}`, { width, tone: 'accent' }),
    ...bulletTexts(replies.length === 0 ? none : replies, { mark: marks.bullet, width, indent: 2 }),
  ];
}

/** The narrowest column in which a solution can be read. */
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

/** Agreements and disagreements of the agents, with the parts of the score. */
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

/** Marks for the outcome of a reference in the check, which say it also without colours. */
const referenceMarks: Readonly<Record<ReferenceStatus, readonly [string, Tone]>> = {
  verified: [marks.done, 'good'],
  moved: [marks.moved, 'warn'],
  planned: [marks.planned, 'accent'],
  failed: [marks.failed, 'bad'],
};

/** The legend of the marks, for below the columns. */
const markLegend: Row = ReferenceStatus.options.flatMap((status) => {
  const [mark, tone] = referenceMarks[status];
  return [span(mark, tone), span(` ${referenceWords[status]}   `, 'quiet')];
});

interface ShownSolution {
  readonly solution: Solution;
  readonly synthesis: Synthesis;
  readonly number: number;
}

/** One solution in one column: what is needed to compare it with the one beside it. */
function solutionColumn(shown: ShownSolution, width: number): readonly Row[] {
  const { solution } = shown;
  return [
    ...shortRows(shown, width),
    ...apart(opinionRows(shown, { width, most: 1 })),
    ...apart(failedRows(solution, width)),
    ...apart(solution.affected_files.filter(({ status }) => status !== 'failed').map(placeRow)),
  ];
}

function apart(rows: readonly Row[]): readonly Row[] {
  return rows.length === 0 ? [] : [emptyRow, ...rows];
}

const opinionTones: Readonly<Record<Opinion['kind'], Tone>> = {
  for: 'good',
  against: 'bad',
  unsure: 'warn',
  change: 'warn',
  adopted: 'accent',
};

/** Who is for it and against it, and why; of each at most so many reasons. */
function opinionRows(
  { solution, synthesis }: ShownSolution,
  { width, most }: { readonly width: number; readonly most: number },
): readonly Row[] {
  const opinions = opinionsOn(solution, synthesis);
  // Who is for it without a word stands in the tally.
  const told = opinions.filter(({ reasons, no_vote }) => reasons.length > 0 || no_vote !== null);
  return told.flatMap((one) => {
    const tone = one.no_vote === null && one.state !== 'met' ? opinionTones[one.kind] : 'quiet';
    return bulletTexts([opinionText(one, most)], { mark: marks.bullet, tone, width });
  });
}

/** References that the check did not find, with the reason. */
function failedRows(solution: Solution, width: number): readonly Row[] {
  return bulletTexts(failedReferences(solution), { mark: marks.failed, tone: 'bad', width });
}

/** Everything that is known of one solution; its places in the code can be chosen. */
function solutionDetail(shown: ShownSolution, width: number): readonly ItemRow[] {
  const { solution, synthesis } = shown;
  const { implementation_plan: plan, technical_concerns: concerns } = solution;
  const list = { width, indent: 2 };
  const tasks = plan.tasks.flatMap(({ id, name, depends_on: needs }) =>
    wrapText(`${id} ${name}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}`, list),
  );
  const others = [...differencesOf(solution, synthesis), ...versionTexts(solution)];
  const head = [
    ...shortRows(shown, width),
    ...withTitle('Said of it', opinionRows(shown, { width, most: Infinity })),
    ...withTitle('Other versions', bulletTexts(others, { mark: marks.bullet, ...list })),
    ...withTitle('Not found by the check', failedRows(solution, width)),
    ...withTitle('Approach', wrapText(plan.approach, list)),
    ...withTitle('Tasks', tasks),
    ...withTitle('Concerns', bulletTexts(concerns, { mark: marks.bullet, ...list })),
  ];
  const references = [
    ...solution.affected_files.map((file) => [
      row(...placeRow(file), span(`, ${referenceWords[file.status]}`, 'quiet')),
    ]),
    ...solution.claims.map((claim) => claimRows(claim, width)),
  ];
  return [
    ...rowsOfItem(null, [...head, emptyRow, row(span('Code references', 'strong'))]),
    ...references.flatMap((rows, index) => rowsOfItem(index, rows)),
  ];
}

/** A bar of ten cells and the number: `███████░░░ 0.72`. */
function bar(share: number): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${share.toFixed(2)}`;
}

/** A solution in short: its summary, its rating, its pros and cons. */
function shortRows({ solution, synthesis, number }: ShownSolution, width: number): readonly Row[] {
  const { name, summary, source_cli: authors, feasibility, effort, risk, pros, cons } = solution;
  const rating = isDraft(solution)
    ? 'a draft by rules, which nobody rated'
    : `feasible ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
  return [
    ...wrapText(`${number}. ${name}`, { width }),
    ...wrapText(`from ${authors.join(', ')}`, { width, tone: 'quiet' }),
    ...wrapText(rating, { width, tone: 'quiet' }),
    ...tallyRows({ solution, synthesis }, width),
    emptyRow,
    ...wrapText(summary, { width }),
    emptyRow,
    ...bulletTexts(pros, { mark: '+', tone: 'good', width }),
    ...bulletTexts(cons, { mark: '-', tone: 'warn', width }),
  ];
}

/** Who is for it and against it, and how many references failed. */
function tallyRows(
  { solution, synthesis }: Omit<ShownSolution, 'number'>,
  width: number,
): readonly Row[] {
  const tally = tallyOf(opinionsOn(solution, synthesis));
  const failed = failedReferences(solution).length;
  return [
    ...tally.flatMap(({ kind, text }) => wrapText(text, { width, tone: tallyTones[kind] })),
    ...(failed === 0
      ? []
      : wrapText(`${marks.failed} ${counted(failed, 'reference')} failed the check`, {
          width,
          tone: 'bad',
        })),
  ];
}

const tallyTones = { ...opinionTones, 'no-vote': 'quiet' } as const;

/** Short: the mark says what the check found. */
function placeRow({ file, line, action, status }: AffectedFile): Row {
  const [mark, tone] = referenceMarks[status];
  const place = `${file}${line === null ? '' : `:${line}`}`;
  return row(span(`${mark} `, tone), fileSpan(file, place), span(` ${action}`, 'quiet'));
}

function claimRows(claim: CheckedClaim, width: number): readonly Row[] {
  const [mark, tone] = referenceMarks[claim.status];
  const { inside } = claim;
  const note = claim.note === '' ? '' : ` (${claim.note})`;
  return [
    row(
      span(`${mark} `, tone),
      fileSpan(claim.path, `${claim.path}:${claim.found_line ?? claim.line}`),
      span(
        ` ${claim.agent}, ${referenceWords[claim.status]}${inside === undefined ? '' : ` in ${inside}`}`,
        'quiet',
      ),
    ),
    ...wrapText(`${claim.statement}${note}`, { width, indent: 4, tone: 'quiet' }),
  ];
}
