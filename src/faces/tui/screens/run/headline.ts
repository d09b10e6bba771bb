import { phases } from '../../../../model/phase.ts';
import { counted } from '../../../../model/wording.ts';
import type { Progress, RoundProgress } from '../../progress/progress.ts';
import { type Row, cutTo, row, span } from '../../rows.ts';
import type { Tone } from '../../theme.ts';

/** One row: which round or what of planning it is, and what is known of it. */
export function headlineRow(progress: Progress, width: number): Row {
  const parts = partsOf(progress);
  return cutTo(
    parts.flatMap(([text, tone], at) =>
      at === 0 ? row(span(text, tone)) : row(span(' · ', 'quiet'), span(text, tone)),
    ),
    width,
  );
}

type Part = readonly [text: string, tone: Tone];

function partsOf(progress: Progress): readonly Part[] {
  const { phase } = progress;
  if (phase === 'discussion' || phase === 'options' || phase === 'decision') {
    return roundParts(progress);
  }
  const title: Part = [phaseTitle(phase), 'strong'];
  if (phase === 'context') return [title, ...contextParts(progress)];
  if (phase === 'planning' || phase === 'plan-review') return [title, ...planParts(progress)];
  return [title];
}

function phaseTitle(phase: Progress['phase']): string {
  const label = phases.find(({ name }) => name === phase)?.label ?? 'starting';
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function roundParts({ rounds }: Progress): readonly Part[] {
  const now = rounds.at(-1);
  if (now === undefined) return [['Discussion', 'strong']];
  const seats = `${counted(now.seats.length, 'agent')}${modeText(now)}`;
  return [
    [`Round ${now.round} of ${now.maxRounds}`, 'strong'],
    [seats, 'plain'],
    ...scoreParts(rounds),
  ];
}

function modeText({ mode, seats }: RoundProgress): string {
  if (seats.length < 2) return '';
  return mode === 'parallel' ? ' at the same time' : ' one after the other';
}

function scoreParts(rounds: readonly RoundProgress[]): readonly Part[] {
  const scores = rounds.flatMap(({ result }) => (result === null ? [] : result.score.toFixed(2)));
  const last = rounds.findLast(({ result }) => result !== null)?.result;
  if (last === undefined || last === null) return [];
  return [
    [`score ${scores.join(' → ')}`, 'accent'],
    [`${last.agreed.length} agreed`, 'plain'],
    [`${last.disagreed.length} open`, 'plain'],
  ];
}

function contextParts({ context }: Progress): readonly Part[] {
  if (context === null) return [];
  const found: Part = [`${counted(context.files.length, 'file')} by ${context.provider}`, 'plain'];
  return context.reason === null ? [found] : [found, [`degraded: ${context.reason}`, 'warn']];
}

function planParts({ plan }: Progress): readonly Part[] {
  if (plan === null) return [];
  const by = plan.source === 'derived' ? 'derived from the solution' : `by ${plan.source}`;
  const written: Part = [`${counted(plan.titles.length, 'task')} ${by}`, 'plain'];
  if (plan.findings === null) return [written, ['plan check…', 'quiet']];
  const { findings, blocking } = plan;
  if (findings.length === 0) return [written, ['plan check: nothing found', 'good']];
  const warnings = counted(findings.length - blocking, 'warning');
  const tone = blocking > 0 ? 'bad' : 'warn';
  return [written, [`plan check: ${blocking} blocking, ${warnings}`, tone]];
}
