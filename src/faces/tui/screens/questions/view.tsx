import { Frame } from '../../frame.tsx';
import { type Binding, useQuestionKeys } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import { bulleted, emptyRow, row, span, type Row, wrapped } from '../../rows.ts';
import type { Clarify } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { marks } from '../../theme.ts';
import { useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/state.ts';
import { TextFieldView, brokeLine } from '../../widgets/text-field/view.tsx';
import {
  clarificationOf,
  questionsReducer,
  startingQuestions,
  type QuestionsAction,
  type QuestionsState,
  withAnswer,
} from './state.ts';

const keptOf = perQuestion(() => ({
  answering: createStore(startingQuestions),
  field: createStore(textField()),
}));

/** The questions of the agents, answered in place or skipped. */
export function QuestionsScreen({ stage }: { readonly stage: Clarify }) {
  const { store } = useTools();
  const { questions } = stage.question;
  const { answering, field } = keptOf(stage.question);
  const state = useStore(answering, (now) => now);
  const dispatch = (action: QuestionsAction) =>
    answering.change((now) => questionsReducer(now, action));
  const send = (answers: readonly string[]) => stage.answer(clarificationOf(questions, answers));
  const enter = () => {
    const { text } = field.get();
    if (state.at === questions.length - 1) return send(withAnswer(state, text));
    field.change(() => textField(state.answers[state.at + 1] ?? ''));
    dispatch({ type: 'answer', text, of: questions.length });
  };
  const back = () => {
    const { text } = field.get();
    if (state.at > 0) field.change(() => textField(state.answers[state.at - 1] ?? ''));
    dispatch({ type: 'back', text });
  };
  const lookAtRun = () => store.change((shared) => ({ ...shared, besides: 'run' }));
  const all: readonly Binding[] = state.isLeaving
    ? [
        { keys: ['enter', 'y'], does: 'skip them', decides: true, run: () => send([]) },
        { keys: ['esc', 'n'], does: 'answer them', run: () => dispatch({ type: 'stay' }) },
      ]
    : [
        {
          keys: ['enter'],
          does: state.at === questions.length - 1 ? 'send' : 'next question',
          decides: true,
          run: () => brokeLine(field) || enter(),
        },
        { keys: ['esc'], does: state.at === 0 ? 'skip all' : 'previous question', run: back },
        { keys: ['ctrl+r'], does: 'the run', run: lookAtRun },
      ];
  const bindings = useQuestionKeys(stage.question, all);
  return (
    <Frame bindings={bindings} typing={!state.isLeaving}>
      {({ width, height, active }) =>
        state.isLeaving ? (
          <Rows rows={leavingRows} width={width} />
        ) : (
          <>
            <Rows rows={[...questionRows(questions, state, width), emptyRow]} width={width} />
            <TextFieldView
              field={field}
              active={active}
              width={width}
              height={Math.max(1, Math.floor(height / 3))}
              lines="many"
              placeholder="Your answer; leave it empty to skip the question"
            />
            <Rows rows={[emptyRow, ...laterRows(questions, state, width)]} width={width} />
          </>
        )
      }
    </Frame>
  );
}

const leavingRows = [
  row(span('Skip the questions?', 'strong')),
  emptyRow,
  row(span('The session continues with the best options so far.')),
];

/** The question of the moment below those that were answered. */
export function questionRows(
  questions: readonly string[],
  state: QuestionsState,
  width: number,
): readonly Row[] {
  const count = questions.length === 1 ? 'a question' : `${questions.length} questions`;
  return [
    row(span(`The agents have ${count} for you.`, 'strong')),
    emptyRow,
    ...questions
      .slice(0, state.at)
      .flatMap((question, index) => [
        ...bulleted([question], { mark: marks.done, width, tone: 'quiet', textTone: 'quiet' }),
        ...wrapped(state.answers[index] || 'not answered', { width, tone: 'quiet', indent: 4 }),
      ]),
    ...bulleted([questions[state.at] ?? ''], { ...now, width }),
  ];
}

const now = { mark: marks.chosen, tone: 'accent', textTone: 'accent' } as const;

/** What follows after the question of the moment. */
function laterRows(
  questions: readonly string[],
  state: QuestionsState,
  width: number,
): readonly Row[] {
  const later = questions.slice(state.at + 1);
  return bulleted(later, { mark: marks.later, width, tone: 'quiet', textTone: 'quiet' });
}
