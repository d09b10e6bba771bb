import type { ExecuteAnswer } from '../../model/execution.ts';
import { counted, oneLine } from '../../model/wording.ts';
import type { ApplyQuestion, ExecuteQuestion, View } from '../../workflow/view.ts';
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
import { choose, type Dialog } from './reader.ts';

interface Asked<Question> {
  readonly question: Question;
  /** The id of the session. */
  readonly session: string;
}

/**
 * Asks whether an approved plan is carried out now, and by whom. Right after the approval Enter
 * means later, so that what is typed ahead carries nothing out.
 */
export async function executeByLines(
  lines: Dialog,
  {
    question,
    session,
    isApprovedNow,
  }: Asked<ExecuteQuestion> & { readonly isApprovedNow: boolean },
  signal: AbortSignal,
): Promise<ExecuteAnswer> {
  const { tasks, commands, obstacle, preset, byHand } = question;
  const words = isApprovedNow ? ['later', 'now'] : ['now', 'later'];
  const enter = (word: string) => (word === words[0] ? ' (Enter does the same)' : '');
  const later = [
    `later: it stays approved; "conclave execute ${session}" carries it out${enter('later')}`,
    ...(byHand === null ? [] : [`  or by hand: ${byHand}`]),
  ];
  if (obstacle !== null) {
    lines.say('', `The plan cannot be carried out now: ${oneLine(obstacle)}`, ...later);
    return { kind: 'later' };
  }
  lines.say(
    '',
    'The plan is approved. Carry it out now?',
    ...later.map((line) => `  ${line}`),
    `  now: ${counted(tasks.length, 'task')}. ${apartNote}${enter('now')}`,
    ...(commands.length === 0 ? [] : [`    ${commandsNote}`]),
    ...commands.map((command) => `      ${command}`),
  );
  const typed = await choose(lines, { prompt: 'Execute', words }, signal);
  if (typed === 'later') return { kind: 'later' };
  const who = { title: 'Who should carry it out?', choices: executors };
  const reader = { title: 'Who should review the code?', choices: reviewers };
  return {
    kind: 'now',
    execution_method: await oneOf(lines, { ...who, first: preset.execution_method }, signal),
    code_review_tool: await oneOf(lines, { ...reader, first: preset.code_review_tool }, signal),
    by: 'user',
  };
}

/** Tells what was done, and asks whether it is brought home. */
export async function applyByLines(
  lines: Dialog,
  { question, session }: Asked<ApplyQuestion>,
  signal: AbortSignal,
): ReturnType<View['apply']> {
  const { branch: named } = question.result;
  const branch = named ?? 'of the session';
  lines.say(
    '',
    ...resultLines(question),
    '',
    'Apply the result now?',
    `  later: it stays on branch ${branch} (Enter does the same)`,
    `    "conclave execute ${session} --apply" brings it home, --discard removes it`,
    `  now: merge branch ${branch} into the branch that is checked out`,
  );
  return (await choose(lines, { prompt: 'Apply', words: ['later', 'now'] }, signal)) === 'now';
}

function resultLines({ result, review }: ApplyQuestion): readonly string[] {
  const found = review === null ? [] : worstFirst(review);
  return [
    `${executedText(countedTasks(result.tasks))}.`,
    ...result.tasks.flatMap(({ task, title, status, why, files_modified: files, after }) => [
      `  ${task} ${oneLine(title)}: ${[status, oneLine(why)].filter(Boolean).join(', ')}`,
      `    ${[`${counted(files.length, 'file')} changed`, checksText(after)].filter(Boolean).join(', ')}`,
    ]),
    ...result.conflicts.map(({ task, files }) => `  ${task}: conflict in ${files.join(', ')}`),
    ...(review === null ? [] : [`Code review by ${review.reviewer}: ${oneLine(review.summary)}`]),
    ...(review?.fixed === true ? [`  ${fixedNote}`] : []),
    ...found.flatMap((finding) => [
      `  ${finding.severity}, ${placeOf(finding)}: ${oneLine(finding.problem)}`,
      `    ${oneLine(finding.suggestion)}`,
    ]),
  ];
}

/** Asks for one of numbered values; `first` is what Enter means. */
async function oneOf<Value extends string>(
  lines: Dialog,
  {
    title,
    choices,
    first,
  }: {
    readonly title: string;
    readonly choices: readonly { readonly value: Value; readonly means: string }[];
    readonly first: Value;
  },
  signal: AbortSignal,
): Promise<Value> {
  lines.say('', title, ...choices.map(({ value, means }, at) => `  ${at + 1}. ${value}: ${means}`));
  const numbers = choices.map((_, at) => String(at + 1));
  const usual = String(choices.findIndex(({ value }) => value === first) + 1);
  const words = [usual, ...numbers.filter((number) => number !== usual)];
  const typed = await choose(lines, { prompt: 'Number', words }, signal);
  return choices[Number(typed) - 1]?.value ?? first;
}
