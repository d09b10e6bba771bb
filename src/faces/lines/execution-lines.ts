// Asks line by line whether a plan is executed, and whether its result is brought home.
import { agreementLines, workAgreement } from '../../model/agreement.ts';
import { type StyleCount, styleCountText } from '../../model/commit-style.ts';
import type { ExecuteAnswer, ResultAnswer } from '../../model/execution.ts';
import { applyCommand } from '../../model/execution-summary.ts';
import { oneLine } from '../../model/wording.ts';
import {
  type ProposedSetUp,
  setUpText,
  settingsFrom,
} from '../../phases/execution/propose-set-up.ts';
import { resultDocument } from '../../phases/documents/result-document.ts';
import type { ApplyConflict, ApplyQuestion, ExecuteQuestion } from '../../workflow/view-port.ts';
import {
  conflictText,
  executorChoices,
  proposeReview,
  resolverNote,
  reviewerChoices,
  setUpNote,
  worktreeNote,
} from '../execution-words.ts';
import { textLines } from '../document-text.ts';
import type { Dialog } from './reader.ts';

/**
 * Asks whether an approved plan is executed now, and by which agent. Right after the approval Enter
 * means later, so that input typed ahead executes nothing.
 */
export async function executeByLines(
  lines: Dialog,
  question: ExecuteQuestion,
  { session, isApprovedNow }: { readonly session: string; readonly isApprovedNow: boolean },
): Promise<ExecuteAnswer> {
  const { obstacle, preset, who, byHand, setUp = null, commits = null } = question;
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
    `  now: ${worktreeNote}`,
    ...agreementLines(workAgreement(question)).map((line) => `    ${line}`),
  );
  const words = isApprovedNow ? ['later', 'now'] : ['now', 'later'];
  if ((await lines.choose('Execute', words)) === 'later') return { kind: 'later' };
  lines.say('', 'Who should carry it out?');
  const execution_method = await oneOf(lines, executorChoices(who), preset.execution_method);
  lines.say('', 'Who should review the code?');
  const code_review_tool = await oneOf(
    lines,
    reviewerChoices(who, execution_method),
    proposeReview(question, execution_method),
  );
  const setup = setUp === null ? {} : await askForSetUp(lines, setUp);
  const style = commits === null ? {} : await askForStyle(lines, commits);
  return { kind: 'now', execution_method, code_review_tool, ...setup, ...style, by: 'user' };
}

async function askForSetUp(
  lines: Dialog,
  found: ProposedSetUp,
): Promise<ReturnType<typeof settingsFrom>> {
  lines.say('', `${setUpNote(found.source)} Should it run?`, `  ${setUpText(found)}`);
  return (await lines.choose('Set-up', ['no', 'yes'])) === 'yes' ? settingsFrom(found) : {};
}

async function askForStyle(
  lines: Dialog,
  commits: StyleCount,
): Promise<{ readonly commit_style?: 'conventional' }> {
  lines.say('', `${styleCountText(commits)}. Which form should the new ones have?`);
  const style = await lines.choose('Commits', ['plain', 'conventional']);
  return style === 'conventional' ? { commit_style: style } : {};
}

/** Shows what was done, and asks whether to apply it to the checked-out branch. */
export async function applyByLines(
  lines: Dialog,
  question: ApplyQuestion,
  session: string,
): Promise<ResultAnswer> {
  const { conflict = null } = question;
  if (conflict !== null) return await resolveByLines(lines, question, conflict);
  const { result } = question;
  const branch = result.branch ?? 'of the session';
  const apply = applyCommand(result, { session });
  lines.say(
    '',
    ...resultLines(question),
    '',
    'Apply the result now?',
    `  later: it stays on branch ${branch}`,
    ...(apply === null ? [] : [`    to apply it: ${apply}`]),
    `    to remove it: conclave execute ${session} --discard`,
    `  now: merge branch ${branch} into the branch that is checked out`,
  );
  return (await lines.choose('Apply', ['later', 'now'])) === 'now';
}

/** Asks which agent resolves the conflict that keeps the result from being merged. */
async function resolveByLines(
  lines: Dialog,
  question: ApplyQuestion,
  { files, resolvers, byHand }: ApplyConflict,
): Promise<ResultAnswer> {
  lines.say(
    '',
    ...resultLines(question),
    '',
    conflictText(files),
    `  later: it stays on its branch; to merge it by hand: ${byHand}`,
    ...resolvers.map((name) => `  ${name}: ${resolverNote}`),
  );
  const by = await lines.choose('Resolve it', ['later', ...resolvers]);
  return by === 'later' ? false : { apply: true, accepted: {}, resolve_with: by };
}

function resultLines(question: ApplyQuestion): readonly string[] {
  return textLines(resultDocument(question).blocks);
}

/** Asks for one of numbered values; `usual` is the one for Enter. */
async function oneOf<Value extends string>(
  lines: Dialog,
  choices: readonly { readonly value: Value; readonly means: string }[],
  usual: Value,
): Promise<Value> {
  lines.say(...choices.map(({ value, means }, at) => `  ${at + 1}. ${value}: ${means}`));
  const first = Math.max(
    0,
    choices.findIndex(({ value }) => value === usual),
  );
  const numbers = choices.map((_, at) => String(at + 1));
  const words = [String(first + 1), ...numbers.toSpliced(first, 1)];
  return choices[Number(await lines.choose('Number', words)) - 1]?.value ?? usual;
}
