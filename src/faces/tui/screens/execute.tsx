import type { ExecuteAnswer } from '../../../model/execution.ts';
import type { ExecuteQuestion } from '../../../workflow/view.ts';
import { apartNote, commandsNote, executors, reviewers } from '../../execution-words.ts';
import { type Offer, ChoicePage } from '../choice-page.tsx';
import type { Popup } from '../popup.tsx';
import { useBodySize } from '../frame.tsx';
import { decisive, key } from '../keys.ts';
import { emptyRow, factRows, row, span, type Row, wrapped } from '../rows.ts';
import type { Execute } from '../state.ts';
import { useTui } from '../tools.tsx';

/** Whether an approved plan is carried out now, and by whom. */
export function ExecuteScreen({ stage: { question, answer } }: { readonly stage: Execute }) {
  const { session, isApprovedNow } = useTui((shared) => shared.progress);
  const { width } = useBodySize();
  const { obstacle, byHand } = question;
  const command = `conclave execute ${session ?? ''}`;
  const choices = executeChoices(question, answer);
  // Right after the approval Enter alone carries nothing out: whoever takes what is recommended on
  // each screen has not asked for that.
  const usual = isApprovedNow ? choices.length - 1 : 0;
  const is = obstacle === null ? 'Carry it out now?' : 'It cannot be carried out now.';
  const head = [
    row(span(`The plan is approved. ${is}`, 'strong')),
    ...(obstacle === null ? [] : wrapped(obstacle, { width, tone: 'warn' })),
  ];
  const notes = [
    emptyRow,
    ...factRows('Later', command, width),
    ...(byHand === null ? [] : factRows('By hand', byHand, width)),
  ];
  const body = workRows(question, width);
  return <ChoicePage {...{ question, head, notes, body, choices, usual }} copies={command} />;
}

/** Now, with who does it and who reviews asked next; or later, which is left where it cannot be now. */
export function executeChoices(
  { obstacle, preset }: ExecuteQuestion,
  answer: (given: ExecuteAnswer) => void,
): readonly Offer[] {
  const later: Offer = {
    name: 'Later',
    means: 'the plan stays approved',
    does: 'leave it for later',
    run: () => answer({ kind: 'later' }),
  };
  if (obstacle !== null) return [later];
  const askReviewer = (execution_method: typeof preset.execution_method) =>
    pickPopup({
      title: 'Who should review the code?',
      choices: reviewers,
      usual: preset.code_review_tool,
      does: 'carry it out',
      take: (code_review_tool) =>
        answer({ kind: 'now', execution_method, code_review_tool, by: 'user' }),
    });
  const now: Offer = {
    name: 'Now',
    means: 'you choose by whom',
    does: 'carry it out',
    run: (open) =>
      open(
        pickPopup({
          title: 'Who should carry it out?',
          choices: executors,
          usual: preset.execution_method,
          does: 'next: who reviews',
          take: (method) => open(askReviewer(method)),
        }),
      ),
  };
  return [now, later];
}

/** One of a few values is picked; the usual one first. */
function pickPopup<Value extends string>({
  title,
  choices,
  usual,
  does,
  take,
}: {
  readonly title: string;
  readonly choices: readonly { readonly value: Value; readonly means: string }[];
  readonly usual: Value;
  readonly does: string;
  readonly take: (value: Value) => void;
}): Popup {
  return {
    title,
    entries: choices.map(({ value, means }) => `${value.padEnd(15)}${means}`),
    at: choices.findIndex(({ value }) => value === usual),
    keys: ({ at = 0 }) => [key(['enter'], does, () => take(choices[at]?.value ?? usual), decisive)],
  };
}

/** What would be done: the tasks, and the commands of their checks, all of them. */
export function workRows(
  { tasks, commands, obstacle }: ExecuteQuestion,
  width: number,
): readonly Row[] {
  const ids = Math.max(0, ...tasks.map(({ id }) => id.length));
  return [
    ...(obstacle === null ? wrapped(apartNote, { width }) : []),
    ...tasks.map(({ id, title }) => row(span(`  ${id.padEnd(ids)}  `, 'quiet'), span(title))),
    ...(commands.length === 0 ? [] : [emptyRow, ...wrapped(commandsNote, { width })]),
    ...commands.flatMap((command) => wrapped(command, { width, indent: 2, tone: 'accent' })),
  ];
}
