// Puts the questions of a session to a program, with the possible choices, and reads its answers.
import { styleCountText } from '../../model/commit-style.ts';
import type { PlanVerdict } from '../../model/decision.ts';
import type { ResultAnswer } from '../../model/execution.ts';
import { objectionsTo, outcomeText } from '../../model/execution-summary.ts';
import { agreementLines, workAgreement } from '../../model/agreement.ts';
import { blockingIn } from '../../model/finding.ts';
import type { InputAnswer, QuestionFacts } from '../../model/input-event.ts';
import { commentOf } from '../../model/plan-edit.ts';
import { agentQuestions, resolveChoice } from '../../phases/discussion/clarify.ts';
import { setUpText, settingsFrom } from '../../phases/execution/propose-set-up.ts';
import { type Answers, type Questions, wholeQuestion } from '../../workflow/view-port.ts';
import {
  conflictText,
  executorChoices,
  proposeReview,
  reviewerChoices,
  setUpNote,
  type TeamChoice,
  worktreeNote,
} from '../execution-words.ts';

/** An answer in the form that the session uses, or why it is invalid. */
export type Reading<T> = { readonly answer: T } | { readonly refusal: string };

/** How the answer to a question is read. */
export interface Asking<T> {
  readonly signal: AbortSignal;
  readonly read: (given: InputAnswer) => Reading<T>;
  /** The answer that a skip means; null if the question cannot be skipped. */
  readonly skipped: { readonly answer: T } | null;
}

/** Puts a question to the program until the signal of the session is aborted. */
export type Ask = <T>(awaited: QuestionFacts, asking: Asking<T>) => Promise<T>;
const nothing = { questions: [], commands: [], notes: [] };

/** Answers every question of a session with the program’s answers. */
export function answersBy(ask: Ask): Answers {
  return {
    clarify: (question, signal) => clarify(ask, question, signal),
    decide: async (question, signal) => decide(ask, await wholeQuestion(question), signal),
    approve: async (question, signal) => approve(ask, await wholeQuestion(question), signal),
    execute: async (question, signal) => execute(ask, await wholeQuestion(question), signal),
    apply: async (question, signal) => apply(ask, await wholeQuestion(question), signal),
    choose: (question, signal) => choose(ask, question, signal),
  };
}

function choose(
  ask: Ask,
  { asks, lines, choices, usual }: Questions['choose']['asks'],
  signal: AbortSignal,
): Promise<string> {
  const all = [usual, ...choices];
  const notes = [...lines, asks, ...all.map(({ word, means }) => `${word}: ${means}`)];
  return ask<string>(
    { ...nothing, kind: 'choose', choices: all.map(({ word }) => word), notes },
    {
      signal,
      read: ({ choice = usual.word, text = '' }) => ({ answer: `${choice} ${text}`.trim() }),
      skipped: { answer: usual.word },
    },
  );
}

function apply(
  ask: Ask,
  { conflict = null, result }: Questions['apply']['asks'],
  signal: AbortSignal,
): Promise<ResultAnswer> {
  const notes = [`${outcomeText(result)}.`, ...objectionsTo(result)];
  const facts =
    conflict === null
      ? { choices: ['later', 'now'], notes }
      : {
          choices: ['later', ...conflict.resolvers],
          notes: [...notes, conflictText(conflict.files), conflict.byHand],
        };
  return ask<ResultAnswer>(
    { ...nothing, kind: 'apply', ...facts },
    {
      signal,
      read: ({ choice = 'later' }) => ({
        answer:
          conflict === null || choice === 'later'
            ? choice === 'now'
            : { apply: true, accepted: {}, resolve_with: choice },
      }),
      skipped: { answer: false },
    },
  );
}

function clarify(
  ask: Ask,
  { questions, backgrounds, goesOn }: Questions['clarify']['asks'],
  signal: AbortSignal,
): Promise<Questions['clarify']['answer']> {
  const asked = agentQuestions(questions, backgrounds);

  return ask<Questions['clarify']['answer']>(
    {
      ...nothing,
      kind: 'clarify',
      choices: [],
      questions: asked,
      notes: [
        goesOn
          ? 'Where an answer is left out, the agents state an assumption.'
          : 'Where an answer is left out, the plan rests on an assumption.',
      ],
    },
    {
      signal,
      skipped: { answer: { answers: [], feedback: '', skipped: true, by: 'user' } },
      read({ answers = [] }) {
        const unknown = answers.find((one) => !asked.some((question) => question.id === one.id));
        if (unknown !== undefined)
          return {
            refusal: `There is no question "${unknown.id}"; answer one or more of ${asked.map((one) => one.id).join(', ')}.`,
          };
        if (answers.length === 0)
          return { refusal: '"answers" is missing; give some, or skip the question.' };
        const given = answers.flatMap(({ id, text }) => {
          const at = asked.findIndex((one) => one.id === id);
          const question = questions[at] ?? '';
          const answer = resolveChoice(text, backgrounds[at] ?? { lines: [], choices: [] });
          return answer === '' ? [] : { question, answer };
        });
        return {
          answer: { answers: given, feedback: '', skipped: given.length === 0, by: 'user' },
        };
      },
    },
  );
}

