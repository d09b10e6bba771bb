// Asks whether an approved plan is executed now, and who executes and reviews it.
import type { ExecuteAnswer } from '../../../model/execution.ts';
import { styleCountText } from '../../../model/commit-style.ts';
import { agreementBlocks, workAgreement } from '../../../model/agreement.ts';
import {
  type ProposedSetUp,
  setUpText,
  settingsFrom,
} from '../../../phases/execution/propose-set-up.ts';
import type { ExecuteQuestion } from '../../../workflow/view-port.ts';
import {
  type TeamChoice,
  worktreeNote,
  executorChoices,
  meaningOf,
  proposeReview,
  reviewerChoices,
} from '../../execution-words.ts';
import { type Offer, ChoicePage, startingChoice } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { type Binding, key } from '../key-bindings.ts';
import type { KeyName } from '../keyboard.ts';
import { emptyRow, factRows, row, span, type Row, wrapText } from '../screen-rows.ts';
import type { QuestionProps } from '../screen-state.ts';
import { createStore, useStore } from '../store.ts';
import { useTools, useTui } from '../tools.tsx';

/** The agent that executes a plan, and the one that reviews the code. */
type Team = Pick<
  Extract<ExecuteAnswer, { kind: 'now' }>,
  'execution_method' | 'code_review_tool'
> & {
  readonly setup?: string[];
  readonly copy?: string[];
  readonly commit_style?: 'conventional';
};

/** Makes the stores; the team is null until the person changes it. */
export function openExecuteStores() {
  return { team: createStore<Team | null>(null), choice: createStore(startingChoice) };
}

/** Asks whether an approved plan is executed now, and by which agent. */
export function ExecuteScreen({
  stage,
  stores,
}: QuestionProps<'execute', typeof openExecuteStores>) {
  const { question, answer } = stage;
  const { session, isApprovedNow } = useTui((shared) => shared.progress);
  const { width } = useBodySize();
  const { execution_method } = question.preset;
  const proposed = {
    execution_method,
    code_review_tool: proposeReview(question, execution_method),
  };
  const team = useStore(stores.team, (now) => now) ?? proposed;
  const { obstacle, byHand } = question;
  const { program } = useTools().ports;
  const command = `${program} execute ${session ?? ''}`;
  const choices = executeChoices(question, team, answer);
  const change = (next: Team) => stores.team.change(() => next);
  const keys = obstacle === null ? teamKeys(team, change, question) : [];
  // Right after the approval Enter alone executes nothing: a person who accepts each screen’s
  // recommendation has not asked for that.
  const usual = isApprovedNow ? choices.length - 1 : 0;
  const is = obstacle === null ? 'Carry it out now?' : 'It cannot be carried out now.';
  const head = [
    row(span(`The plan is approved. ${is}`, 'strong')),
    ...(obstacle === null
      ? [...teamRows(team, question), ...setUpRows(team, question), ...styleRows(team, question)]
      : wrapText(obstacle, { width, tone: 'warn' })),
  ];
  const notes = [
    emptyRow,
    ...factRows('Later', command, width),
    ...(byHand === null ? [] : factRows('By hand', byHand, width)),
  ];
  const body = workRows(question, width);
  const shown = { question, store: stores.choice, head, notes, body, choices, usual, keys };
  return <ChoicePage {...shown} copies={command} />;
}

/** The choices: now, by the agents shown; or later, which is the only one if it cannot be now. */
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
    means: 'by the agents named above',
    does: 'carry it out',
    run: () => answer({ kind: 'now', ...team, by: 'user' }),
  };
  return obstacle === null ? [now, later] : [later];
}

/** The keys that change the team; each cycles through the values of one choice. */
export function teamKeys(
  team: Team,
  change: (next: Team) => void,
  { who, setUp = null, commits = null }: Pick<ExecuteQuestion, 'who' | 'setUp' | 'commits'>,
): readonly Binding[] {
  const { execution_method: executor, code_review_tool: reviewer } = team;
  return [
    key(['t'], 'who does it', () =>
      change({ ...team, execution_method: after(executorChoices(who), executor) }),
    ),
    key(['r'], 'who reviews', () =>
      change({ ...team, code_review_tool: after(reviewerChoices(who, executor), reviewer) }),
    ),
    ...(setUp === null ? [] : [key(['s'], 'set-up', () => change(withSetUp(team, setUp)))]),
    ...(commits === null ? [] : [key(['m'], 'commit messages', () => change(withStyle(team)))]),
  ];
}

/** Switches conventional commits on or off. */
function withStyle({ commit_style: style, ...team }: Team): Team {
  return style === undefined ? { ...team, commit_style: 'conventional' } : team;
}

function styleRows(
  { commit_style: style }: Team,
  { commits = null }: ExecuteQuestion,
): readonly Row[] {
  if (commits === null) return [];
  const value = style === undefined ? 'Plain' : 'Conventional';
  return [wayRow('m', 'commits', value, styleCountText(commits))];
}

/** Switches the set-up that was found on or off. */
function withSetUp({ setup, copy, ...team }: Team, found: ProposedSetUp): Team {
  return setup === undefined && copy === undefined ? { ...team, ...settingsFrom(found) } : team;
}

function setUpRows({ setup, copy }: Team, { setUp = null }: ExecuteQuestion): readonly Row[] {
  if (setUp === null) return [];
  const isTaken = (setup ?? copy) !== undefined;
  const how = isTaken ? 'once, and remembered' : `as ${setUp.source} proposes`;
  return [wayRow('s', 'set-up', isTaken ? 'Taken' : 'None', `${setUpText(setUp)}, ${how}`)];
}

function after<Value>(choices: readonly TeamChoice<Value>[], value: Value): Value {
  const at = choices.findIndex((choice) => choice.value === value);
  return choices[(at + 1) % choices.length]?.value ?? value;
}

/** Shows the agents that are proposed or were chosen, with the keys that change them. */
function teamRows(
  { execution_method: executor, code_review_tool: reviewer }: Team,
  { who }: ExecuteQuestion,
): readonly Row[] {
  return [
    memberRow('t', 'tasks by', executorChoices(who), executor),
    memberRow('r', 'review by', reviewerChoices(who, executor), reviewer),
  ];
}

function memberRow<Value extends string>(
  name: KeyName,
  does: string,
  choices: readonly TeamChoice<Value>[],
  value: Value,
): Row {
  return wayRow(name, does, value, meaningOf(choices, value));
}

function wayRow(name: KeyName, does: string, value: string, means: string): Row {
  return row(
    span(`  ${name} `, 'key'),
    span(does.padEnd(11), 'quiet'),
    span(value.padEnd(15)),
    span(means, 'quiet'),
  );
}

/** Shows the work ahead: the tasks, and all commands of their checks. */
export function workRows(question: ExecuteQuestion, width: number): readonly Row[] {
  return [
    ...(question.obstacle === null ? wrapText(worktreeNote, { width }) : []),
    ...agreementBlocks(workAgreement(question)).flatMap(({ name, texts }) =>
      texts.flatMap((text, at) => factRows(at === 0 ? name : '', text, width)),
    ),
  ];
}
