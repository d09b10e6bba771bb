import type { ExecuteAnswer } from '../../model/execution.ts';
import { counted, oneLine } from '../../model/wording.ts';
import type { ApplyQuestion, ExecuteQuestion } from '../../workflow/view.ts';
import {
  apartNote,
  checksText,
  commandsNote,
  countedTasks,
  executedText,
  executors,
  fixedNote,
  placeOf,
  reviewers,
  worstFirst,
} from '../execution-words.ts';
import type { Dialog } from './reader.ts';

/**
 * Asks whether an approved plan is carried out now, and by whom. Right after the approval Enter
 * means later, so that what is typed ahead carries nothing out.
 */
export async function executeByLines(
  lines: Dialog,
  { tasks, commands, obstacle, preset, byHand }: ExecuteQuestion,
  { session, isApprovedNow }: { readonly session: string; readonly isApprovedNow: boolean },
): Promise<ExecuteAnswer> {
  const later = [
    `  later: it stays approved; "conclave execute ${session}" carries it out`,
    ...(byHand === null ? [] : [`    or by hand: ${byHand}`]),
  ];
  if (obstacle !== null) {
    lines.say('', `The plan cannot be carried out now: ${oneLine(obstacle)}`, ...later);
    return { kind: 'later' };
  }
  lines.say(
    '',
    'The plan is approved. Carry it out now?',
    ...later,
    `  now: ${counted(tasks.length, 'task')}. ${apartNote}`,
    ...(commands.length === 0 ? [] : [`    ${commandsNote}`]),
    ...commands.map((command) => `      ${command}`),
  );
  const words = isApprovedNow ? ['later', 'now'] : ['now', 'later'];
  if ((await lines.choose('Execute', words)) === 'later') return { kind: 'later' };
  lines.say('', 'Who should carry it out?');
  const execution_method = await oneOf(lines, executors, preset.execution_method);
  lines.say('', 'Who should review the code?');
  const code_review_tool = await oneOf(lines, reviewers, preset.code_review_tool);
  return { kind: 'now', execution_method, code_review_tool, by: 'user' };
}

/** Shows what was done, and asks whether it is applied to the checked-out branch. */
export async function applyByLines(
  lines: Dialog,
  question: ApplyQuestion,
  session: string,
): Promise<boolean> {
  const branch = question.result.branch ?? 'of the session';
  lines.say(
    '',
    ...resultLines(question),
    '',
    'Apply the result now?',
    `  later: it stays on branch ${branch}`,
    `    "conclave execute ${session} --apply" applies it, --discard removes it`,
    `  now: merge branch ${branch} into the branch that is checked out`,
  );
  return (await lines.choose('Apply', ['later', 'now'])) === 'now';
}

function resultLines({ result, review }: ApplyQuestion): readonly string[] {
  const findings = review === null ? [] : worstFirst(review);
  return [
    `${executedText(countedTasks(result.tasks))}.`,
    ...result.tasks.flatMap(({ task, title, status, why, files_modified: files, after }) => [
      `  ${task} ${oneLine(title)}: ${[status, oneLine(why)].filter(Boolean).join(', ')}`,
      `    ${[`${counted(files.length, 'file')} changed`, checksText(after)].filter(Boolean).join(', ')}`,
    ]),
    ...result.conflicts.map(({ task, files }) => `  ${task}: conflict in ${files.join(', ')}`),
    ...(review === null ? [] : [`Code review by ${review.reviewer}: ${oneLine(review.summary)}`]),
    ...(review?.fixed === true ? [`  ${fixedNote}`] : []),
    ...findings.flatMap((finding) => [
      `  ${finding.severity}, ${placeOf(finding)}: ${oneLine(finding.problem)}`,
      `    ${oneLine(finding.suggestion)}`,
    ]),
  ];
}

/** Asks for one of numbered values; `usual` is what Enter means. */
async function oneOf<Value extends string>(
  lines: Dialog,
  choices: readonly { readonly value: Value; readonly means: string }[],
  usual: Value,
): Promise<Value> {
  lines.say(...choices.map(({ value, means }, at) => `  ${at + 1}. ${value}: ${means}`));
  const first = choices.findIndex(({ value }) => value === usual);
  const numbers = choices.map((_, at) => String(at + 1));
  const words = [String(first + 1), ...numbers.toSpliced(first, 1)];
  return choices[Number(await lines.choose('Number', words)) - 1]?.value ?? usual;
}
