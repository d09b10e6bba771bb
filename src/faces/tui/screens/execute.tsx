// Asks whether an approved plan is executed now, who does it and who reviews.
import type { ExecuteAnswer } from '../../../model/execution.ts';
import type { ExecuteQuestion } from '../../../workflow/view.ts';
import {
  type TeamChoice,
  apartNote,
  commandsNote,
  executors,
  reviewers,
} from '../../execution-words.ts';
import { type Offer, ChoicePage } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { type Binding, key } from '../keys.ts';
import type { KeyName } from '../keyboard.ts';
import { emptyRow, factRows, row, span, type Row, wrapped } from '../rows.ts';
import type { Execute } from '../state.ts';
import { createStore, perQuestion, useStore } from '../store.ts';
import { useTui } from '../tools.tsx';

/** Who carries a plan out, and who reviews the code. */
type Team = ExecuteQuestion['preset'];

/** Null until somebody else is chosen. */
const teamOf = perQuestion(() => createStore<Team | null>(null));

/** Whether an approved plan is carried out now, and by whom. */
export function ExecuteScreen({ stage: { question, answer } }: { readonly stage: Execute }) {
  const { session, isApprovedNow } = useTui((shared) => shared.progress);
  const { width } = useBodySize();
  const store = teamOf(question);
  const team = useStore(store, (now) => now) ?? question.preset;
  const { obstacle, byHand } = question;
  const command = `conclave execute ${session ?? ''}`;
  const choices = executeChoices(question, team, answer);
  const keys = obstacle === null ? teamKeys(team, (next) => store.change(() => next)) : [];
  // Right after the approval Enter alone carries nothing out: whoever takes what is recommended on
  // each screen has not asked for that.
  const usual = isApprovedNow ? choices.length - 1 : 0;
  const is = obstacle === null ? 'Carry it out now?' : 'It cannot be carried out now.';
  const head = [
    row(span(`The plan is approved. ${is}`, 'strong')),
    ...(obstacle === null ? teamRows(team) : wrapped(obstacle, { width, tone: 'warn' })),
  ];
  const notes = [
    emptyRow,
    ...factRows('Later', command, width),
    ...(byHand === null ? [] : factRows('By hand', byHand, width)),
  ];
  const body = workRows(question, width);
  return <ChoicePage {...{ question, head, notes, body, choices, usual, keys }} copies={command} />;
}

/** Now, by those that are shown; or later, which is left where it cannot be now. */
export function executeChoices(
  { obstacle }: Pick<ExecuteQuestion, 'obstacle'>,
  team: Team,
  answer: (given: ExecuteAnswer) => void,
): readonly Offer[] {
  const later: Offer = {
    name: 'Later',
    means: 'the plan stays approved',
    does: 'leave it for later',
    run: () => answer({ kind: 'later' }),
  };
  const now: Offer = {
    name: 'Now',
    means: 'by those who are named above',
    does: 'carry it out',
    run: () => answer({ kind: 'now', ...team, by: 'user' }),
  };
  return obstacle === null ? [now, later] : [later];
}

/** Each key changes one of them, round and round. */
export function teamKeys(team: Team, change: (next: Team) => void): readonly Binding[] {
  const { execution_method: executor, code_review_tool: reviewer } = team;
  return [
    key(['t'], 'who does it', () =>
      change({ ...team, execution_method: after(executors, executor) }),
    ),
    key(['r'], 'who reviews', () =>
      change({ ...team, code_review_tool: after(reviewers, reviewer) }),
    ),
  ];
}

function after<Value>(choices: readonly TeamChoice<Value>[], value: Value): Value {
  const at = choices.findIndex((choice) => choice.value === value);
  return choices[(at + 1) % choices.length]?.value ?? value;
}

/** Who is proposed or was chosen, with the keys that change it. */
function teamRows({
  execution_method: executor,
  code_review_tool: reviewer,
}: Team): readonly Row[] {
  return [
    memberRow('t', 'tasks by', executors, executor),
    memberRow('r', 'review by', reviewers, reviewer),
  ];
}

function memberRow<Value extends string>(
  name: KeyName,
  does: string,
  choices: readonly TeamChoice<Value>[],
  value: Value,
): Row {
  const means = choices.find((choice) => choice.value === value)?.means ?? '';
  return row(
    span(`  ${name} `, 'key'),
    span(does.padEnd(11), 'quiet'),
    span(value.padEnd(15)),
    span(means, 'quiet'),
  );
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
