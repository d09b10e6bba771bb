// Makes the form of each question: its choices and fields, and what a filled-in form means to the session.
import type { PlanRejection, PlanVerdict } from '../model/decision.ts';
import { blockingIn } from '../model/finding.ts';
import {
  type Form,
  type FormChoice,
  type FormQuestion,
  choiceField,
  choiceOf,
  textField,
  yes,
} from '../model/form.ts';
import { PlanComment } from '../model/plan-edit.ts';
import { openFindings } from '../model/plan-reading.ts';
import { counted, oneLine, sentence } from '../model/wording.ts';
import { agreementBlocks, optionsBlocks } from '../phases/documents/options-document.ts';
import { checkSection } from '../phases/documents/plan-document.ts';
import { stateFacts } from '../phases/documents/plan-state.ts';
import { askersText } from '../phases/discussion/clarify.ts';
import { isSame, readComment, unsentIn } from '../phases/planning/comments.ts';
import { editRule } from '../phases/proof/proof-files.ts';
import {
  type Answers,
  type PlanOnDesk,
  type Put,
  type QuestionKind,
  type Questions,
  answersBy,
  wholeQuestion,
} from '../workflow/view-port.ts';
import { type FormContext, applyForm, executeForm } from './execution-forms.ts';
import { textLines } from './document-text.ts';
import { anotherRoundText } from './short-forms.ts';

type Asks<Kind extends keyof Questions> = Questions[Kind]['asks'];

/** Puts one form to a person or a program. */
export type AskForm = <Answer>(
  asked: FormQuestion<Answer>,
  about: { readonly signal: AbortSignal },
) => Promise<Answer>;

/** Makes the form of a question of each kind, with what is looked up for it. */
export const formOf: {
  readonly [Kind in QuestionKind]: (
    question: Put<Kind>,
    context: FormContext,
  ) => Promise<FormQuestion<Questions[Kind]['answer']>>;
} = {
  clarify: async (question, context) => clarifyForm(question, context),
  decide: async (question) => decideForm(await wholeQuestion(question)),
  approve: async (question) => approveForm(await readToTheEnd(await wholeQuestion(question))),
  execute: async (question, context) => executeForm(await wholeQuestion(question), context),
  apply: async (question, context) => applyForm(await wholeQuestion(question), context),
  choose: async (question) => chooseForm(question),
};

/** Answers every question of a session by its form. */
export function answersByForm(ask: AskForm, context: () => FormContext): Answers {
  return answersBy(
    (kind) => async (question, signal) =>
      await ask(await formOf[kind](question, context()), { signal }),
  );
}

/** The review once all readers have answered, for faces that cannot show findings as they come. */
async function readToTheEnd({ reading, ...question }: Asks<'approve'>): Promise<PlanReview> {
  const news = await reading?.follow();
  // Asked again after an edit or a comment, the plan is no longer as it was.
  const seen = await question.desk.read();
  const author = news?.asksAuthor === true ? (reading?.author ?? null) : null;
  return { ...question, seen, author };
}

/** The review of a plan; `author` is the planner, if it can answer its readers, else null. */
export type PlanReview = Omit<Asks<'approve'>, 'reading'> & { readonly author: string | null };

/** Asks the agents’ questions, one field each, numbered from 1. */
export function clarifyForm(
  { questions, backgrounds, goesOn }: Asks<'clarify'>,
  { steers = false }: Partial<FormContext> = {},
): FormQuestion<Questions['clarify']['answer']> {
  const without = goesOn
    ? 'the agents then state an assumption'
    : 'the plan rests on an assumption';
  const fields = questions.map((question, at) => {
    const background = backgrounds[at] ?? { lines: [], choices: [] };
    const choices = background.choices.map((one) => choiceOf(one, one, { does: one }));
    const asks = `Question ${at + 1} of ${questions.length}${askersText(background)}: ${oneLine(question)}`;
    return textField(String(at + 1), asks, { choices, lines: [...background.lines] });
  });
  const form: Form = {
    kind: 'clarify',
    name: 'Your answer',
    asks: `The agents have questions. An empty answer skips one: ${without}.`,
    lines: [],
    fields: steers ? [...fields, decideNow] : fields,
    skip: {},
  };
  return {
    form,
    answer({ text }) {
      const answers = questions.flatMap((question, at) => {
        const answer = text(String(at + 1));
        return answer === '' ? [] : [{ question, answer }];
      });
      const settles = text(decideNow.name) === yes ? { settles: true } : {};
      return { answers, feedback: '', skipped: answers.length === 0, ...settles, by: 'user' };
    },
  };
}

