// Shows the question that waits for the person, and remembers what was done at each.
import { executeForm } from '../../execution-forms.ts';
import { chooseForm, clarifyForm } from '../../question-forms.ts';
import type { QuestionProps, QuestionStage } from '../screen-state.ts';
import { perQuestion, createStore, useStore } from '../store.ts';
import { useTools, useTui } from '../tools.tsx';
import { openResultStores } from './apply/apply-keys.ts';
import { ApplyScreen } from './apply/apply-view.tsx';
import { DecisionScreen, openDecision } from './decision/decision-page.tsx';
import { FormScreen, openForm } from './form-screen.tsx';
import { openReviews } from './review/review-tools.ts';
import { ReviewScreen } from './review/review-screen.tsx';
import { type FormValues, readForm } from '../../../model/form.ts';
import { type QuestionBackground, askersText } from '../../../phases/discussion/clarify.ts';
import { type Popup, popupKeys } from '../popup.tsx';
import { Frame } from '../frame.tsx';
import { key, useQuestionKeys } from '../key-bindings.ts';
import { marks } from '../theme.ts';
import { textField } from '../widgets/text-field/field.ts';

/** Opens the question screens for one terminal, with what they remember. */
export function openQuestionScreen() {
  const memory = openMemory();
  return function QuestionScreen({ stage }: { readonly stage: QuestionStage }) {
    switch (stage.kind) {
      case 'clarify':
        return <QuestionsScreen stage={stage} stores={memory.clarify(stage.question)} />;
      case 'decide':
        return <DecisionScreen stage={stage} stores={memory.decide(stage.question)} />;
      case 'approve':
        return <ReviewScreen stage={stage} stores={memory.approve(stage.question)} />;
      case 'execute':
        return <ExecuteScreen stage={stage} stores={memory.form(stage.question)} />;
      case 'apply':
        return <ApplyScreen stage={stage} stores={memory.apply(stage.question)} />;
      case 'choose':
        return <ChoiceScreen stage={stage} stores={memory.form(stage.question)} />;
    }
  };
}

/** Asks whether an approved plan is executed now, and by which agent. */
function ExecuteScreen({ stage, stores }: QuestionProps<'execute', typeof openForm>) {
  const { session, isApprovedNow } = useTui(({ progress }) => progress);
  const { program } = useTools().ports;
  const asked = executeForm(stage.question, { session: session ?? '', isApprovedNow, program });
  const copies = `${program} execute ${session}`;
  return <FormScreen {...stage} {...{ asked, copies }} store={stores} />;
}

/** Shows a question with a few answers. */
function ChoiceScreen({ stage, stores }: QuestionProps<'choose', typeof openForm>) {
  const { program } = useTools().ports;
  const copies = `${program} sessions show ${stage.question.session}`;
  return (
    <FormScreen {...stage} asked={chooseForm(stage.question)} copies={copies} store={stores} />
  );
}

/** Gives, for each kind, the state of a question’s screen; it is kept while the person looks at the run. */
function openMemory() {
  return {
    clarify: perQuestion(openAnswers),
    decide: perQuestion(openDecision),
    approve: openReviews(),
    apply: perQuestion(openResultStores),
    form: perQuestion(openForm),
  };
}

type Answers = Readonly<Record<string, string>>;

interface AnswerState {
  /** Index of the question that is being answered. */
  readonly at: number;
  /** The answers so far, by the number of the question, from 1. */
  readonly answers: Answers;
  /** True while the person is asked whether to skip all questions. */
  readonly isLeaving: boolean;
}

function openAnswers() {
  return {
    answering: createStore<AnswerState>({ at: 0, answers: {}, isLeaving: false }),
    field: createStore(textField()),
  };
}

/** Shows the agents’ questions, answered in place or skipped. */
function QuestionsScreen({ stage, stores }: QuestionProps<'clarify', typeof openAnswers>) {
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
