// Handles the keys on each page of the decision: feedback, constraints, cancelling.
import { type FormValues, readForm } from '../../../../model/form.ts';
import { wordsOfError } from '../../../../model/wording.ts';
import { decideForm } from '../../../question-forms.ts';
import { anotherRoundText } from '../../../short-forms.ts';
import { popupKeys, writingPopup } from '../../popup.tsx';
import { type Binding, decisiveKey, key, minorKey, scrollKeys } from '../../key-bindings.ts';
import { type ListPage, clamp } from '../../list-page.ts';
import type { TuiPorts } from '../../ports.ts';
import type { QuestionStage } from '../../screen-state.ts';
import type { Store } from '../../store.ts';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/field-view.tsx';
import {
  type DecisionPage,
  type DecisionState,
  back,
  openPage,
  referencesOf,
  withCode,
  withConstraint,
} from './decision-state.ts';

/** A decision at the screen: what is known, and what its keys can do. */
export interface DecisionTools {
  readonly question: QuestionStage<'decide'>['question'];
  readonly answer: QuestionStage<'decide'>['answer'];
  readonly state: Store<DecisionState>;
  /** The fields for another round and for a constraint; their texts stay if the person goes back. */
  readonly more: FieldStore;
  readonly constraint: FieldStore;
  readonly ports: Pick<TuiPorts, 'codeAround' | 'openFile'>;
  /** Shows a line above the keys; null removes it. */
  readonly say: (why: string | null) => void;
  readonly lookAtRun: () => void;
}

/** The keys of the open page, or of what is open in front of it. */
export function decisionKeys(deciding: DecisionTools, page: ListPage): readonly Binding[] {
  const { state, lookAtRun } = deciding;
  const { popup } = state.get();
  if (popup !== null) {
    const change = (next: typeof popup) => state.change((now) => ({ ...now, popup: next }));
    return popupKeys(popup, { change, close: to(deciding, back) });
  }
  const leave = (keys: readonly string[]) => key(keys, 'back', to(deciding, back));
  const look = key(['v'], 'the run', lookAtRun);
  const scroll = scrollKeys(page, (top) => to(deciding, (now) => ({ ...now, top }))());
  switch (state.get().page) {
    case 'options':
      return [...optionKeys(deciding), look, ...scroll];
    case 'detail':
      return [...referenceKeys(deciding, page), ...scroll, leave(['esc', 'q']), look];
    case 'code':
      return [...scroll, ...editorKeys(deciding), leave(['esc', 'enter', 'q']), look];
    case 'agreement':
      return [...scroll, leave(['esc', 'enter', 'q']), look];
  }
}

function optionKeys(deciding: DecisionTools): readonly Binding[] {
  const { question, state } = deciding;
  const { chosen, constraints } = state.get();
  const count = question.synthesis.solutions.length;
  const open = (page: DecisionPage) => to(deciding, (now) => openPage(now, page));
  const look = (by: 1 | -1) =>
    to(deciding, (now) => ({ ...now, chosen: clamp(chosen + by, count), reference: 0, top: null }));
  const drop = to(deciding, (now) => ({ ...now, constraints: constraints.slice(0, -1) }));
  const decide = () =>
    answerBy(deciding, { choice: String(chosen + 1), constraints: [...constraints] });
  return [
    key(['enter'], 'choose', decide, decisiveKey),
    ...(count > 1 ? [key(['right', 'l'], 'next', look(1))] : []),
    ...(count > 1 ? [key(['left', 'h'], 'previous', look(-1), minorKey)] : []),
    ...(question.canDiscuss ? [key(['m'], 'more analysis', () => askMore(deciding))] : []),
    key(['x'], 'cancel', () => askToCancel(deciding)),
    key(['d'], 'details', open('detail')),
    key(['a'], 'agreement', open('agreement')),
    key(['c'], 'add a constraint', () => askConstraint(deciding)),
    ...(constraints.length === 0 ? [] : [key(['backspace'], 'drop the last constraint', drop)]),
  ];
}

function askMore(deciding: DecisionTools): void {
  const { state, more: field, question } = deciding;
  const popup = writingPopup(field, {
    title: 'What should the agents look into?',
    body: [{ text: anotherRoundText(question.another), tone: 'quiet' }],
    text: field.get().text,
    placeholder: 'e.g. Compare how much work each option is',
    does: 'ask for another round',
    decides: true,
    accept: (text) => answerBy(deciding, { choice: 'more', text }),
  });
  state.change((now) => ({ ...now, popup }));
}

function askConstraint({ state, constraint: field }: DecisionTools): void {
  const popup = writingPopup(field, {
    title: 'A constraint for the plan',
    text: field.get().text,
    placeholder: 'e.g. No new dependency',
    does: 'add it',
    accept(text) {
      field.change(() => textField());
      state.change((now) => withConstraint(now, text));
    },
  });
  state.change((now) => ({ ...now, popup }));
}

function askToCancel(deciding: DecisionTools): void {
  const { state } = deciding;
  const text =
    'No plan is made. Everything the agents said is saved, and "conclave resume" asks for the decision again.';
  const cancel = () => answerBy(deciding, { choice: 'cancel' });
  const popup = {
    title: 'Cancel and keep the session?',
    body: [{ text, tone: 'plain' }],
    keys: () => [key(['enter', 'y'], 'cancel', cancel, { decides: true })],
  } as const;
  state.change((now) => ({ ...now, popup }));
}

/** Decides by the values of the form. */
function answerBy({ question, answer, say }: DecisionTools, values: FormValues): void {
  const reading = readForm(decideForm(question), values);
  if ('answer' in reading) answer(reading.answer);
  else say(reading.refusal);
}

function referenceKeys(deciding: DecisionTools, { items }: ListPage): readonly Binding[] {
  const { state, ports } = deciding;
  const pick = (by: 1 | -1) =>
    to(deciding, (now) => {
      return { ...now, reference: clamp(now.reference + by, items.length), top: null };
    });
  const place = chosenPlace(deciding);
  const show = (code: DecisionState['code']) => state.change((now) => withCode(now, code));
  const openCode = () => {
    if (place !== undefined) ports.codeAround(place).then(show, () => show(null));
  };
  return [
    key(['enter'], 'show the code', openCode),
    key(['down', 'j'], 'next place', pick(1)),
    key(['up', 'k'], 'previous place', pick(-1), minorKey),
  ];
}

function editorKeys(deciding: DecisionTools): readonly Binding[] {
  const { state, ports, say } = deciding;
  const place = chosenPlace(deciding);
  if (place === undefined || state.get().code === null) return [];
  const open = () => ports.openFile(place).then(say, (error: unknown) => say(wordsOfError(error)));
  return [key(['e'], 'open in $EDITOR', open)];
}

function chosenPlace({ question, state }: DecisionTools) {
  const { chosen, reference } = state.get();
  return referencesOf(question.synthesis.solutions[chosen])[reference];
}

function to(
  { state, say }: DecisionTools,
  next: (now: DecisionState) => DecisionState,
): () => void {
  return () => {
    say(null);
    state.change(next);
  };
}
