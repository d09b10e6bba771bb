import { useTools } from '../../context.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { perQuestion } from '../../kept.ts';
import { Rows } from '../../rows-view.tsx';
import { useQuestionKeys } from '../../seen.ts';
import type { Decide } from '../../stage.ts';
import { createStore, useStore } from '../../store.ts';
import { textField } from '../../widgets/text-field/state.ts';
import { decisionKeys } from './keys.ts';
import { decisionPage } from './page.ts';
import {
  type DecisionAction,
  decisionOf,
  decisionReducer,
  referencesOf,
  startingDecision,
} from './state.ts';
import { type Writing, WrittenPage, writtenKeys } from './written.tsx';

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
