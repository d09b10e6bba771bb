// Asks the agents’ questions.
import { type FormValues, readForm } from '../../../model/form.ts';
import { type QuestionBackground, askersText } from '../../../phases/discussion/clarify.ts';
import { clarifyForm } from '../../question-forms.ts';
import { type Popup, popupKeys } from '../popup.tsx';
import { Frame } from '../frame.tsx';
import { key, useQuestionKeys } from '../key-bindings.ts';
import type { QuestionProps } from '../screen-state.ts';
import { createStore, useStore } from '../store.ts';
import { marks } from '../theme.ts';
import { useTools } from '../tools.tsx';
import { textField } from '../widgets/text-field/field.ts';

type Answers = Readonly<Record<string, string>>;

interface AnswerState {
  /** Index of the question that is being answered. */
  readonly at: number;
  /** The answers so far, by the number of the question, from 1. */
  readonly answers: Answers;
  /** True while the person is asked whether to skip all questions. */
  readonly isLeaving: boolean;
}

export function openAnswers() {
  return {
    answering: createStore<AnswerState>({ at: 0, answers: {}, isLeaving: false }),
    field: createStore(textField()),
  };
}

/** Shows the agents’ questions, answered in place or skipped. */
export function QuestionsScreen({ stage, stores }: QuestionProps<'clarify', typeof openAnswers>) {
  const { lookAtRun } = useTools();
  const { questions, backgrounds, goesOn } = stage.question;
  const { answering, field } = stores;
  const { at, answers, isLeaving } = useStore(answering, (now) => now);
  const background = backgrounds[at] ?? noBackground;
  const isLast = at === questions.length - 1;
  const leaving = (is: boolean) => answering.change((now) => ({ ...now, isLeaving: is }));
  const send = (given: FormValues) => {
    const reading = readForm(clarifyForm(stage.question, { steers: true }), given);
    if ('answer' in reading) stage.answer(reading.answer);
  };
  const written = () => ({ ...answers, [fieldName(at)]: field.get().text });
  /** Goes to another question; the answer typed for this one stays. */
  const goTo = (next: number) => {
    const kept = written();
    field.change(() => textField(kept[fieldName(next)] ?? ''));
    answering.change((now) => ({ ...now, answers: kept, at: next }));
  };
  const decides = { decides: true };
  const decideNow = () => send({ ...written(), decide_now: true });
  const enter = () => (isLast ? send(written()) : goTo(at + 1));
  const question: Popup = {
    title: `Question ${at + 1} of ${questions.length}${askersText(background) || ' from the agents'}`,
    body: bodyOf(questions[at] ?? '', background),
    writes: { field, placeholder: placeholderFor(background) },
    keys: () => [
      key(['enter'], isLast ? 'send' : 'next question', enter, decides),
      at === 0
        ? key(['esc'], 'skip all', () => leaving(true))
        : key(['esc'], 'previous question', () => goTo(at - 1)),
      key(['ctrl+o'], 'decide now', decideNow, decides),
      key(['ctrl+r'], 'the run', lookAtRun),
    ],
  };
  const leave: Popup = {
    title: 'Skip the questions?',
    body: [{ text: goesOn ? skipGoesOn : skipEnds, tone: 'plain' }],
    keys: () => [
      key(['enter', 'y'], 'skip them', () => send({}), decides),
      key(['d'], 'decide now', decideNow, decides),
    ],
  };
  const popup = isLeaving ? leave : question;
  const keys = popupKeys(popup, { change: () => undefined, close: () => leaving(false) });
  const bindings = useQuestionKeys(stage.question, keys);
  return <Frame bindings={bindings} rows={[]} popup={popup} />;
}

/** The name of a question in its form: its number. */
const fieldName = (index: number) => String(index + 1);

const skipGoesOn = 'The agents go on with another round, and state what they assume.';
const skipEnds = 'The options follow, and the plan rests on an assumption for each question.';

/** The question, its choices, and what it is about. */
function bodyOf(
  question: string,
  { lines, choices }: QuestionBackground,
): NonNullable<Popup['body']> {
  const options = choices.map((one, index) => `${index + 1} ${one}`);
  const parts = [
    { text: `${marks.chosen} ${question}`, tone: 'accent' },
    { text: options.join('\n'), tone: 'plain' },
    { text: lines.join('\n'), tone: 'quiet' },
  ] as const;
  return parts.filter(({ text }) => text !== '');
}

function placeholderFor({ choices }: QuestionBackground): string {
  const answer = choices.length === 0 ? 'an answer' : 'a number or an answer';
  return `Type ${answer}. Enter alone skips.`;
}

const noBackground: QuestionBackground = { lines: [], choices: [] };
