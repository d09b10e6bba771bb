import { agreementText, roundCounts } from '../../../short-forms.ts';
import { counted } from '../../../../model/wording.ts';
import type { Note, Progress, RoundProgress } from '../../progress/progress.ts';
import { type Row, bulleted, emptyRow, row, span, wrapped } from '../../rows.ts';
import type { Tone } from '../../theme.ts';
import type { Sheet } from './state.ts';
import { taskSheet } from './tasks.ts';

/** Columns of the bar that shows a score. */
const barWidth = 20;

/** All rows of a page that is opened over the panes. */
export function sheetRows(
  { sheet, task }: { readonly sheet: Sheet; readonly task: string | null },
  progress: Progress,
  width: number,
): readonly Row[] {
  switch (sheet) {
    case 'task':
      return taskSheet(progress, task, width);
    case 'rounds':
      return roundsRows(progress, width);
    case 'notes':
      return notesRows(progress.notes, width);
    case 'context':
      return contextRows(progress.context, width);
  }
}

function roundsRows({ rounds, panes }: Progress, width: number): readonly Row[] {
  const title = row(span('Rounds', 'strong'));
  if (rounds.length === 0) return [title, emptyRow, row(span('No round has begun yet.', 'quiet'))];
  const each = rounds.map((round, at) => {
    const before = rounds[at - 1]?.result ?? null;
    const present = panes.filter(({ group }) => group === `round-${round.opened.round}`);
    const answered = present.filter(({ state }) => state === 'answered');
    const names = answered.map(({ agent }) => agent);
    return [emptyRow, ...roundRows(round, { before, answered: names, width })];
  });
  return [title, ...each.flat()];
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
    ...list('solutions', result.names, { mark: '•', tone: 'plain', width }),
    ...list('new', result.new_solutions, { mark: '+', tone: 'good', width }),
    ...list('revised', result.revised_solutions, { mark: '~', tone: 'accent', width }),
    ...list('dropped', result.dropped_solutions, { mark: '-', tone: 'warn', width }),
    ...list('agreed', result.agreed, { mark: '=', tone: 'good', width }),
    ...list('disagreed', result.disagreed, { mark: '≠', tone: 'warn', width }),
  ];
}

function list(
  title: string,
  texts: readonly string[],
  { mark, tone, width }: { readonly mark: string; readonly tone: Tone; readonly width: number },
): readonly Row[] {
  if (texts.length === 0) return [];
  return [
    row(span(`  ${title}`, 'quiet')),
    ...bulleted(texts, { mark, width, tone, textTone: tone, indent: 4 }),
  ];
}

function bar(score: number): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

function signed(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}`;
}

function notesRows(notes: readonly Note[], width: number): readonly Row[] {
  const title = row(span('Notes', 'strong'));
  if (notes.length === 0)
    return [title, emptyRow, row(span('Nothing has gone wrong so far.', 'quiet'))];
  return [
    title,
    ...notes.flatMap(({ group, text, tone }, at) => [
      ...(at > 0 && notes[at - 1]?.group === group ? [] : groupRows(group)),
      ...wrapped(text, { width, tone, indent: 2 }),
    ]),
  ];
}

/** `round 2` of `round-2`. */
function groupRows(group: string | null): readonly Row[] {
  return [emptyRow, row(span(group === null ? 'session' : group.replaceAll('-', ' '), 'quiet'))];
}

function contextRows(context: Progress['context'], width: number): readonly Row[] {
  const title = row(span('Files for this task', 'strong'));
  if (context === null) return [title, emptyRow, row(span('Still searching.', 'quiet'))];
  const { files, provider, reason, rankedBy } = context;
  const order = rankedBy === null ? 'best first' : `ordered by ${rankedBy}`;
  return [
    title,
    emptyRow,
    ...wrapped(`${counted(files.length, 'file')} by ${provider}, ${order}`, {
      width,
      tone: 'quiet',
    }),
    ...(reason === null ? [] : wrapped(`! degraded: ${reason}`, { width, tone: 'warn' })),
    emptyRow,
    ...files.flatMap((file) => wrapped(file, { width, indent: 2 })),
  ];
}
