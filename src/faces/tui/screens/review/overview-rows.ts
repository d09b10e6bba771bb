import { rejectedText } from '../../../../model/decision.ts';
import { findingText } from '../../../../model/finding.ts';
import { counted } from '../../../../model/wording.ts';
import { parallelGroups } from '../../../../model/task-order.ts';
import { type Row, emptyRow, row, span, widthOf, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { blockingIn } from './chosen.ts';
import { type ReviewState, type Tab, tabs } from './state.ts';

/** The names of the tabs with what they hold, the open one marked. */
export function tabRow(state: ReviewState, width: number): Row {
  const { desk, comments } = state;
  const counts: Readonly<Record<Tab, number | null>> = {
    overview: null,
    tasks: desk.tasks.length,
    findings: desk.findings.length,
    changes: desk.changes.length,
    comments: comments.length,
  };
  const line = tabs.flatMap((tab, index): Row => {
    const count = counts[tab];
    const isOpen = state.page === tab || (state.page === 'fields' && tabBehind(state) === tab);
    const name = `${tab}${count === null ? '' : ` ${count}`}`;
    const gap = index === 0 ? ' ' : '  ';
    return [span(gap), span(isOpen ? `[${name}]` : ` ${name} `, isOpen ? 'strong' : 'quiet')];
  });
  const right = `version ${desk.version}`;
  const room = width - widthOf(line) - right.length - 1;
  return room < 2 ? line : [...line, span(' '.repeat(room)), span(right, 'quiet')];
}

/** What a person needs to know to approve the plan, or not. */
export function overviewRows(state: ReviewState, width: number): readonly Row[] {
  const { plan } = state.desk;
  if (plan === null) return unreadableRows(state, width);
  const facts = [
    `complexity ${plan.complexity ?? 'not said'}`,
    `recommended execution ${plan.recommended_execution ?? 'not said'}`,
    ...(plan.estimated_time === undefined ? [] : [plan.estimated_time]),
  ];
  return [
    ...labelled('Summary', plan.summary, { width }),
    ...labelled('Approach', plan.approach, { width }),
    emptyRow,
    ...labelled('Size', facts.join(' · '), { width }),
    ...labelled('Tasks', tasksText(state), { width }),
    ...checkRows(state, width),
    ...versionRows(state, width),
    ...commentsRow(state, width),
    ...approvalRows(state, width),
    emptyRow,
    ...state.desk.tasks.map(({ id, title }) => row(span(`${id}  `, 'quiet'), span(title))),
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

function tabBehind({ trail }: ReviewState): Tab | undefined {
  return tabs.find((tab) => tab === trail[0]);
}

function unreadableRows({ desk }: ReviewState, width: number): readonly Row[] {
  return [
    ...wrapped('The files on disk are not readable as a plan.', { width, tone: 'bad' }),
    emptyRow,
    ...desk.findings.flatMap(({ file, pointer, message }) =>
      wrapped(`${marks.failed} ${findingText({ file: file + pointer, message })}`, { width }),
    ),
    emptyRow,
    ...wrapped('Mend the file in your editor: press e on it under "findings".', {
      width,
      tone: 'quiet',
    }),
  ];
}

function tasksText({ desk }: ReviewState): string {
  const groups = parallelGroups(desk.tasks).length;
  const waves =
    groups === 0 ? ', which wait for each other in a circle' : ` in ${counted(groups, 'group')}`;
  return `${counted(desk.tasks.length, 'task')}${waves}`;
}

function checkRows({ desk }: ReviewState, width: number): readonly Row[] {
  const blocking = blockingIn(desk).length;
  const warnings = desk.findings.length - blocking;
  if (desk.findings.length === 0) {
    return labelled('Check', `${marks.done} nothing was found`, { width, tone: 'good' });
  }
  const parts = [
    ...(blocking === 0 ? [] : [`${marks.failed} ${blocking} blocking`]),
    ...(warnings === 0 ? [] : [`${marks.warning} ${counted(warnings, 'warning')}`]),
  ];
  return labelled('Check', parts.join(', '), { width, tone: blocking > 0 ? 'bad' : 'warn' });
}

function versionRows({ desk }: ReviewState, width: number): readonly Row[] {
  const { version, changes } = desk;
  const before = version === 1 ? 'the planner wrote it' : `version ${version - 1}`;
  const count = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  return labelled('Version', `${version}, ${count} since ${before}`, { width });
}

function commentsRow({ comments }: ReviewState, width: number): readonly Row[] {
  if (comments.length === 0) return [];
  const text = `${counted(comments.length, 'comment')} not sent yet`;
  return labelled('Comments', text, { width, tone: 'accent' });
}

function approvalRows(state: ReviewState, width: number): readonly Row[] {
  const { text, tone } = approvalText(state);
  return labelled('Approval', text, { width, tone });
}

function labelled(
  label: string,
  text: string,
  { width, tone = 'plain' }: { readonly width: number; readonly tone?: Tone },
): readonly Row[] {
  return wrapped(text, { width: width - 10, tone }).map((piece, index) => [
    span((index === 0 ? label : '').padEnd(10), 'quiet'),
    ...piece,
  ]);
}
