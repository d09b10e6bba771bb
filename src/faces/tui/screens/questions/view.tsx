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

interface Answering {
  /** Index of the question that is answered now. */
  readonly at: number;
  /** What was written so far, in the order of the questions; empty for none. */
  readonly answers: readonly string[];
  /** Asks once before all are skipped. */
  readonly isLeaving: boolean;
}

const storesOf = perQuestion(() => ({
  answering: createStore<Answering>({ at: 0, answers: [], isLeaving: false }),
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
  const written = () => withAnswer(state, meantAnswer(field.get().text, background));
  const isLast = at === questions.length - 1;
  const leaving = (is: boolean) => () => answering.change((now) => ({ ...now, isLeaving: is }));
  const send = (answers: readonly string[]) => stage.answer(clarificationOf(questions, answers));
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
        { keys: ['enter', 'y'], does: 'skip them', decides: true, run: () => send([]) },
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
        // Below them are an empty row and at least two rows to write in.
        const rows = questionRows({ questions, state, background, width, room: height - 3 });
        return isLeaving ? (
          <Rows rows={leavingRows} width={width} />
        ) : (
          <>
            <Rows rows={[...rows, emptyRow]} width={width} />
            <TextFieldView
              field={field}
              active={active}
              width={width}
              height={Math.max(1, Math.min(Math.floor(height / 4), height - rows.length - 1))}
              lines="many"
              placeholder={
                background.choices.length === 0
                  ? 'Your answer; leave it empty to skip the question'
                  : 'A number, or your own answer; leave it empty to skip the question'
              }
            />
            <Rows rows={[emptyRow, ...laterRows(questions, at, width)]} width={width} />
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

/**
 * The question of the moment and its choices; with those that were answered above it, and what it
 * is about below it, as far as there is room.
 */
function questionRows({
  questions,
  state: { at, answers },
  background: { lines, choices },
  width,
  room,
}: {
  readonly questions: readonly string[];
  readonly state: Answering;
  readonly background: QuestionBackground;
  readonly width: number;
  readonly room: number;
}): readonly Row[] {
  const count = questions.length === 1 ? 'a question' : `${questions.length} questions`;
  const heading = [row(span(`The agents have ${count} for you.`, 'strong')), emptyRow];
  const current = { mark: marks.chosen, tone: 'accent', textTone: 'accent', width } as const;
  const question = bulleted([questions[at] ?? ''], current);
  const options = choices.flatMap((one, n) => wrapped(`${n + 1} ${one}`, { width, indent: 2 }));
  const left = Math.max(0, room - heading.length - question.length - options.length);
  const all = lines.flatMap((line) => wrapped(line, { width, indent: 2, tone: 'quiet' }));
  const answered = answeredRows(questions.slice(0, at), answers, width);
  const before = answered.length <= left ? answered : [];
  const about = cut(all, Math.min(left - before.length, Math.floor(room / 2)));
  return [...heading, ...before, ...question, ...about, ...options];
}

function answeredRows(
  questions: readonly string[],
  answers: readonly string[],
  width: number,
): readonly Row[] {
  const quiet = { width, tone: 'quiet', textTone: 'quiet' } as const;
  return questions.flatMap((question, index) => [
    ...bulleted([question], { mark: marks.done, ...quiet }),
    ...wrapped(answers[index] || 'not answered', { width, tone: 'quiet', indent: 4 }),
  ]);
}

function cut(rows: readonly Row[], most: number): readonly Row[] {
  if (rows.length <= most) return rows;
  return most === 0 ? [] : [...rows.slice(0, most - 1), row(span('  …', 'quiet'))];
}

const noBackground: QuestionBackground = { lines: [], choices: [] };

function laterRows(questions: readonly string[], at: number, width: number): readonly Row[] {
  const later = questions.slice(at + 1);
  return bulleted(later, { mark: marks.later, width, tone: 'quiet', textTone: 'quiet' });
}

function withAnswer({ answers, at }: Answering, text: string): readonly string[] {
  const all = Array.from({ length: Math.max(at + 1, answers.length) }, (_, n) => answers[n] ?? '');
  return all.with(at, text.trim());
}

/** What was said; without a single answer the questions count as skipped. */
function clarificationOf(questions: readonly string[], answers: readonly string[]): Clarification {
  const given = questions.flatMap((question, index) => {
    const answer = answers[index] ?? '';
    return answer === '' ? [] : [{ question, answer }];
  });
  return { answers: given, feedback: '', skipped: given.length === 0, by: 'user' };
}
