// Shows an option: in a column next to the others, or in full with its places in the code.
import type { Opinion } from '../../../../model/option.ts';
import {
  type AffectedFile,
  type CheckedClaim,
  ReferenceStatus,
  type Solution,
  type Synthesis,
  isDraft,
  unratedText,
  referenceWords,
} from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import {
  differencesOf,
  faultyReferences,
  opinionText,
  opinionsOn,
  tallyOf,
  versionTexts,
} from '../../../../phases/opinions.ts';
import { type ItemRow, rowsOfItem } from '../../list-page.ts';
import {
  type Row,
  bulletTexts,
  emptyRow,
  fileSpan,
  row,
  span,
  withTitle,
  wrapText,
} from '../../screen-rows.ts';
import { type Tone, marks } from '../../theme.ts';

/** Marks for how a reference fared in the check, readable also without colours. */
const referenceMarks: Readonly<Record<ReferenceStatus, readonly [string, Tone]>> = {
  verified: [marks.done, 'good'],
  moved: [marks.moved, 'warn'],
  planned: [marks.planned, 'accent'],
  failed: [marks.failed, 'bad'],
};

/** The legend of the marks, shown below the columns. */
export const markLegend: Row = ReferenceStatus.options.flatMap((status) => {
  const [mark, tone] = referenceMarks[status];
  return [span(mark, tone), span(` ${referenceWords[status]}   `, 'quiet')];
});

export interface ShownSolution {
  readonly solution: Solution;
  readonly synthesis: Synthesis;
  readonly number: number;
}

/** Draws a solution as a column, for comparison with the next one. */
export function solutionColumn(shown: ShownSolution, width: number): readonly Row[] {
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

/** The opinions for and against it, each with a limited number of reasons. */
function opinionRows(
  { solution, synthesis }: ShownSolution,
  { width, most }: { readonly width: number; readonly most: number },
): readonly Row[] {
  const opinions = opinionsOn(solution, synthesis);
  // The tally names supporters who gave no reason.
  const told = opinions.filter(({ reasons, no_vote }) => reasons.length > 0 || no_vote !== null);
  return told.flatMap((one) => {
    const tone =
      one.no_vote === null && one.state !== 'met' && one.state !== 'withdrawn'
        ? opinionTones[one.kind]
        : 'quiet';
    return bulletTexts([opinionText(one, most)], { mark: marks.bullet, tone, width });
  });
}

/** References that the check did not find, with the reason. */
function failedRows(solution: Solution, width: number): readonly Row[] {
  return bulletTexts(faultyReferences(solution), { mark: marks.failed, tone: 'bad', width });
}

/** Everything that is known of a solution; its places in the code can be chosen. */
export function solutionDetail(shown: ShownSolution, width: number): readonly ItemRow[] {
  const { solution, synthesis } = shown;
  const { implementation_plan: plan, technical_concerns: concerns } = solution;
  const list = { width, indent: 2 };
  const tasks = plan.tasks.flatMap(({ id, name, depends_on: needs }) =>
    wrapText(`${id} ${name}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}`, list),
  );
  const others = [...differencesOf(solution, synthesis), ...versionTexts(solution)];
  const head = [
    ...shortRows(shown, width),
    ...withTitle('What the agents say', opinionRows(shown, { width, most: Infinity })),
    ...withTitle('Other versions', bulletTexts(others, { mark: marks.bullet, ...list })),
    ...withTitle('Failed the check', failedRows(solution, width)),
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

/** A solution in short: its summary, its rating, its pros and cons. */
function shortRows({ solution, synthesis, number }: ShownSolution, width: number): readonly Row[] {
  const { name, summary, source_cli: authors, feasibility, effort, risk, pros, cons } = solution;
  const rating =
    unratedText(solution, isDraft(solution)) ??
    `feasible ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
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

/** The tally of the opinions, and of the references that failed. */
function tallyRows(
  { solution, synthesis }: Omit<ShownSolution, 'number'>,
  width: number,
): readonly Row[] {
  const tally = tallyOf(opinionsOn(solution, synthesis));
  const failed = faultyReferences(solution).length;
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

/** A file in short form: the mark says what the check found. */
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
