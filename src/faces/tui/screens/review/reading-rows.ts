// Shows who read the plan besides its author, and each of their findings with its fate.
import { hasFoundEvidence } from '../../../../model/found-evidence.ts';
import type { PlanReading, ReadFinding } from '../../../../model/plan-reading.ts';
import { readingText } from '../../../../model/reading-summary.ts';
import { listed } from '../../../../model/wording.ts';
import { type Row, emptyRow, row, span, wrapText } from '../../screen-rows.ts';
import { marks } from '../../theme.ts';
import type { ReviewState } from './review-state.ts';

/** A few words for the overview; `waitsFor` are the agents that are reading the plan now. */
export function readersText(
  { readers, unread, findings }: PlanReading,
  waitsFor: readonly string[],
): string {
  if (waitsFor.length > 0) {
    const isOne = waitsFor.length === 1;
    const now = `${listed(waitsFor)} ${isOne ? 'is' : 'are'} reading the plan…`;
    const names = readers.map(({ agent }) => agent);
    return `${marks.now} ${names.length === 0 ? '' : `${listed(names)}: ${readingText(findings)}; `}${now}`;
  }
  if (readers.length === 0) return `${marks.later} not yet read by others: ${unread}`;
  const isOpen = findings.some(({ fate }) => fate === 'open');
  const who = listed(readers.map(({ agent }) => agent));
  return `${isOpen ? marks.warning : marks.done} ${who}: ${readingText(findings)}`;
}

/** Each finding with its suggestion and the reply; below them, what went wrong. */
export function readingRows(
  { desk: { reading }, waitsFor }: Pick<ReviewState, 'desk' | 'waitsFor'>,
  width: number,
): readonly Row[] {
  if (reading === null) return [];
  const { findings, notes } = reading;
  return [
    emptyRow,
    ...wrapText(`Readers: ${readersText(reading, waitsFor)}`, { width, tone: 'quiet' }),
    ...findings.flatMap((finding) => findingRows(finding, width)),
    ...(waitsFor.length > 0 ? [] : notes).flatMap((note) =>
      wrapText(note, { width, tone: 'quiet' }),
    ),
  ];
}

function findingRows(finding: ReadFinding, width: number): readonly Row[] {
  const { severity, fate, agent, task, problem, suggestion, reply, evidence } = finding;
  const tone = fate === 'open' ? (severity === 'blocking' ? 'bad' : 'warn') : 'quiet';
  const indent = { width, indent: 2 } as const;
  const place = evidence.map(({ path, line, found_line: found }) => `${path}:${found ?? line}`);
  const shown = hasFoundEvidence(finding) ? `, ${place[0]}` : ', evidence not found';
  return [
    emptyRow,
    row(
      span(`${fateMarks[fate]} ${severity}, ${fate}  `, tone),
      span(`${task ?? 'the plan'}, by ${agent}${shown}`),
    ),
    ...wrapText(problem, indent),
    ...wrapText(`Suggestion: ${suggestion}`, { ...indent, tone: 'quiet' }),
    ...(reply === '' ? [] : wrapText(`Reply: ${reply}`, indent)),
  ];
}

const fateMarks: Readonly<Record<ReadFinding['fate'], string>> = {
  open: marks.warning,
  fixed: marks.done,
  refused: marks.later,
};
