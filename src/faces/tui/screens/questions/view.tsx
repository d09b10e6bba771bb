import type { Clarification } from '../../../../model/decision.ts';
import { type QuestionBackground, meantAnswer } from '../../../../phases/discussion/clarify.ts';
import { Frame } from '../../frame.tsx';
import { type Binding, useQuestionKeys } from '../../keys.ts';
import { bulleted, emptyRow, row, span, type Row, wrapped } from '../../rows.ts';
import type { Clarify } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { marks } from '../../theme.ts';
import { Rows, useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { TextFieldView } from '../../widgets/text-field/view.tsx';

type Answers = Readonly<Record<number, string>>;

interface Answering {
  /** Index of the question that is answered now. */
  readonly at: number;
  /** What was written so far, by the index of the question. */
  readonly answers: Answers;
  /** Asks once before all are skipped. */
  readonly isLeaving: boolean;
}

const storesOf = perQuestion(() => ({
  answering: createStore<Answering>({ at: 0, answers: {}, isLeaving: false }),
  field: createStore(textField()),
}));

/** The questions of the agents, answered in place or skipped. */
export function QuestionsScreen({ stage }: { readonly stage: Clarify }) {
  const { store } = useTools();
  const { questions, backgrounds } = stage.question;
  const { answering, field } = storesOf(stage.question);
  const state = useStore(answering, (now) => now);
  const { at, isLeaving } = state;
  const background = backgrounds[at] ?? noBackground;
  const written = () => {
    return { ...state.answers, [at]: meantAnswer(field.get().text, background).trim() };
  };
  const isLast = at === questions.length - 1;
  const leaving = (is: boolean) => () => answering.change((now) => ({ ...now, isLeaving: is }));
  const send = (answers: Answers) => stage.answer(clarificationOf(questions, answers));
  /** What was written for this question stays. */
  const goTo = (next: number) => {
    const answers = written();
    field.change(() => textField(answers[next] ?? ''));
    answering.change((now) => ({ ...now, answers, at: next }));
  };
  const enter = () => (isLast ? send(written()) : goTo(at + 1));
  const look = () => store.change((shared) => ({ ...shared, besides: 'run' }));
  const all: readonly Binding[] = isLeaving
    ? [
        { keys: ['enter', 'y'], does: 'skip them', decides: true, run: () => send({}) },
        { keys: ['esc', 'n'], does: 'answer them', run: leaving(false) },
      ]
    : [
        {
          keys: ['enter'],
          does: isLast ? 'send' : 'next question',
          decides: true,
          run: enter,
        },
        at === 0
          ? { keys: ['esc'], does: 'skip all', run: leaving(true) }
          : { keys: ['esc'], does: 'previous question', run: () => goTo(at - 1) },
        { keys: ['ctrl+r'], does: 'the run', run: look },
      ];
  const bindings = useQuestionKeys(stage.question, all);
  return (
    <Frame bindings={bindings} typing={!isLeaving}>
      {({ width, height, active }) => {
        if (isLeaving) return <Rows rows={leavingRows} width={width} />;
        // Below it are an empty row and at least two rows to write in.
        const rows = questionRows({ questions, at, background, width, room: height - 3 });
        const own = 'your own answer; leave it empty to skip the question';
        return (
          <>
            <Rows rows={[...rows, emptyRow]} width={width} />
            <TextFieldView
              field={field}
              active={active}
              width={width}
              height={Math.max(1, height - rows.length - 1)}
              lines="many"
              placeholder={background.choices.length === 0 ? `Write ${own}` : `A number, or ${own}`}
            />
          </>
        );
      }}
    </Frame>
  );
}

const leavingRows = [
  row(span('Skip the questions?', 'strong')),
  emptyRow,
  row(span('The session continues with the best options so far.')),
];

/** The question with its choices; what it is about between them, as far as there is room. */
function questionRows({
  questions,
  at,
  background: { lines, choices },
  width,
  room,
}: {
  readonly questions: readonly string[];
  readonly at: number;
  readonly background: QuestionBackground;
  readonly width: number;
  readonly room: number;
}): readonly Row[] {
  const count = `Question ${at + 1} of ${questions.length} from the agents`;
  const current = { mark: marks.chosen, tone: 'accent', textTone: 'accent', width } as const;
  const head = [row(span(count, 'strong')), emptyRow, ...bulleted([questions[at] ?? ''], current)];
  const options = choices.flatMap((one, n) => wrapped(`${n + 1} ${one}`, { width, indent: 2 }));
  const about = lines.flatMap((line) => wrapped(line, { width, indent: 2, tone: 'quiet' }));
  const left = Math.max(0, room - head.length - options.length);
  const isCut = about.length > left;
  const shown = isCut
    ? [...about.slice(0, Math.max(0, left - 1)), row(span('  …', 'quiet'))]
    : about;
  return [...head, ...shown, ...options];
}

const noBackground: QuestionBackground = { lines: [], choices: [] };

/** Without a single answer the questions count as skipped. */
function clarificationOf(questions: readonly string[], answers: Answers): Clarification {
  const given = questions.flatMap((question, index) => {
    const answer = answers[index] ?? '';
    return answer === '' ? [] : [{ question, answer }];
  });
  return { answers: given, feedback: '', skipped: given.length === 0, by: 'user' };
}
