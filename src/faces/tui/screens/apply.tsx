// Shows what was executed and what the review found, and asks whether it is applied.
import type { CodeReview, ExecutionResult, TaskOutcome } from '../../../model/execution.ts';
import { counted } from '../../../model/wording.ts';
import type { ApplyQuestion } from '../../../workflow/view.ts';
import {
  countTasks,
  executionText,
  reviewerText,
  standInTexts,
} from '../../../model/execution-summary.ts';
import { resultObjections } from '../../../phases/reviewing/review-verdict.ts';
import { doubtOf, fixNote, locationOf, worstFirst } from '../../execution-words.ts';
import { ChoicePage, type ChoiceState } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import {
  emptyRow,
  factRows,
  fileSpan,
  fitRow,
  row,
  span,
  type Row,
  withTitle,
  wrapText,
} from '../rows.ts';
import type { QuestionStage } from '../state.ts';
import type { Store } from '../store.ts';
import { marks, type Tone } from '../theme.ts';
import { useTools, useTui } from '../tools.tsx';
import { checkMarks, taskLooks } from './run/tasks.ts';

/** Shows what was executed, and asks whether it is applied now. */
export function ApplyScreen({
  stage: { question, answer },
  store,
}: {
  readonly stage: QuestionStage<'apply'>;
  readonly store: Store<ChoiceState>;
}) {
  const session = useTui(({ progress }) => progress.session ?? '');
  const { width } = useBodySize();
  const { result } = question;
  const { program } = useTools().ports;
  const command = `${program} execute ${session}`;
  const asks = `${executionText(countTasks(result.tasks))}. Apply the result to your work tree?`;
  const head = wrapText(asks, { width, tone: 'strong' });
  const notes = [
    emptyRow,
    ...(result.branch === null ? [] : factRows('Branch', result.branch, width)),
    ...factRows('Later', `${command} --apply`, width),
    ...factRows('Or', `${command} --discard`, width),
  ];
  const choices = [
    {
      name: 'Apply',
      means: 'merge its branch into the branch that is checked out',
      does: 'apply it',
      run: () => answer(true),
    },
    {
      name: 'Keep',
      means: 'leave it on its own branch for now',
      does: 'keep it for now',
      run: () => answer(false),
    },
  ];
  const body = resultRows(question, width);
  const usual = isWhole(question) ? 0 : 1;
  const shown = { question, store, head, notes, body, choices, usual };
  return <ChoicePage {...shown} copies={`${command} --apply`} />;
}

/** True where most people would apply the result. */
export function isWhole({ result, ...reviewed }: ApplyQuestion): boolean {
  const isProven = result.tasks.every(({ status }) => status === 'completed');
  return isProven && resultObjections(reviewed).length === 0;
}

/** Shows what was done: the tasks, conflicts, and what the review found, the worst first. */
export function resultRows(question: ApplyQuestion, width: number): readonly Row[] {
  const { result, review, isUnreviewed = false } = question;
  const [missing] = isUnreviewed ? resultObjections(question) : [];
  return [
    ...taskRows(result.tasks, width),
    ...withTitle('Conflicts', conflictRows(result, width)),
    ...(missing === undefined
      ? []
      : withTitle('Code review', wrapText(missing, { width, tone: 'bad', indent: 2 }))),
    ...(review === null
      ? []
      : withTitle(`Code review by ${reviewerText(review)}`, reviewRows(review, width))),
  ];
}

function taskRows(tasks: readonly TaskOutcome[], width: number): readonly Row[] {
  return tasks.flatMap((task) => {
    const { task: id, title, status, why, note = '' } = task;
    const { out_of_scope: outside, files_modified: files } = task;
    const [mark, tone] = taskLooks[status];
    const left = row(span(`${mark} `, tone), span(`${id}  `, 'quiet'), span(title));
    const also = outside.length === 0 ? '' : `it also changed ${outside.join(', ')}`;
    return [
      [
        ...fitRow(left, width - 30),
        span(`  ${status.padEnd(11)}`, tone),
        span(counted(files.length, 'file').padEnd(9), 'quiet'),
        ...checkMarks(task),
      ],
      ...[...standInTexts(task), why, note, also]
        .filter((text) => text !== '')
        .flatMap((text) => wrapText(text, { width, tone: 'warn', indent: 4 })),
    ];
  });
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