function decide(
  ask: Ask,
  { synthesis, canDiscuss, uncertainty }: Questions['decide']['asks'],
  signal: AbortSignal,
): Promise<Questions['decide']['answer']> {
  const numbers = synthesis.solutions.map((_, at) => String(at + 1));
  const choices = [...numbers, ...(canDiscuss ? ['more'] : []), 'cancel'];
  return ask<Questions['decide']['answer']>(
    { ...nothing, kind: 'decide', choices, notes: uncertainty === null ? [] : [uncertainty] },
    {
      signal,
      skipped: null,
      read({ choice, text = '', constraints = [], execution, review }) {
        if (choice === 'cancel') return { answer: { kind: 'cancel', by: 'user' } };
        if (choice === 'more')
          return { answer: { kind: 'more-analysis', feedback: text.trim(), by: 'user' } };
        return {
          answer: {
            kind: 'approve',
            solution: Number(choice),
            execution_method: execution ?? 'Agent',
            ...(review === undefined ? {} : { code_review_tool: review }),
            constraints: constraints.map((one) => one.trim()).filter((one) => one !== ''),
            by: 'user',
          },
        };
      },
    },
  );
}

async function approve(
  ask: Ask,
  { desk, seen: before, canRevise, reading }: Questions['approve']['asks'],
  signal: AbortSignal,
): Promise<PlanVerdict> {
  const news = await reading?.follow();
  const seen = news === undefined ? before : await desk.read();
  const { plan, tasks, hash } = seen;
  const [blocking] = blockingIn(seen);
  const choices = [
    ...(plan !== null && blocking === undefined ? ['approve'] : []),
    ...(plan !== null && canRevise ? ['comment'] : []),
    ...(plan !== null && news?.asksAuthor === true ? ['reply'] : []),
    'leave',
    'reject',
  ];
  const notes = blocking === undefined ? [] : [blocking.message];
  return ask<PlanVerdict>(
    { ...nothing, kind: 'approve', choices, notes },
    {
      signal,
      skipped: { answer: { kind: 'leave', why: 'left by the user' } },
      read({ choice, text = '', comments = [] }) {
        const why = text.trim();
        if (choice === 'approve') return { answer: { kind: 'approve', by: 'user', hash } };
        if (choice === 'reply') return { answer: { kind: 'reply', by: 'user' } };
        if (choice === 'reject') return { answer: { kind: 'reject', why, by: 'user' } };
        if (choice === 'leave')
          return {
            answer: { kind: 'leave', why: why || (blocking?.message ?? 'left by the user') },
          };
        const said = comments.map((one) => one.trim()).filter((one) => one !== '');
        if (said.length === 0)
          return { refusal: 'A "comment" needs "comments": one text for each wish.' };
        const ids = tasks.map(({ id }) => id);
        const wishes = said.map((one) => commentOf(one, ids));
        return { answer: { kind: 'revise', comments: wishes, by: 'user' } };
      },
    },
  );
}

function execute(
  ask: Ask,
  question: Questions['execute']['asks'],
  signal: AbortSignal,
): Promise<Questions['execute']['answer']> {
  const { commands, obstacle, preset, who, setUp = null, commits = null } = question;
  const proposed =
    setUp === null
      ? []
      : [`${setUpNote(setUp.source)} "set_up": true takes it: ${setUpText(setUp)}`];
  return ask<Questions['execute']['answer']>(
    {
      ...nothing,
      kind: 'execute',
      choices: obstacle === null ? ['later', 'now'] : ['later'],
      commands: [...commands],
      executors: valuesOf(executorChoices(who)),
      reviewers: valuesOf(reviewerChoices(who, preset.execution_method)),
      ...(setUp === null ? {} : { set_up: [...setUp.argv] }),
      notes: [
        ...(obstacle === null ? [] : [`The plan cannot be carried out now: ${obstacle}.`]),
        worktreeNote,
        `Without "review": ${proposeReview(question, preset.execution_method)}.`,
        ...agreementLines(workAgreement(question)),
        ...proposed,
        ...(commits === null
          ? []
          : [`${styleCountText(commits)}; "conventional_commits": true gives new ones that form.`]),
      ],
    },
    {
      signal,
      skipped: { answer: { kind: 'later' } },
      read({ choice, execution, review, set_up: takes = false, conventional_commits: named }) {
        if (choice !== 'now') return { answer: { kind: 'later' } };
        const method = execution ?? preset.execution_method;
        const refusal =
          refusalOf('execution', execution, executorChoices(who)) ??
          refusalOf('review', review, reviewerChoices(who, method));
        if (refusal !== null) return { refusal };
        const answer: Questions['execute']['answer'] = {
          kind: 'now',
          execution_method: method,
          code_review_tool: review ?? proposeReview(question, method),
          ...(takes && setUp !== null ? settingsFrom(setUp) : {}),
          ...(named === true ? { commit_style: 'conventional' as const } : {}),
          by: 'user',
        };
        return { answer };
      },
    },
  );
}

/** Says which names are valid if the given one is not. */
function refusalOf<Value extends string>(
  field: string,
  value: Value | undefined,
  choices: readonly TeamChoice<Value>[],
): string | null {
  const known = valuesOf(choices);
  if (value === undefined || known.includes(value)) return null;
  return `"${field}" is "${value}", which is not ready or does not exist; name one of ${known.join(', ')}.`;
}

function valuesOf<Value>(choices: readonly TeamChoice<Value>[]): Value[] {
  return choices.map(({ value }) => value);
}

/** Reads an answer whose choice is one of those offered. */
export function readChoice<T>(
  given: InputAnswer,
  { choices }: QuestionFacts,
  read: (given: InputAnswer) => Reading<T>,
): Reading<T> {
  const { choice } = given;
  if (choices.length === 0 || (choice !== undefined && choices.includes(choice)))
    return read(given);
  const said = choice === undefined ? 'There is no "choice"' : `"${choice}" is not a choice here`;
  return { refusal: `${said}; give one of: ${choices.join(', ')}.` };
}
