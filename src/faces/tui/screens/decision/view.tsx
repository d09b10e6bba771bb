import { Frame, type Body, useBodySize } from '../../frame.tsx';
import { type Binding, useQuestionKeys } from '../../keys.ts';
import { emptyRow, row, span } from '../../rows.ts';
import type { Decide } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { Rows, useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { TextFieldView, type FieldStore } from '../../widgets/text-field/view.tsx';
import { decisionKeys } from './keys.ts';
import { decisionPage } from './page.ts';
import {
  back,
  decisionOf,
  referencesOf,
  startingDecision,
  withCode,
  withConstraint,
  type DecisionState,
} from './state.ts';

const storesOf = perQuestion(() => ({
  decision: createStore(startingDecision),
  more: createStore(textField()),
  constraint: createStore(textField()),
}));

/** The options side by side, and the decision: Enter takes the one that is looked at. */
export function DecisionScreen({ stage }: { readonly stage: Decide }) {
  const { store, ports } = useTools();
  const { question, answer } = stage;
  const { decision, more, constraint } = storesOf(question);
  const state = useStore(decision, (now) => now);
  const say = (why: string | null) => {
    const notice = why === null ? null : row(span(why, 'warn'));
    store.change((shared) => (shared.notice === notice ? shared : { ...shared, notice }));
  };
  const change: Writing['change'] = (next) => {
    say(null);
    decision.change(next);
  };
  const showCode = (code: DecisionState['code']) => change((now) => withCode(now, code));
  const room = useBodySize();
  const references = referencesOf(question.synthesis, state.chosen);
  const page = decisionPage(question, state, room);
  const place = references[state.reference];
  const openCode = () => {
    if (place !== undefined) ports.codeAround(place).then(showCode, () => showCode(null));
  };
  const openEditor = () => {
    const fail = (error: unknown) => say(error instanceof Error ? error.message : String(error));
    if (place !== undefined) ports.openFile(place).then(say, fail);
  };
  const isWriting = state.page === 'more' || state.page === 'constraint';
  const isFeedback = state.page === 'more';
  const field = isFeedback ? more : constraint;
  const writing: Writing = { isFeedback, field, change, answer };
  const all = isWriting
    ? writingKeys(writing)
    : decisionKeys({
        state,
        change,
        page,
        solutions: question.synthesis.solutions.length,
        canDiscuss: question.canDiscuss,
        references: references.length,
        openCode,
        openEditor,
        decide: () => answer(decisionOf(state)),
        cancel: () => answer({ kind: 'cancel', by: 'user' }),
        lookAtRun: () => store.change((shared) => ({ ...shared, besides: 'run' })),
      });
  const isPlace = state.page === 'code' || state.page === 'detail';
  const solution = question.synthesis.solutions[state.chosen];
  const summary = solution === undefined ? null : `${solution.name}\n${solution.summary}`;
  const copied = isPlace && place !== undefined ? `${place.path}:${place.line}` : summary;
  const bindings = useQuestionKeys(question, all);
  return (
    <Frame bindings={bindings} typing={isWriting} copies={copied}>
      {(body) =>
        isWriting ? (
          <WritingPage {...writing} body={body} />
        ) : (
          <Rows rows={page.rows} width={body.width} />
        )
      }
    </Frame>
  );
}

/** A page on which feedback or a constraint is written. */
interface Writing {
  readonly isFeedback: boolean;
  readonly field: FieldStore;
  readonly change: (next: (state: DecisionState) => DecisionState) => void;
  readonly answer: Decide['answer'];
}

function WritingPage({ body, isFeedback, field }: Writing & { readonly body: Body }) {
  const title = isFeedback ? 'What should the agents look into?' : 'What must the plan keep to?';
  const example = isFeedback ? 'Compare how much work each option is' : 'No new dependency';
  return (
    <>
      <Rows rows={[row(span(title, 'strong')), emptyRow]} width={body.width} />
      <TextFieldView
        field={field}
        active={body.active}
        width={body.width}
        height={Math.max(1, Math.floor(body.height / 2))}
        lines="many"
        placeholder={`e.g. ${example}`}
      />
    </>
  );
}

function writingKeys({ isFeedback, field, change, answer }: Writing): readonly Binding[] {
  const accept = () => {
    const { text } = field.get();
    field.change(() => textField());
    if (isFeedback) answer({ kind: 'more-analysis', feedback: text.trim(), by: 'user' });
    else change((now) => withConstraint(now, text));
  };
  return [
    {
      keys: ['enter'],
      does: isFeedback ? 'ask for another round' : 'add it',
      decides: isFeedback,
      run: accept,
    },
    { keys: ['esc'], does: 'back', run: () => change(back) },
  ];
}
