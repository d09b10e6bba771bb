import { counted } from '../../../../model/wording.ts';
import { agreementText, roundCounts } from '../../../short-forms.ts';
import type { Pane, Progress, RoundProgress } from '../../progress/progress.ts';
import { type Row, bulleted, emptyRow, row, span, wrapped } from '../../rows.ts';
import type { Tone } from '../../theme.ts';
import { paneHead } from './pane-rows.ts';
import type { Sheet } from './state.ts';
import { tailRows } from './tail-rows.ts';
import { taskPage } from './tasks.ts';

const barWidth = 20;

/** A page over the panes: rows that stay, and rows that are scrolled. */
interface SheetRows {
  readonly head: readonly Row[];
  readonly body: readonly Row[];
}

export function sheetRows(shown: {
  readonly sheet: Sheet;
  readonly progress: Progress;
  readonly chosen: Pane | null;
  readonly now: number;
  readonly width: number;
}): SheetRows {
  const { sheet, progress, chosen, now, width } = shown;
  switch (sheet) {
    case 'agent':
      return chosen === null
        ? { head: [], body: [] }
        : {
            head: paneHead(chosen, { now, width, isChosen: true }),
            body: tailRows(chosen.tail, width),
          };
    case 'task':
      return { head: [], body: taskPage(progress, chosen?.task ?? null, width) };
    case 'rounds':
      return titled('Rounds', roundsRows(progress, width), 'No round has begun yet.');
    case 'notes':
      return titled('Notes', noteRows(progress, width), 'Nothing has gone wrong so far.');
    case 'context':
      return titled('Files for this task', contextRows(progress, width), 'Still searching.');
  }
}

function titled(title: string, rows: readonly Row[], none: string): SheetRows {
  const body = rows.length === 0 ? [emptyRow, row(span(none, 'quiet'))] : rows;
  return { head: [], body: [row(span(title, 'strong')), ...body] };
}

function roundsRows({ rounds, panes }: Progress, width: number): readonly Row[] {
  return rounds.flatMap((round, at) => {
    const before = rounds[at - 1]?.result ?? null;
    const answered = panes
      .filter(({ group, state }) => group === `round-${round.opened.round}` && state === 'answered')
      .map(({ agent }) => agent);
    return [emptyRow, ...roundRows(round, { before, answered, width })];
  });
}

function roundRows(
  { opened: { round, max_rounds: most, seats }, result }: RoundProgress,
  {
    before,
    answered,
    width,
  }: {
    readonly before: RoundProgress['result'];
    readonly answered: readonly string[];
    readonly width: number;
  },
): readonly Row[] {
  const name = span(`Round ${round} of ${most}  `, 'strong');
  if (result === null) return [row(name, span(`in progress: ${seats.join(', ')}`, 'quiet'))];
  const { score, recommendation } = result;
  const delta = before === null ? '' : ` (${signed(score - before.score)})`;
  const list = (title: string, texts: readonly string[], [mark, tone]: readonly [string, Tone]) =>
    texts.length === 0
      ? []
      : [
          row(span(`  ${title}`, 'quiet')),
          ...bulleted(texts, { mark, width, tone, textTone: tone, indent: 4 }),
        ];
  return [
    row(
      name,
      span(bar(score), 'accent'),
      span(` ${score.toFixed(2)}${delta}  `),
      span(agreementText(recommendation), 'quiet'),
    ),
    ...wrapped(`by ${answered.join(', ')}; ${roundCounts(result)}`, {
      width,
      tone: 'quiet',
      indent: 2,
    }),
    ...list('solutions', result.names, ['•', 'plain']),
    ...list('new', result.new_solutions, ['+', 'good']),
    ...list('revised', result.revised_solutions, ['~', 'accent']),
    ...list('dropped', result.dropped_solutions, ['-', 'warn']),
    ...list('agreed', result.agreed, ['=', 'good']),
    ...list('disagreed', result.disagreed, ['≠', 'warn']),
  ];
}

function bar(score: number): string {
  const full = Math.round(score * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

function signed(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}`;
}

function noteRows({ notes }: Progress, width: number): readonly Row[] {
  return notes.flatMap(({ group, text, tone }, at) => [
    ...(at > 0 && notes[at - 1]?.group === group
      ? []
      : [emptyRow, row(span((group ?? 'session').replaceAll('-', ' '), 'quiet'))]),
    ...wrapped(text, { width, tone, indent: 2 }),
  ]);
}

function contextRows({ context }: Progress, width: number): readonly Row[] {
  if (context === null) return [];
  const { files, provider, reason } = context;
  return [
    emptyRow,
    ...wrapped(`${counted(files.length, 'file')} by ${provider}, best first`, {
      width,
      tone: 'quiet',
    }),
    ...(reason === null ? [] : wrapped(`! degraded: ${reason}`, { width, tone: 'warn' })),
    emptyRow,
    ...files.flatMap((file) => wrapped(file, { width, indent: 2 })),
  ];
}
