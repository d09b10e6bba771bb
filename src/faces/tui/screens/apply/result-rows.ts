// Shows the outcome of an execution: its tasks, conflicts, the review’s findings, all checks and changes.
import type { CodeReview, ExecutionResult } from '../../../../model/execution.ts';
import {
  checksAfter,
  checksBefore,
  recordsAt,
  reviewerText,
  standInTexts,
} from '../../../../model/execution-summary.ts';
import { counted } from '../../../../model/wording.ts';
import type { ApplyQuestion } from '../../../../workflow/view-port.ts';
import { doubtOf, fixNote, locationOf, troublesIn, worstFirst } from '../../../execution-words.ts';
import {
  emptyRow,
  fileSpan,
  fitRow,
  row,
  span,
  type Row,
  withTitle,
  wrapText,
} from '../../screen-rows.ts';
import { marks, type Tone } from '../../theme.ts';
import { checkMarks, checkRows, diffRows, taskLooks } from '../run/run-tasks.ts';

type Shown = Omit<ApplyQuestion, 'readChanges'>;

/** Shows what was done: the tasks, conflicts, and what the review found, the worst first. */
export function resultRows(question: Shown, width: number): readonly Row[] {
  const { result, review } = question;
  const against = troublesIn(result).flatMap((text) =>
    wrapText(`${marks.warning} ${text}`, { width, tone: 'bad', indent: 2 }),
  );
  return [
    ...taskRows(result, width),
    ...withTitle('Conflicts', conflictRows(result, width)),
    ...withTitle('Against applying it', against),
    ...(review === null
      ? []
      : withTitle(`Code review by ${reviewerText(review)}`, reviewRows(review, width))),
  ];
}

function taskRows({ tasks, accepted = {} }: ExecutionResult, width: number): readonly Row[] {
  return tasks.flatMap((task) => {
    const { task: id, title, status, shown = '', why, note = '' } = task;
    const { out_of_scope: outside, files_modified: files } = task;
    const [mark, tone] = taskLooks[status];
    const left = row(span(`${mark} `, tone), span(`${id}  `, 'quiet'), span(title));
    const also = outside.length === 0 ? '' : `it also changed ${outside.join(', ')}`;
    return [
      [
        ...fitRow(left, width - 30),
        span(`  ${status.padEnd(11)}`, tone),
        span(counted(files.length, 'file').padEnd(9), 'quiet'),
        ...checkMarks({ before: checksBefore(task.checks), after: checksAfter(task.checks) }),
      ],
      ...[...standInTexts(task), shown, why, note, also]
        .filter((text) => text !== '')
        .flatMap((text) => wrapText(text, { width, tone: 'warn', indent: 4 })),
      ...wrapAccepted(accepted[id], width),
    ];
  });
}

function wrapAccepted(because: string | undefined, width: number): readonly Row[] {
  if (because === undefined) return [];
  return wrapText(`accepted: ${because}`, { width, tone: 'good', indent: 4 });
}

function conflictRows({ conflicts }: ExecutionResult, width: number): readonly Row[] {
  return conflicts.flatMap(({ task, files }) =>
    wrapText(`${task}: ${files.join(', ')}`, { width, tone: 'warn', indent: 2 }),
  );
}

function reviewRows(review: CodeReview, width: number): readonly Row[] {
  const found = worstFirst(review);
  return [
    ...wrapText(review.summary, { width, indent: 2 }),
    ...(review.fixed ? wrapText(fixNote(review), { width, indent: 2, tone: 'good' }) : []),
    ...found.flatMap((finding) => {
      const [mark, tone] = severities[finding.severity];
      const doubt = doubtOf(finding);
      return [
        row(
          span(`  ${mark} ${finding.severity.padEnd(8)}  `, tone),
          fileSpan(finding.file, locationOf(finding)),
          span(doubt === '' ? '' : `  ${doubt}`, 'quiet'),
        ),
        ...wrapText(finding.problem, { width, indent: 4 }),
        ...(finding.suggestion === ''
          ? []
          : wrapText(finding.suggestion, { width, indent: 4, tone: 'quiet' })),
      ];
    }),
    ...(found.length === 0 ? [row(span('  no problems found', 'good'))] : []),
    ...review.criteria
      .filter(({ verdict }) => verdict !== 'met')
      .flatMap(({ task, criterion, verdict, evidence }) => {
        const how = verdict === 'not-met' ? 'is not met' : 'is unclear';
        const text = `${marks.warning} ${task}: criterion ${criterion + 1} ${how}: ${evidence}`;
        return wrapText(text, { width, tone: 'warn', indent: 2 });
      }),
  ];
}

const severities: Readonly<
  Record<CodeReview['findings'][number]['severity'], readonly [string, Tone]>
> = {
  blocking: [marks.failed, 'bad'],
  major: [marks.warning, 'warn'],
  minor: [marks.bullet, 'quiet'],
};

/** Shows all checks of all tasks, with all of their output that is kept. */
export function outputRows(
  { tasks, broken }: Pick<ExecutionResult, 'tasks' | 'broken'>,
  width: number,
): readonly Row[] {
  return [
    ...(broken === undefined ? [] : [...wrapText(broken, { width, tone: 'bad' }), emptyRow]),
    ...tasks.flatMap(({ task, title, status, why, checks: records }) => {
      const [mark, tone] = taskLooks[status];
      const checks = [
        ...checkRows('Checks before the work', checksBefore(records), width),
        ...checkRows('Checks after the work', checksAfter(records), width),
        ...checkRows(
          'Checks with everything that was changed',
          recordsAt(records, 'after', 'all'),
          width,
        ),
        ...checkRows('Checks on the start once more', recordsAt(records, 'again'), width),
      ];
      return [
        row(span(`${mark} `, tone), span(`${task}  `, 'quiet'), span(title, 'strong')),
        ...(why === '' ? [] : wrapText(why, { width, tone, indent: 2 })),
        ...(checks.length === 0 ? [row(span('  no check was run', 'quiet'))] : checks),
        emptyRow,
      ];
    }),
  ];
}

/** Shows a diff in git’s own form, below the files that it changes. */
export function changeRows(
  { title, diff }: { readonly title: string; readonly diff: string },
  width: number,
): readonly Row[] {
  const lines = diff.trimEnd().split('\n');
  const files = lines.flatMap((line) => /^diff --git "?a\/.* "?b\/(.*?)"?$/.exec(line)?.[1] ?? []);
  return [
    ...wrapText(title, { width, tone: 'strong' }),
    row(span(files.length === 0 ? 'nothing was changed' : counted(files.length, 'file'), 'quiet')),
    ...files.flatMap((file) => wrapText(file, { width, indent: 2 })),
    ...(files.length === 0 ? [] : [emptyRow, ...diffRows(lines, { width, indent: 0 })]),
  ];
}

/** The rows at which a file starts. */
export function fileStarts(rows: readonly Row[]): readonly number[] {
  return rows.flatMap(([first], at) =>
    first?.text.startsWith('diff --git ') === true ? [at] : [],
  );
}
