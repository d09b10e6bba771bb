import {
  type AffectedFile,
  type CheckedClaim,
  type HeldStance,
  type ReferenceStatus,
  type Solution,
  isDraft,
} from '../../../../model/synthesis.ts';
import { type Row, bulleted, emptyRow, fileSpan, row, span, widthOf, wrapped } from '../../rows.ts';
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
export function solutionColumn(
  solution: Solution,
  { number, width, isChosen }: { number: number; width: number; isChosen: boolean },
): readonly Row[] {
  const tone = isChosen ? 'accent' : 'strong';
  return [
    ...bulleted([`${number}. ${solution.name}`], {
      mark: isChosen ? marks.chosen : ' ',
      width,
      tone,
      textTone: tone,
    }),
    row(span(`from ${solution.source_cli.join(', ')}`, 'quiet')),
    ...ratingRows(solution, width),
    emptyRow,
    ...wrapped(solution.summary, { width }),
    emptyRow,
    ...bulleted(solution.pros, { mark: '+', tone: 'good', width }),
    ...bulleted(solution.cons, { mark: '-', tone: 'warn', width }),
    emptyRow,
    ...solution.affected_files.map(placeRow),
    ...(solution.stances.length === 0 ? [] : [emptyRow, ...solution.stances.flatMap(stanceRow)]),
  ];
}

/** Everything that is known of one solution; the rows of its references can be picked. */
export function solutionDetail(
  solution: Solution,
  { number, width, picked }: { number: number; width: number; picked: number },
): { readonly rows: readonly Row[]; readonly pickedRow: number } {
  const plan = solution.implementation_plan;
  const head = [
    ...wrapped(`${number}. ${solution.name}`, { width, tone: 'strong' }),
    row(span(`from ${solution.source_cli.join(', ')}`, 'quiet')),
    ...ratingRows(solution, width),
    emptyRow,
    ...wrapped(solution.summary, { width }),
    ...titled('Approach', wrapped(plan.approach, { width, indent: 2 })),
    ...titled(
      'Tasks',
      plan.tasks.flatMap((task) => taskRows(task, width)),
    ),
    ...titled('Pros', bulleted(solution.pros, { mark: '+', tone: 'good', width, indent: 2 })),
    ...titled('Cons', bulleted(solution.cons, { mark: '-', tone: 'warn', width, indent: 2 })),
    ...titled(
      'Concerns',
      bulleted(solution.technical_concerns, { mark: marks.bullet, width, indent: 2 }),
    ),
    ...titled(
      'Stances',
      solution.stances.flatMap((held) => stanceRows(held, width)),
    ),
  ];
  const references = [
    ...solution.affected_files.map((file) => [fileRow(file)]),
    ...solution.claims.map((claim) => claimRows(claim, width)),
  ].map((lines, index) => withPointer(lines, index === picked));
  const listed = titled('Code references', references.flat());
  const before = references.slice(0, picked).flat().length;
  return { rows: [...head, ...listed], pickedRow: head.length + 2 + before };
}

/** A bar of ten cells and the number: `███████░░░ 0.72`. */
export function bar(share: number): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${share.toFixed(2)}`;
}

function ratingRows(solution: Solution, width: number): readonly Row[] {
  if (isDraft(solution))
    return wrapped('a draft by rules, which nobody rated', { width, tone: 'warn' });
  const { feasibility, effort, risk } = solution;
  const feasible = row(span('feasible ', 'quiet'), span(feasibility.toFixed(2)));
  const rest = row(
    span('effort ', 'quiet'),
    span(effort, effort === 'high' ? 'warn' : 'plain'),
    span(' · risk ', 'quiet'),
    span(risk, risk === 'high' ? 'bad' : 'plain'),
  );
  const line = [...feasible, span(' · ', 'quiet'), ...rest];
  return widthOf(line) <= width ? [line] : [feasible, rest];
}

function fileRow(file: AffectedFile): Row {
  return row(...placeRow(file), span(`, ${file.status}`, 'quiet'));
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

function stanceRow({ agent, stance }: HeldStance): readonly Row[] {
  const verb = { support: 'supports it', oppose: 'opposes it', unsure: 'is unsure' }[stance];
  return [row(span(`${stanceMarks[stance]} `, stanceTones[stance]), span(`${agent} ${verb}`))];
}

function stanceRows(held: HeldStance, width: number): readonly Row[] {
  return [
    ...stanceRow(held).map((line) => [span('  '), ...line]),
    ...held.reasons.flatMap((reason) => wrapped(reason, { width, indent: 6, tone: 'quiet' })),
  ];
}

function taskRows(
  task: Solution['implementation_plan']['tasks'][number],
  width: number,
): readonly Row[] {
  const after = task.depends_on.length === 0 ? '' : ` (after ${task.depends_on.join(', ')})`;
  return wrapped(`${task.id} ${task.name}${after}`, { width, indent: 2 });
}

function titled(title: string, rows: readonly Row[]): readonly Row[] {
  return rows.length === 0 ? [] : [emptyRow, row(span(title, 'strong')), ...rows];
}

function withPointer(lines: readonly Row[], isPicked: boolean): readonly Row[] {
  return lines.map((line, index) => [
    span(isPicked && index === 0 ? `${marks.chosen} ` : '  ', 'accent'),
    ...line,
  ]);
}
