import { useTools } from '../../context.ts';
import { Frame } from '../../frame.tsx';
import { perQuestion } from '../../kept.ts';
import type { Binding } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import { emptyRow, row, span } from '../../rows.ts';
import { useQuestionKeys } from '../../seen.ts';
import type { Clarify } from '../../stage.ts';
import { createStore, useStore } from '../../store.ts';
import { textField } from '../../widgets/text-field/state.ts';
import { TextFieldView, brokeLine } from '../../widgets/text-field/view.tsx';
import { laterRows, questionRows } from './rows.ts';
import {
  type QuestionsAction,
  clarificationOf,
  questionsReducer,
  startingQuestions,
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
        { keys: ['esc'], does: state.at === 0 ? 'skip all' : 'question before', run: back },
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
              placeholder="Your answer; leave it empty to skip this one"
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
  row(span('The session goes on with the best options as they are.')),
];
