import type { PlanChange } from '../../../../model/plan-edit.ts';
import { counted } from '../../../../model/wording.ts';
import { type Row, emptyRow, row, span, widthOf, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { wordsOf } from './document.ts';
import type { Chosen } from './field-rows.ts';
import { clamp, taskOfFinding } from './chosen.ts';
import type { ReviewState } from './state.ts';

/** What the plan check found, blocking ones first. */
export function findingRows(state: ReviewState, width: number): Chosen {
  const { findings } = state.desk;
  if (findings.length === 0) {
    const text = `${marks.done} The plan check found nothing.`;
    return { rows: [row(span(text, 'good'))], at: 0 };
  }
  const entries = findings.map((finding) => {
    const isBlocking = finding.severity === 'blocking';
    const tone: Tone = isBlocking ? 'bad' : 'warn';
    const head = `${isBlocking ? marks.failed : marks.warning} ${finding.severity}`;
    const place = taskOfFinding(finding, state.desk) ?? finding.file;
    return { head, tone, place, text: finding.message };
  });
  return listed(entries, { at: clamp(state.finding, entries.length), width });
}

/** What was written for the planner and is not sent yet. */
export function commentRows(state: ReviewState, width: number): Chosen {
  if (state.comments.length === 0) {
    const text = 'No comment is written yet. c writes one on the whole plan; on a task, one on it.';
    return { rows: wrapped(text, { width, tone: 'quiet' }), at: 0 };
  }
  const entries = state.comments.map(({ task, text }) => ({
    head: marks.bullet,
    tone: 'accent' as const,
    place: task ?? 'the plan',
    text,
  }));
  return listed(entries, { at: clamp(state.comment, entries.length), width });
}

/** What differs from the version before, task by task, before and after of each field. */
export function changeRows({ desk }: ReviewState, width: number): readonly Row[] {
  const { version, changes } = desk;
  const before = version === 1 ? 'the planner wrote it' : `version ${version - 1}`;
  if (changes.length === 0) return [row(span(`Nothing changed since ${before}.`, 'quiet'))];
  const head = `Version ${version}: ${counted(changes.length, 'change')} since ${before}`;
  const titles = new Map(desk.tasks.map(({ id, title }) => [id, title]));
  return [
    ...wrapped(head, { width, tone: 'strong' }),
    ...changes.flatMap((change, index) => {
      const isNew = index === 0 || changes[index - 1]?.task !== change.task;
      const name =
        change.task === null ? 'the plan' : `${change.task}  ${titles.get(change.task) ?? ''}`;
      return [
        ...(isNew ? [emptyRow, row(span(name, 'accent'))] : []),
        ...differenceRows(change, width),
      ];
    }),
  ];
}

function differenceRows(
  { field, change, before, after }: PlanChange,
  width: number,
): readonly Row[] {
  const name = field === 'task' ? 'task' : field === 'task_ids' ? 'order' : wordsOf(field);
  const signs = { added: marks.planned, removed: '-', changed: '~' };
  const lead = row(span(`  ${signs[change]} `, 'strong'), span(`${name} ${change}`, 'quiet'));
  const sides: readonly (readonly [string, string | null, Tone])[] = [
    ['- ', before, 'bad'],
    ['+ ', after, 'good'],
  ];
  const texts = sides.flatMap(([sign, text, tone]) =>
    text === null ? [] : [span(`${sign}${text === '' ? '(empty)' : text}`, tone)],
  );
  const [only] = texts;
  if (texts.length === 1 && only !== undefined && widthOf([...lead, only]) + 2 <= width) {
    return [[...lead, span('  '), only]];
  }
  return [lead, ...texts.flatMap(({ text, tone }) => wrapped(text, { width, tone, indent: 6 }))];
}

interface Entry {
  readonly head: string;
  readonly tone: Tone;
  readonly place: string;
  readonly text: string;
}

function listed(
  entries: readonly Entry[],
  { at, width }: { readonly at: number; readonly width: number },
): Chosen {
  const rows: Row[] = [];
  let start = 0;
  for (const [index, { head, tone, place, text }] of entries.entries()) {
    if (index === at) start = rows.length;
    rows.push(
      row(
        span(index === at ? `${marks.chosen} ` : '  ', 'accent'),
        span(`${head}  `, tone),
        span(place, index === at ? 'accent' : 'quiet'),
      ),
      ...wrapped(text, { width, indent: 4 }),
    );
  }
  return { rows, at: start };
}
