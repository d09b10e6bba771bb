import type { CodeReview, ExecutionResult, TaskOutcome } from '../../../../model/execution.ts';
import { counted } from '../../../../model/wording.ts';
import type { ApplyQuestion } from '../../../../workflow/view.ts';
import {
  countedTasks,
  executedText,
  fixedNote,
  placeOf,
  worstFirst,
} from '../../../execution-words.ts';
import {
  emptyRow,
  factRows,
  fileSpan,
  fitted,
  row,
  span,
  type Row,
  widthOf,
  wrapped,
} from '../../rows.ts';
import { marks, type Tone } from '../../theme.ts';
import { checkMarks, taskLooks } from '../run/tasks.ts';

/** Whether bringing the result home is what most would do. */
export function isWhole({ result, review }: ApplyQuestion): boolean {
  const isProven = result.tasks.every(({ status }) => status === 'completed');
  return isProven && (review === null || review.blocking === 0 || review.fixed);
}

/** How the execution ended, and whether its result is brought home. */
export function applyChoiceRows(
  { result }: ApplyQuestion,
  {
    applies,
    session,
    width,
  }: { readonly applies: boolean; readonly session: string; readonly width: number },
): readonly Row[] {
  const command = `conclave execute ${session}`;
  const ways = [
    emptyRow,
    ...(result.branch === null ? [] : factRows('Branch', result.branch, width)),
    ...factRows('Later', `${command} --apply`, width),
    ...factRows('Or', `${command} --discard`, width),
  ];
  return [
    ...wrapped(`${executedText(countedTasks(result.tasks))}. Apply the result to your work tree?`, {
      width,
      tone: 'strong',
    }),
    emptyRow,
    choiceRow(applies, '1', ['Apply', 'merge its branch into the branch that is checked out']),
    choiceRow(!applies, '2', ['Keep', 'leave it on its own branch for now']),
    ...(applies ? [] : ways),
  ];
}

function choiceRow(isHere: boolean, number: string, [name, means]: readonly [string, string]): Row {
  return row(
    span(isHere ? `${marks.chosen} ` : '  ', 'accent'),
    span(`${number} `, 'key'),
    span(name.padEnd(8), isHere ? 'accent' : 'plain'),
    span(means),
  );
}

/** What was done: the tasks, conflicts, and what the review found, the worst first. */
export function resultRows({ result, review }: ApplyQuestion, width: number): readonly Row[] {
  // What is noted of a task stands with it.
  const isApart = (note: string) => !result.tasks.some(({ task }) => note.startsWith(task));
  const notes = result.notes.filter(isApart);
  return [
    ...taskRows(result.tasks, width),
    ...part('Conflicts', conflictRows(result, width)),
    ...(review === null
      ? []
      : part(`Code review by ${review.reviewer}`, reviewRows(review, width))),
    ...part(
      'Notes',
      notes.flatMap((note) => wrapped(note, { width, indent: 2 })),
    ),
  ];
}

function taskRows(tasks: readonly TaskOutcome[], width: number): readonly Row[] {
  const facts = tasks.map((task) =>
    row(
      ...checkMarks(task),
      span(`  ${counted(task.files_modified.length, 'file')}`.padEnd(12), 'quiet'),
      span(task.status.padEnd(9), taskLooks[task.status][1]),
    ),
  );
  const most = Math.max(0, ...facts.map(widthOf));
  return tasks.flatMap((task, at) => {
    const { task: id, title, status, why, out_of_scope: outside } = task;
    const [mark, tone] = taskLooks[status];
    const right = facts[at] ?? emptyRow;
    const left = row(span(`${mark} `, tone), span(`${id}  `, 'quiet'), span(title));
    return [
      [...fitted(left, width - most - 1), span(' '.repeat(most + 1 - widthOf(right))), ...right],
      ...(why === '' ? [] : wrapped(why, { width, tone, indent: 4 })),
      ...(outside.length === 0
        ? []
        : wrapped(`it also changed ${outside.join(', ')}`, { width, tone: 'warn', indent: 4 })),
    ];
  });
}

function conflictRows({ conflicts }: ExecutionResult, width: number): readonly Row[] {
  return conflicts.flatMap(({ task, files }) =>
    wrapped(`${task}: ${files.join(', ')}`, { width, tone: 'warn', indent: 2 }),
  );
}

function reviewRows(review: CodeReview, width: number): readonly Row[] {
  const found = worstFirst(review);
  return [
    ...wrapped(review.summary, { width, indent: 2 }),
    ...(review.fixed ? wrapped(fixedNote, { width, indent: 2, tone: 'good' }) : []),
    ...found.flatMap((finding) => {
      const [mark, tone] = severities[finding.severity];
      const doubt = finding.reference === 'failed' ? '  (there is no such place)' : '';
      return [
        row(
          span(`  ${mark} ${finding.severity.padEnd(8)}  `, tone),
          fileSpan(finding.file, placeOf(finding)),
          span(doubt, 'quiet'),
        ),
        ...wrapped(finding.problem, { width, indent: 4 }),
        ...(finding.suggestion === ''
          ? []
          : wrapped(finding.suggestion, { width, indent: 4, tone: 'quiet' })),
      ];
    }),
    ...(found.length === 0 ? [row(span('  nothing found', 'good'))] : []),
    ...review.criteria
      .filter(({ verdict }) => verdict !== 'met')
      .flatMap(({ task, criterion, verdict, evidence }) => {
        const how = verdict === 'not-met' ? 'is not met' : 'is unclear';
        const text = `${marks.warning} ${task}: criterion ${criterion + 1} ${how}: ${evidence}`;
        return wrapped(text, { width, tone: 'warn', indent: 2 });
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

function part(title: string, rows: readonly Row[]): readonly Row[] {
  return rows.length === 0 ? [] : [emptyRow, row(span(title, 'strong')), ...rows];
}
