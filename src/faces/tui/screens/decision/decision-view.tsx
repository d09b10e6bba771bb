// Shows the options and asks for the decision.
import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import type { QuestionProps } from '../../screen-state.ts';
import { createStore, useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { decisionKeys } from './decision-keys.ts';
import { decisionPage } from './decision-page.ts';
import { referencesOf, startingDecision } from './decision-state.ts';

export function openDecision() {
  return {
    state: createStore(startingDecision),
    more: createStore(textField()),
    constraint: createStore(textField()),
  };
}

/** Shows the options side by side; Enter takes the chosen one. */
export function DecisionScreen({ stage, stores }: QuestionProps<'decide', typeof openDecision>) {
  const { ports, say, lookAtRun } = useTools();
  const { question, answer } = stage;
  const state = useStore(stores.state, (now) => now);
  const page = decisionPage(question, state, useBodySize());
  const deciding = { ...stores, question, answer, ports, say, lookAtRun };
  const bindings = useQuestionKeys(question, decisionKeys(deciding, page));
  const solution = question.synthesis.solutions[state.chosen];
  const place = referencesOf(solution)[state.reference];
  const isPlace = state.page === 'code' || state.page === 'detail';
  const summary = solution === undefined ? null : `${solution.name}\n${solution.summary}`;
  const copies = isPlace && place !== undefined ? `${place.path}:${place.line}` : summary;
  return <Frame bindings={bindings} rows={page.rows} popup={state.popup} copies={copies} />;
}
