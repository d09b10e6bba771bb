import { Frame, type Body, useBodySize } from '../../frame.tsx';
import { type Binding, useQuestionKeys } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import { emptyRow, row, span } from '../../rows.ts';
import type { Decide } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/state.ts';
import { TextFieldView, brokeLine, type FieldStore } from '../../widgets/text-field/view.tsx';
import { decisionKeys } from './keys.ts';
import { decisionPage } from './page.ts';
import {
  decisionOf,
  decisionReducer,
  referencesOf,
  startingDecision,
  type DecisionAction,
  type DecisionPage,
} from './state.ts';

const keptOf = perQuestion(() => ({
  decision: createStore(startingDecision),
  field: createStore(textField()),
}));

/** The options side by side, and the decision: Enter on each page is the common path. */
export function DecisionScreen({ stage }: { readonly stage: Decide }) {
  const { store, ports } = useTools();
  const { synthesis, canDiscuss } = stage.question;
  const { decision, field } = keptOf(stage.question);
  const state = useStore(decision, (now) => now);
  const dispatch = (action: DecisionAction) =>
    decision.change((now) => decisionReducer(now, action));
  const room = useBodySize();
  const references = referencesOf(synthesis, state.chosen);
  const page = decisionPage(stage.question, state, room);
  const openCode = () => {
    const place = references[state.reference];
    if (place === undefined) return;
    const show = (code: Awaited<ReturnType<typeof ports.codeAround>>) =>
      dispatch({ type: 'show-code', code });
    ports.codeAround(place).then(show, () => show(null));
  };
  const isWriting = state.page === 'more' || state.page === 'constraint';
  const writing: Writing = { page: state.page, field, dispatch, answer: stage.answer };
  const all = isWriting
    ? writtenKeys(writing)
    : decisionKeys({
        ...page,
        state,
        dispatch,
        solutions: synthesis.solutions.length,
        canDiscuss,
        references: references.length,
        openCode,
        decide: () => stage.answer(decisionOf(state)),
        cancel: () => stage.answer({ kind: 'cancel', by: 'user' }),
        lookAtRun: () => store.change((shared) => ({ ...shared, besides: 'run' })),
      });
  const bindings = useQuestionKeys(stage.question, all);
  return (
    <Frame bindings={bindings} typing={isWriting}>
      {(body) =>
        isWriting ? (
          <WrittenPage {...writing} body={body} />
        ) : (
          <Rows rows={page.rows} width={body.width} />
        )
      }
    </Frame>
  );
}

/** The pages of the decision on which something is written. */
interface Writing {
  readonly page: DecisionPage;
  readonly field: FieldStore;
  readonly dispatch: (action: DecisionAction) => void;
  readonly answer: Decide['answer'];
}

/** Feedback for one more round, or a constraint for the plan. */
function WrittenPage({ body, ...writing }: Writing & { readonly body: Body }) {
  const isFeedback = writing.page === 'more';
  const title = isFeedback ? 'What should the agents look into?' : 'What must the plan keep to?';
  return (
    <>
      <Rows rows={[row(span(title, 'strong')), emptyRow]} width={body.width} />
      <TextFieldView
        field={writing.field}
        active={body.active}
        width={body.width}
        height={Math.max(1, Math.floor(body.height / 2))}
        lines="many"
        placeholder={
          isFeedback
            ? 'e.g. Compare how much work it is to migrate the saved files'
            : 'e.g. No new dependency'
        }
      />
    </>
  );
}

function writtenKeys(writing: Writing): readonly Binding[] {
  const { page, field, dispatch } = writing;
  const leave = () => {
    field.change(() => textField());
    dispatch({ type: 'back' });
  };
  return [
    {
      keys: ['enter'],
      does: page === 'more' ? 'ask for another round' : 'add it',
      decides: page === 'more',
      run: () => brokeLine(field) || accept(writing),
    },
    { keys: ['esc'], does: 'back', run: leave },
  ];
}

function accept({ page, field, dispatch, answer }: Writing): void {
  const { text } = field.get();
  field.change(() => textField());
  if (page === 'more') answer({ kind: 'more-analysis', feedback: text.trim(), by: 'user' });
  else dispatch({ type: 'add-constraint', text });
}