/** Ends the discussion: the options follow as they stand. */
const decideNow = textField('decide_now', 'Show the options as they stand?', {
  choices: [choiceOf(yes, 'Decide now', { does: 'decide now, by the options as they stand' })],
  isOpen: false,
});

/** Asks which option to take. Who does the work is asked when the plan is carried out. */
export function decideForm(question: Asks<'decide'>): FormQuestion<Questions['decide']['answer']> {
  const { synthesis, canDiscuss, another } = question;
  const { solutions } = synthesis;
  const options = solutions.map(({ name }, at) =>
    choiceOf(String(at + 1), oneLine(name), { does: 'choose it', means: oneLine(name) }),
  );
  const more = choiceOf('more', 'More analysis', {
    does: 'have the agents look further',
    lines: [anotherRoundText(another)],
  });
  const cancel = choiceOf('cancel', 'Cancel', { does: 'stop and keep the session' });
  const numbers = options.map(({ value }) => value);
  const form: Form = {
    kind: 'decide',
    name: 'Option',
    asks: solutions.length === 0 ? 'There is no option to choose.' : 'Which option?',
    lines: [
      ...textLines([...optionsBlocks(question), ...agreementBlocks(synthesis)], { isWhole: true }),
      '',
    ],
    fields: [
      choiceField('Option', [...options, ...(canDiscuss ? [more] : []), cancel]),
      textField('text', 'What should the agents look into?', { goesWith: ['more'] }),
      textField('constraints', 'Constraints for the plan (empty for none)', {
        isMany: true,
        goesWith: numbers,
      }),
    ],
    skip: null,
  };
  return {
    form,
    answer({ text, texts }) {
      const choice = text('choice');
      if (choice === 'cancel') return { kind: 'cancel', by: 'user' };
      if (choice === 'more') return { kind: 'more-analysis', feedback: text('text'), by: 'user' };
      return {
        kind: 'approve',
        solution: Number(choice),
        execution_method: 'Agent',
        constraints: [...texts('constraints')],
        by: 'user',
      };
    },
  };
}

/** Approves although findings are open; a choice of its own, so that nobody takes it by habit. */
export const approveDespite = 'approve-despite-findings';

/** Asks for the verdict on a plan. What is open decides which choice comes first. */
export function approveForm(review: PlanReview): FormQuestion<PlanVerdict> {
  const { seen } = review;
  const { hash, tasks, document } = seen;
  const [blocking] = blockingIn(seen);
  const left = blocking?.message ?? 'left by the user';
  const saved = savedComments(seen);
  const form: Form = {
    kind: 'approve',
    name: 'Plan',
    asks: 'What now?',
    lines: [...planLines(review.seen, review.rejected), ''],
    fields: [
      choiceField('Plan', verdicts(review)),
      textField('text', 'Why? Leave empty to give no reason', { goesWith: ['reject'] }),
      textField(
        'comments',
        'What should be different? Begin with the id of a task if it is about one',
        { isMany: true, isNeeded: saved.length === 0, goesWith: ['comment'] },
      ),
    ],
    skip: { choice: 'leave' },
  };
  return {
    form,
    answer({ text, texts }) {
      const why = text('text');
      switch (text('choice')) {
        case 'approve':
        case approveDespite:
          return { kind: 'approve', by: 'user', hash };
        case 'fix':
          return fixVerdict(review);
        case 'reject':
          return { kind: 'reject', why, by: 'user' };
        case 'comment': {
          const told = { document, ids: tasks.map(({ id }) => id) };
          const typed = texts('comments').map((one) => readComment(one, told));
          const others = typed.filter((one) => !saved.some((known) => isSame(known, one)));
          return { kind: 'revise', comments: [...saved, ...others], by: 'user' };
        }
        default:
          return { kind: 'leave', why: left };
      }
    },
  };
}

/** Writes the state and the content of a plan as lines. */
export function planLines(seen: PlanOnDesk, rejected: PlanRejection | null): readonly string[] {
  const { plan, version, findings, document } = seen;
  return [
    `Plan, version ${version}: ${oneLine(plan?.summary ?? 'it cannot be read')}`,
    ...textLines([
      stateFacts({ ...seen, rejected }),
      ...(document?.blocks ?? [checkSection(findings)]),
    ]),
  ];
}

