import { phases } from '../../model/phase.ts';
import { clockTime } from '../short-forms.ts';
import type { Progress } from './progress/progress.ts';
import { spentSoFar } from './progress/spent.ts';
import { type Row, cutTo, fitted, row, span, widthOf } from './rows.ts';
import { spentText } from './spent-text.ts';
import { marks } from './theme.ts';

/** Three lines: what is planned, how far it is, and a rule. */
export function headerRows(shown: {
  readonly progress: Progress;
  readonly now: number;
  readonly width: number;
}): readonly Row[] {
  const { progress, width } = shown;
  return [titleRow(shown), phaseRow(progress, width), row(span('─'.repeat(width), 'quiet'))];
}

function titleRow({
  progress,
  now,
  width,
}: {
  readonly progress: Progress;
  readonly now: number;
  readonly width: number;
}): Row {
  const { startedAt, task } = progress;
  const clock = startedAt === null ? '' : clockTime(now - startedAt);
  const facts = [spentText(spentSoFar(progress)), clock].filter(Boolean).join(' · ');
  const right = row(span(facts, 'quiet'));
  const left = row(span('conclave', 'strong'), span(task === '' ? '' : `  ${task}`));
  const room = Math.max(0, width - widthOf(right) - 1);
  return [...fitted(cutTo(left, room), room + 1), ...right];
}

function phaseRow({ phase, end }: Progress, width: number): Row {
  const at = phases.findIndex(({ name }) => name === phase);
  const compact = width < 100;
  return phases.flatMap(({ label }, index): Row => {
    const isDone = index < at;
    // An approved plan is handed on to execution, which has not begun.
    const isNow = index === at && end?.approved !== true;
    const mark = isDone ? marks.done : isNow ? marks.now : marks.later;
    const tone = isDone ? 'good' : isNow ? 'accent' : 'quiet';
    const gap = index === 0 ? '' : compact ? ' ' : '  ';
    return [{ text: gap, tone: 'plain' }, span(`${mark}${compact ? '' : ' '}${label}`, tone)];
  });
}
