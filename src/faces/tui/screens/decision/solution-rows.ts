import {
  type AffectedFile,
  type CheckedClaim,
  type HeldStance,
  type ReferenceStatus,
  type Solution,
  isDraft,
} from '../../../../model/synthesis.ts';
import { type ItemRow, ofItem } from '../../list-page.ts';
import { type Row, bulleted, emptyRow, fileSpan, row, span, titled, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';

/** What became of a reference in the check, as a mark that says it also without colours. */
const referenceMarks: Readonly<Record<ReferenceStatus, readonly [string, Tone]>> = {
  verified: [marks.done, 'good'],
  moved: [marks.moved, 'warn'],
  planned: [marks.planned, 'accent'],
  failed: [marks.failed, 'bad'],
};

/** What the marks mean, for below the columns. */
export const markLegend: Row = Object.entries(referenceMarks).flatMap(([status, [mark, tone]]) => [
  span(mark, tone),
  span(` ${status}   `, 'quiet'),
]);

/** One solution in one column: what is needed to compare it with the one beside it. */
export function solutionColumn(solution: Solution, number: number, width: number): readonly Row[] {
  return [
    ...shortRows(solution, number, width),
    emptyRow,
    ...solution.affected_files.map(placeRow),
    ...(solution.stances.length === 0 ? [] : [emptyRow, ...solution.stances.map(stanceRow)]),
  ];
}

/** Everything that is known of one solution; its places in the code can be chosen. */
export function solutionDetail(
  solution: Solution,
  number: number,
  width: number,
): readonly ItemRow[] {
  const { implementation_plan: plan, technical_concerns: concerns } = solution;
  const list = { width, indent: 2 };
  const tasks = plan.tasks.flatMap(({ id, name, depends_on: needs }) =>
    wrapped(`${id} ${name}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}`, list),
  );
  const stances = solution.stances.flatMap((held) => [
    [span('  '), ...stanceRow(held)],
    ...held.reasons.flatMap((text) => wrapped(text, { width, indent: 6, tone: 'quiet' })),
  ]);
  const head = [
    ...shortRows(solution, number, width),
    ...titled('Approach', wrapped(plan.approach, list)),
    ...titled('Tasks', tasks),
    ...titled('Concerns', bulleted(concerns, { mark: marks.bullet, ...list })),
    ...titled('Stances', stances),
  ];
  const references = [
    ...solution.affected_files.map((file) => [
      row(...placeRow(file), span(`, ${file.status}`, 'quiet')),
    ]),
    ...solution.claims.map((claim) => claimRows(claim, width)),
  ];
  return [
    ...ofItem(null, [...head, emptyRow, row(span('Code references', 'strong'))]),
    ...references.flatMap((rows, index) => ofItem(index, rows)),
  ];
}

/** A bar of ten cells and the number: `███████░░░ 0.72`. */
export function bar(share: number): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${share.toFixed(2)}`;
}

/** What it is, how it is rated, and what speaks for and against it. */
function shortRows(solution: Solution, number: number, width: number): readonly Row[] {
  const { name, summary, source_cli: authors, feasibility, effort, risk, pros, cons } = solution;
  const rating = isDraft(solution)
    ? 'a draft by rules, which nobody rated'
    : `feasible ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
  return [
    ...wrapped(`${number}. ${name}`, { width }),
    ...wrapped(`from ${authors.join(', ')}`, { width, tone: 'quiet' }),
    ...wrapped(rating, { width, tone: 'quiet' }),
    emptyRow,
    ...wrapped(summary, { width }),
    emptyRow,
    ...bulleted(pros, { mark: '+', tone: 'good', width }),
    ...bulleted(cons, { mark: '-', tone: 'warn', width }),
  ];
}

/** Short: the mark says what the check found. */
function placeRow({ file, line, action, status }: AffectedFile): Row {
  const [mark, tone] = referenceMarks[status];
  const place = `${file}${line === null ? '' : `:${line}`}`;
  return row(span(`${mark} `, tone), fileSpan(file, place), span(` ${action}`, 'quiet'));
}

function claimRows(claim: CheckedClaim, width: number): readonly Row[] {
  const [mark, tone] = referenceMarks[claim.status];
  const note = claim.note === '' ? '' : ` (${claim.note})`;
  return [
    row(
      span(`${mark} `, tone),
      fileSpan(claim.path, `${claim.path}:${claim.found_line ?? claim.line}`),
      span(` ${claim.agent}, ${claim.status}`, 'quiet'),
    ),
    ...wrapped(`${claim.statement}${note}`, { width, indent: 4, tone: 'quiet' }),
  ];
}

const stanceTones = { support: 'good', oppose: 'bad', unsure: 'warn' } as const;
const stanceMarks = { support: marks.done, oppose: marks.failed, unsure: '?' } as const;

function stanceRow({ agent, stance }: HeldStance): Row {
  const verb = { support: 'supports it', oppose: 'opposes it', unsure: 'is unsure' }[stance];
  return row(span(`${stanceMarks[stance]} `, stanceTones[stance]), span(`${agent} ${verb}`));
}
