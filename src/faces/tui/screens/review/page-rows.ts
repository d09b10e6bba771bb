import { rejectedText } from '../../../../model/decision.ts';
import { blockingIn, findingText } from '../../../../model/finding.ts';
import type { PlanChange } from '../../../../model/plan-edit.ts';
import { parallelGroups } from '../../../../model/task-order.ts';
import { isDraftPlan } from '../../../../model/plan.ts';
import { counted } from '../../../../model/wording.ts';
import { type Row, emptyRow, row, span, widthOf, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { fieldName } from './fields.ts';
import { type Picker, type ReviewState, clamp, taskOfFinding } from './state.ts';

/** Rows of which one is chosen, and where it is. */
export interface ChosenRows {
  readonly rows: readonly Row[];
  /** The first row of what is chosen; 0 where nothing is. */
  readonly at: number;
}

/** What a person needs to know to approve the plan, or not. */
export function overviewRows(state: ReviewState, width: number): readonly Row[] {
  const { desk, comments } = state;
  const { plan, tasks, version, changes } = desk;
  if (plan === null) return unreadableRows(state, width);
  const facts = [
    isDraftPlan(plan)
      ? 'a draft by rules, which nobody rated'
      : `complexity ${plan.complexity ?? 'not given'}`,
    ...(plan.recommended_execution === undefined
      ? []
      : [`recommended execution ${plan.recommended_execution}`]),
    ...(plan.estimated_time === undefined ? [] : [plan.estimated_time]),
  ];
  const groups = parallelGroups(tasks).length;
  const order =
    groups === 0 ? ', which wait for each other in a circle' : ` in ${counted(groups, 'group')}`;
  const count = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const check = checkText(state);
  const approval = approvalText(state);
  const line = (label: string, text: string, tone: Tone = 'plain') =>
    wrapped(text, { width: width - 10, tone }).map((piece, index) => [
      span((index === 0 ? label : '').padEnd(10), 'quiet'),
      ...piece,
    ]);
  return [
    ...line('Summary', plan.summary),
    ...line('Approach', plan.approach),
    emptyRow,
    ...line('Size', facts.join(' · ')),
    ...line('Tasks', `${counted(tasks.length, 'task')}${order}`),
    ...line('Check', check.text, check.tone),
    ...line('Version', `${version}, ${count} since ${earlierVersion(version)}`),
    ...(comments.length === 0
      ? []
      : line('Comments', `${counted(comments.length, 'comment')} not sent yet`, 'accent')),
    ...line('Approval', approval.text, approval.tone),
    emptyRow,
    ...tasks.map(({ id, title }) => row(span(`${id}  `, 'quiet'), span(title))),
  ];
}

/** How the approval stands, in a few words. */
export function approvalText({ desk: { approvedHash, hash }, rejected }: ReviewState): {
  readonly text: string;
  readonly tone: Tone;
} {
  if (rejected !== null) return { text: `${marks.failed} ${rejectedText(rejected)}`, tone: 'warn' };
  if (approvedHash === null) return { text: `${marks.later} not approved yet`, tone: 'plain' };
  if (approvedHash === hash) return { text: `${marks.done} approved as it stands`, tone: 'good' };
  const text = `${marks.warning} changed since it was approved, so it needs a new approval`;
  return { text, tone: 'warn' };
}

/** What the plan check found, blocking ones first. */
export function findingRows(state: ReviewState, width: number): ChosenRows {
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
  return entryRows(entries, { at: clamp(state.finding, entries.length), width });
}

/** What was written for the planner and is not sent yet. */
export function commentRows(state: ReviewState, width: number): ChosenRows {
  if (state.comments.length === 0) {
    const text = 'No comments yet. c writes one on the whole plan or, on a task, on that task.';
    return { rows: wrapped(text, { width, tone: 'quiet' }), at: 0 };
  }
  const entries = state.comments.map(({ task, text }) => ({
    head: marks.bullet,
    tone: 'accent' as const,
    place: task ?? 'the plan',
    text,
  }));
  return entryRows(entries, { at: clamp(state.comment, entries.length), width });
}

/** What differs from the version before, task by task, before and after of each field. */
export function changeRows({ desk }: ReviewState, width: number): readonly Row[] {
  const { version, changes } = desk;
  const before = earlierVersion(version);
  if (changes.length === 0) return [row(span(`Nothing changed since ${before}.`, 'quiet'))];
  const head = `Version ${version}: ${counted(changes.length, 'change')} since ${before}`;
  const titles = new Map(desk.tasks.map(({ id, title }) => [id, title]));
  return [
    ...wrapped(head, { width, tone: 'strong' }),
    ...changes.flatMap((change, index) => {
      const { task } = change;
      const isNew = index === 0 || changes[index - 1]?.task !== task;
      const name = task === null ? 'the plan' : `${task}  ${titles.get(task) ?? ''}`;
      const begin = isNew ? [emptyRow, row(span(name, 'accent'))] : [];
      return [...begin, ...differenceRows(change, width)];
    }),
  ];
}

/** What is asked or can be chosen in front of the page, and why it was not done; null for nothing. */
export function questionRows(
  { doubt, picker, refused }: ReviewState,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] | null {
  const title = picker?.title ?? doubt?.title;
  if (title === undefined) return null;
  const says = [
    ...(doubt?.says ?? []),
    ...(refused === null ? [] : [{ text: refused, tone: 'bad' } as const]),
  ];
  const texts = says.flatMap(({ text, tone }) => [emptyRow, ...wrapped(text, { width, tone })]);
  const head = wrapped(title, { width, tone: 'strong' });
  const room = Math.max(1, height - head.length - texts.length - 1);
  const entries = picker === null ? [] : [emptyRow, ...pickerRows(picker, room)];
  return [...head, ...entries, ...texts].slice(0, height);
}

/** As many as there is room for, the chosen one among them. */
function pickerRows({ entries, at, sorted }: Picker, room: number): readonly Row[] {
  const rows = entries.map((entry, index) => {
    const isChosen = index === at;
    const part = sorted?.of[index] ?? 0;
    const place = sorted === undefined ? '' : `  → ${part + 1}. ${sorted.places[part] ?? ''}`;
    const mark = span(isChosen ? `${marks.chosen} ` : '  ', 'accent');
    return row(mark, span(entry, isChosen ? 'accent' : 'plain'), span(place, 'quiet'));
  });
  const from = clamp(at - Math.floor(room / 2), rows.length - room + 1);
  return rows.slice(from, from + room);
}

function unreadableRows({ desk }: ReviewState, width: number): readonly Row[] {
  return [
    ...wrapped('The files on disk cannot be read as a plan.', { width, tone: 'bad' }),
    emptyRow,
    ...desk.findings.flatMap(({ file, pointer, message }) =>
      wrapped(`${marks.failed} ${findingText({ file: file + pointer, message })}`, { width }),
    ),
    emptyRow,
    ...wrapped('Fix the file in your editor: press e on it under "findings".', {
      width,
      tone: 'quiet',
    }),
  ];
}

function checkText({ desk }: ReviewState): { readonly text: string; readonly tone: Tone } {
  const blocking = blockingIn(desk).length;
  const warnings = desk.findings.length - blocking;
  if (desk.findings.length === 0) return { text: `${marks.done} nothing found`, tone: 'good' };
  const parts = [
    ...(blocking === 0 ? [] : [`${marks.failed} ${blocking} blocking`]),
    ...(warnings === 0 ? [] : [`${marks.warning} ${counted(warnings, 'warning')}`]),
  ];
  return { text: parts.join(', '), tone: blocking > 0 ? 'bad' : 'warn' };
}

function earlierVersion(version: number): string {
  return version === 1 ? 'the planner wrote it' : `version ${version - 1}`;
}

function differenceRows(
  { field, change, before, after }: PlanChange,
  width: number,
): readonly Row[] {
  const name = field === 'task_ids' ? 'order' : fieldName(field);
  const signs = { added: marks.planned, removed: '-', changed: '~' };
  const lead = row(span(`  ${signs[change]} `, 'strong'), span(`${name} ${change}`, 'quiet'));
  const sides: readonly (readonly [string, string | null, Tone])[] = [
    ['- ', before, 'bad'],
    ['+ ', after, 'good'],
  ];
  const texts = sides.flatMap(([sign, text, tone]) =>
    text === null ? [] : [span(`${sign}${text === '' ? '(empty)' : text}`, tone)],
  );
  const [only, another] = texts;
  if (only !== undefined && another === undefined && widthOf([...lead, only]) + 2 <= width) {
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

function entryRows(
  entries: readonly Entry[],
  { at, width }: { readonly at: number; readonly width: number },
): ChosenRows {
  const blocks = entries.map(({ head, tone, place, text }, index) => [
    row(
      span(index === at ? `${marks.chosen} ` : '  ', 'accent'),
      span(`${head}  `, tone),
      span(place, index === at ? 'accent' : 'quiet'),
    ),
    ...wrapped(text, { width, indent: 4 }),
  ]);
  return { rows: blocks.flat(), at: blocks.slice(0, at).flat().length };
}
