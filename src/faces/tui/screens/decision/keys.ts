import type { Binding } from '../../keys.ts';
import type { DecisionAction, DecisionState } from './state.ts';

/** What the keys of the decision call. */
interface DecisionMoves {
  readonly state: DecisionState;
  /** How many solutions there are. */
  readonly solutions: number;
  readonly canDiscuss: boolean;
  /** How many places of the chosen one can be picked. */
  readonly references: number;
  /** How far the page can be scrolled, and how far at once. */
  readonly mostScroll: number;
  readonly pageHeight: number;
  /** Row of a reference on the page of details. */
  readonly rowOf: (reference: number) => number;
  readonly dispatch: (action: DecisionAction) => void;
  readonly openCode: () => void;
  readonly decide: () => void;
  readonly cancel: () => void;
  readonly lookAtRun: () => void;
}

/** The keys of the page that is open. */
export function decisionKeys(moves: DecisionMoves): readonly Binding[] {
  const { dispatch, state } = moves;
  const back: Binding = { keys: ['esc', 'q'], does: 'back', run: () => dispatch({ type: 'back' }) };
  const look: Binding = { keys: ['v'], does: 'the run', run: moves.lookAtRun };
  switch (state.page) {
    case 'options':
      return [...optionKeys(moves), look, ...scrollKeys(moves)];
    case 'execution':
    case 'review':
      return [...choiceKeys(moves), back, look];
    case 'detail':
      return [...referenceKeys(moves), back, look];
    case 'code':
    case 'agreement':
      return [...scrollKeys(moves), { ...back, keys: ['esc', 'enter', 'q'] }, look];
    case 'cancel':
      return [
        { keys: ['enter', 'y'], does: 'cancel', decides: true, run: moves.cancel },
        { ...back, keys: ['esc', 'n'] },
      ];
    case 'more':
    case 'constraint':
      return [back];
  }
}

function optionKeys(moves: DecisionMoves): readonly Binding[] {
  const { dispatch, solutions, canDiscuss } = moves;
  const open = (page: DecisionState['page']) => () => dispatch({ type: 'open', page });
  const look = (by: 1 | -1) => () => dispatch({ type: 'look-at', by, of: solutions });
  return [
    { keys: ['enter'], does: 'choose', decides: true, run: () => dispatch({ type: 'next' }) },
    ...(solutions < 2
      ? []
      : [
          { keys: ['right', 'l'], does: 'next', run: look(1) },
          { keys: ['left', 'h'], does: 'previous', minor: true, run: look(-1) },
        ]),
    ...(canDiscuss ? [{ keys: ['m'], does: 'more analysis', run: open('more') }] : []),
    { keys: ['x'], does: 'cancel', run: open('cancel') },
    { keys: ['d'], does: 'details', run: open('detail') },
    { keys: ['a'], does: 'agreement', run: open('agreement') },
  ];
}

function choiceKeys({ dispatch, state, decide }: DecisionMoves): readonly Binding[] {
  const choose = (by: 1 | -1) => () => dispatch({ type: 'choose', by });
  const isLast = state.page === 'review';
  const drop = () => dispatch({ type: 'drop-constraint' });
  return [
    {
      keys: ['enter'],
      does: isLast ? 'decide' : 'next',
      decides: isLast,
      run: isLast ? decide : () => dispatch({ type: 'next' }),
    },
    { keys: ['down', 'j', 'right'], does: 'next answer', run: choose(1) },
    { keys: ['up', 'k', 'left'], does: 'previous answer', minor: true, run: choose(-1) },
    {
      keys: ['c'],
      does: 'add a constraint',
      run: () => dispatch({ type: 'open', page: 'constraint' }),
    },
    ...(state.constraints.length === 0
      ? []
      : [{ keys: ['backspace'], does: 'drop the last constraint', run: drop }]),
  ];
}

function referenceKeys(moves: DecisionMoves): readonly Binding[] {
  const { dispatch, state, references, rowOf, pageHeight } = moves;
  const pick = (by: 1 | -1) => () => {
    const to = Math.max(0, Math.min(state.reference + by, references - 1));
    const at = rowOf(to);
    // The last row says that more follows.
    const isVisible = at >= state.scroll && at < state.scroll + pageHeight - 1;
    const scroll = isVisible ? state.scroll : Math.max(0, at - Math.floor(pageHeight / 2));
    dispatch({ type: 'pick-reference', to, scroll });
  };
  return [
    { keys: ['enter'], does: 'show the code', run: moves.openCode },
    { keys: ['down', 'j'], does: 'next place', run: pick(1) },
    { keys: ['up', 'k'], does: 'previous place', minor: true, run: pick(-1) },
    ...pageKeys(moves),
  ];
}

function scrollKeys(moves: DecisionMoves): readonly Binding[] {
  const { dispatch, state, mostScroll } = moves;
  const scroll = (by: number) => () =>
    dispatch({ type: 'scroll', to: Math.min(mostScroll, state.scroll + by) });
  return [
    { keys: ['down', 'j'], does: 'down', minor: true, run: scroll(1) },
    { keys: ['up', 'k'], does: 'up', minor: true, run: scroll(-1) },
    ...pageKeys(moves),
  ];
}

function pageKeys({ dispatch, state, mostScroll, pageHeight }: DecisionMoves): readonly Binding[] {
  const scroll = (by: number) => () =>
    dispatch({ type: 'scroll', to: Math.min(mostScroll, state.scroll + by) });
  return [
    { keys: ['pagedown', 'space'], does: 'page down', minor: true, run: scroll(pageHeight - 1) },
    { keys: ['pageup'], does: 'page up', minor: true, run: scroll(1 - pageHeight) },
  ];
}