/** The possible verdicts, the recommended one first. */
function verdicts({ seen, planner, author }: PlanReview): readonly FormChoice[] {
  const faults = blockingIn(seen);
  // A proof that a person has just edited does not block: approving runs it first.
  const isEdited = faults.length > 0 && faults.every(({ rule }) => rule === editRule);
  const blocking = isEdited ? 0 : faults.length;
  const open = blocking + openFindings(seen.reading, seen.version).length;
  const found = counted(open, 'open finding');
  const canFix = author !== null || (planner !== null && open > 0);
  const leave = choiceOf('leave', 'Leave', {
    does: 'leave it as it is',
    means: 'as it is, to be edited or approved later',
  });
  const reject = choiceOf('reject', 'Reject', {
    does: 'reject it',
    means: 'and say why; withdraws an approval',
  });
  if (seen.plan === null) return [leave, reject];
  const saved = counted(savedComments(seen).length, 'comment');
  const isUnsent = savedComments(seen).length > 0;
  const lines = isUnsent ? [`${saved} of yours would not be sent.`] : [];
  const approve = isEdited
    ? choiceOf('approve', 'Run it', { does: 'run the proof that you changed, then ask again' })
    : choiceOf('approve', 'Approve', { does: 'approve it as it is', means: 'as it is', lines });
  const fix = choiceOf('fix', 'Fix', {
    does: author === null ? `have ${planner} fix ${found}` : `have ${author} answer the findings`,
  });
  const comment = choiceOf('comment', 'Comment', {
    does: isUnsent
      ? `send ${saved}; ${planner} makes a new version`
      : `say what should be different; ${planner} makes a new version`,
  });
  const despite = choiceOf(approveDespite, 'Approve despite findings', {
    does: 'approve all the same',
    means: `approve it despite ${found}`,
    lines,
  });
  return [
    ...(open === 0 ? [approve] : []),
    ...(canFix ? [fix] : []),
    ...(planner === null ? [] : [comment]),
    leave,
    reject,
    ...(open > 0 && blocking === 0 ? [despite] : []),
  ];
}

/** Has the author answer its readers, or else sends what is open back to the planner as comments. */
function fixVerdict({ seen, author }: PlanReview): PlanVerdict {
  if (author !== null) return { kind: 'reply', by: 'user' };
  return { kind: 'revise', comments: [...savedComments(seen), ...fixComments(seen)], by: 'user' };
}

/** What the person wrote about lines of the plan, and the planner has not got. */
function savedComments({ comments }: PlanOnDesk): PlanComment[] {
  return unsentIn(comments, 'plan').map((one) => PlanComment.parse(one));
}

/** What is open in a plan as comments for the planner. */
function fixComments(seen: PlanOnDesk): PlanComment[] {
  const open = openFindings(seen.reading, seen.version);
  return [
    ...blockingIn(seen).map(({ file, message }) => ({ task: taskOfFile(file), text: message })),
    ...open.map(({ agent, task, problem, suggestion }) => ({
      task,
      text: `${agent} found: ${sentence(problem)} ${suggestion}`.trim(),
    })),
  ];
}

function taskOfFile(file: string): string | null {
  return /^\.task\/(.+)\.json$/.exec(file)?.[1] ?? null;
}

/** Asks a question with a few answers; a text follows the word of the answer that asks for one. */
export function chooseForm({
  name,
  asks,
  lines,
  choices,
  usual,
}: Asks<'choose'>): FormQuestion<string> {
  const all = [usual, ...choices];
  const writing = choices.filter(({ writes }) => writes !== undefined);
  const form: Form = {
    kind: 'choose',
    name,
    asks,
    lines: [...lines],
    fields: [
      choiceField(
        name,
        all.map(({ word, name: title, means, does }) => choiceOf(word, title, { means, does })),
      ),
      ...writing
        .slice(0, 1)
        .map(({ writes = '' }) =>
          textField('text', writes, { goesWith: writing.map(({ word }) => word) }),
        ),
    ],
    skip: { choice: usual.word },
  };
  return { form, answer: ({ text }) => `${text('choice')} ${text('text')}`.trim() };
}
