import { Frame, type Body, useBodySize } from '../../frame.tsx';
import { type Binding, useQuestionKeys } from '../../keys.ts';
import { emptyRow, row, span } from '../../rows.ts';
import type { Decide } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { Rows, useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { TextFieldView, type FieldStore } from '../../widgets/text-field/view.tsx';
import { type Deciding, decisionKeys } from './keys.ts';
import { decisionPage } from './page.ts';
import { back, referencesOf, startingDecision, withConstraint } from './state.ts';

const storesOf = perQuestion(() => ({
  state: createStore(startingDecision),
  more: createStore(textField()),
  constraint: createStore(textField()),
}));

/** The options side by side, and the decision: Enter takes the chosen one. */
export function DecisionScreen({ stage }: { readonly stage: Decide }) {
  const { store, ports } = useTools();
  const { question, answer } = stage;
  const stores = storesOf(question);
  const state = useStore(stores.state, (now) => now);
  const room = useBodySize();
  const deciding: Deciding = {
    question,
    answer,
    state: stores.state,
    ports,
    say: (why) => {
      const notice = why === null ? null : row(span(why, 'warn'));
      store.change((shared) => (shared.notice === notice ? shared : { ...shared, notice }));
    },
    lookAtRun: () => store.change((shared) => ({ ...shared, besides: 'run' })),
  };
  const kind = state.page === 'more' || state.page === 'constraint' ? state.page : null;
  const page = decisionPage(question, state, room);
  const keys =
    kind === null
      ? decisionKeys(deciding, page)
      : writingKeys(deciding, { kind, field: stores[kind] });
  const bindings = useQuestionKeys(question, keys);
  const solution = question.synthesis.solutions[state.chosen];
  const place = referencesOf(solution)[state.reference];
  const isPlace = state.page === 'code' || state.page === 'detail';
  const summary = solution === undefined ? null : `${solution.name}\n${solution.summary}`;
  const copied = isPlace && place !== undefined ? `${place.path}:${place.line}` : summary;
  return (
    <Frame bindings={bindings} typing={kind !== null} copies={copied}>
      {(body) =>
        kind === null ? (
          <Rows rows={page.rows} width={body.width} />
        ) : (
          <WritingPage kind={kind} field={stores[kind]} body={body} />
        )
      }
    </Frame>
  );
}

/** Feedback for another round, or a constraint of the plan. */
interface Writing {
  readonly kind: 'more' | 'constraint';
  readonly field: FieldStore;
}

function WritingPage({ body, kind, field }: Writing & { readonly body: Body }) {
  const [title, example] =
    kind === 'more'
      ? ['What should the agents look into?', 'Compare how much work each option is']
      : ['What must the plan keep to?', 'No new dependency'];
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

function writingKeys({ state, answer }: Deciding, { kind, field }: Writing): readonly Binding[] {
  const accept = () => {
    const { text } = field.get();
    field.change(() => textField());
    if (kind === 'more') answer({ kind: 'more-analysis', feedback: text.trim(), by: 'user' });
    else state.change((now) => withConstraint(now, text));
  };
  return [
    {
      keys: ['enter'],
      does: kind === 'more' ? 'ask for another round' : 'add it',
      decides: kind === 'more',
      run: accept,
    },
    { keys: ['esc'], does: 'back', run: () => state.change(back) },
  ];
}
