import { scrollKeys, type Binding } from '../../keys.ts';
import { type ListPage, clamp, scrollBy } from '../../list-page.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Decide } from '../../state.ts';
import type { Store } from '../../store.ts';
import { back, onPage, referencesOf, withCode, type DecisionState } from './state.ts';

/** A decision at the screen: what is known, and what its keys can ask for. */
export interface Deciding {
  readonly question: Decide['question'];
  readonly answer: Decide['answer'];
  readonly state: Store<DecisionState>;
  readonly ports: Pick<TuiPorts, 'codeAround' | 'openFile'>;
  /** Shows one line above the keys; null takes it away. */
  readonly say: (why: string | null) => void;
  readonly lookAtRun: () => void;
}

/** The keys of the page that is open; those of pages with a text are with the text. */
export function decisionKeys(deciding: Deciding, page: ListPage): readonly Binding[] {
  const { answer, state, lookAtRun } = deciding;
  const leave: Binding = { keys: ['esc', 'q'], does: 'back', run: to(deciding, back) };
  const look: Binding = { keys: ['v'], does: 'the run', run: lookAtRun };
  const scroll = scrollKeys(
    (by) => to(deciding, (now) => ({ ...now, scroll: scrollBy(now.scroll, by, page) }))(),
    page.height - 1,
  );
  switch (state.get().page) {
    case 'options':
      return [...optionKeys(deciding), look, ...scroll];
    case 'detail':
      return [...referenceKeys(deciding, page), ...scroll, leave, look];
    case 'code':
      return [...scroll, ...editorKeys(deciding), { ...leave, keys: ['esc', 'enter', 'q'] }, look];
    case 'agreement':
      return [...scroll, { ...leave, keys: ['esc', 'enter', 'q'] }, look];
    case 'cancel': {
      const run = () => answer({ kind: 'cancel', by: 'user' });
      return [
        { keys: ['enter', 'y'], does: 'cancel', decides: true, run },
        { ...leave, keys: ['esc', 'n'] },
      ];
    }
    case 'more':
    case 'constraint':
      return [leave];
  }
}

function optionKeys(deciding: Deciding): readonly Binding[] {
  const { question, answer, state } = deciding;
  const { chosen, constraints } = state.get();
  const count = question.synthesis.solutions.length;
  const open = (page: DecisionState['page']) => to(deciding, (now) => onPage(now, page));
  const look = (by: 1 | -1) =>
    to(deciding, (now) => ({ ...now, chosen: clamp(chosen + by, count), reference: 0, scroll: 0 }));
  const drop = to(deciding, (now) => ({ ...now, constraints: constraints.slice(0, -1) }));
  const decide = () =>
    answer({
      kind: 'approve',
      solution: chosen + 1,
      // Asked when the plan is carried out.
      execution_method: 'Agent',
      code_review_tool: 'Skip',
      constraints: [...constraints],
      by: 'user',
    });
  const others: readonly Binding[] = [
    { keys: ['right', 'l'], does: 'next', run: look(1) },
    { keys: ['left', 'h'], does: 'previous', minor: true, run: look(-1) },
  ];
  return [
    { keys: ['enter'], does: 'choose', decides: true, ownPress: true, run: decide },
    ...(count > 1 ? others : []),
    ...(question.canDiscuss ? [{ keys: ['m'], does: 'more analysis', run: open('more') }] : []),
    { keys: ['x'], does: 'cancel', run: open('cancel') },
    { keys: ['d'], does: 'details', run: open('detail') },
    { keys: ['a'], does: 'agreement', run: open('agreement') },
    { keys: ['c'], does: 'add a constraint', run: open('constraint') },
    ...(constraints.length === 0
      ? []
      : [{ keys: ['backspace'], does: 'drop the last constraint', run: drop }]),
  ];
}

function referenceKeys(deciding: Deciding, { items }: ListPage): readonly Binding[] {
  const { state, ports } = deciding;
  const pick = (by: 1 | -1) =>
    to(deciding, (now) => {
      return { ...now, reference: clamp(now.reference + by, items.length), scroll: 0 };
    });
  const place = chosenPlace(deciding);
  const show = (code: DecisionState['code']) => state.change((now) => withCode(now, code));
  const openCode = () => {
    if (place !== undefined) ports.codeAround(place).then(show, () => show(null));
  };
  return [
    { keys: ['enter'], does: 'show the code', run: openCode },
    { keys: ['down', 'j'], does: 'next place', run: pick(1) },
    { keys: ['up', 'k'], does: 'previous place', minor: true, run: pick(-1) },
  ];
}

function editorKeys(deciding: Deciding): readonly Binding[] {
  const { state, ports, say } = deciding;
  const place = chosenPlace(deciding);
  if (place === undefined || state.get().code === null) return [];
  const fail = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  const run = () => void ports.openFile(place).then(say, fail);
  return [{ keys: ['e'], does: 'open in $EDITOR', run }];
}

function chosenPlace({ question, state }: Deciding) {
  const { chosen, reference } = state.get();
  return referencesOf(question.synthesis.solutions[chosen])[reference];
}

function to({ state, say }: Deciding, next: (now: DecisionState) => DecisionState): () => void {
  return () => {
    say(null);
    state.change(next);
  };
}
