import { scrollKeys, type Binding } from '../../keys.ts';
import type { Page } from './page.ts';
import { back, lookedAt, opened, within, type DecisionPage, type DecisionState } from './state.ts';

/** What the keys of the decision work with. */
interface DecisionMoves {
  readonly state: DecisionState;
  readonly change: (next: (state: DecisionState) => DecisionState) => void;
  readonly page: Page;
  /** How many solutions there are. */
  readonly solutions: number;
  readonly canDiscuss: boolean;
  /** How many places of the chosen one can be picked. */
  readonly references: number;
  readonly openCode: () => void;
  readonly openEditor: () => void;
  readonly decide: () => void;
  readonly cancel: () => void;
  readonly lookAtRun: () => void;
}

/** The keys of the page that is open. */
export function decisionKeys(moves: DecisionMoves): readonly Binding[] {
  const { change, state, cancel } = moves;
  const leave: Binding = { keys: ['esc', 'q'], does: 'back', run: () => change(back) };
  const look: Binding = { keys: ['v'], does: 'the run', run: moves.lookAtRun };
  switch (state.page) {
    case 'options':
      return [...optionKeys(moves), look, ...pageKeys(moves)];
    case 'detail':
      return [...referenceKeys(moves), leave, look];
    case 'code':
      return [
        ...pageKeys(moves),
        ...(state.code === null
          ? []
          : [{ keys: ['e'], does: 'open in $EDITOR', run: moves.openEditor }]),
        { ...leave, keys: ['esc', 'enter', 'q'] },
        look,
      ];
    case 'agreement':
      return [...pageKeys(moves), { ...leave, keys: ['esc', 'enter', 'q'] }, look];
    case 'cancel':
      return [
        { keys: ['enter', 'y'], does: 'cancel', decides: true, run: cancel },
        { ...leave, keys: ['esc', 'n'] },
      ];
    case 'more':
    case 'constraint':
      return [leave];
  }
}

function optionKeys({
  change,
  state,
  solutions,
  canDiscuss,
  decide,
}: DecisionMoves): readonly Binding[] {
  const open = (page: DecisionPage) => () => change((now) => opened(now, page));
  const look = (by: 1 | -1) => () =>
    change((now) => lookedAt(now, within(state.chosen + by, solutions)));
  const drop = () => change((now) => ({ ...now, constraints: now.constraints.slice(0, -1) }));
  const others: readonly Binding[] = [
    { keys: ['right', 'l'], does: 'next', run: look(1) },
    { keys: ['left', 'h'], does: 'previous', minor: true, run: look(-1) },
  ];
  return [
    { keys: ['enter'], does: 'choose', decides: true, ownPress: true, run: decide },
    ...(solutions > 1 ? others : []),
    ...(canDiscuss ? [{ keys: ['m'], does: 'more analysis', run: open('more') }] : []),
    { keys: ['x'], does: 'cancel', run: open('cancel') },
    { keys: ['d'], does: 'details', run: open('detail') },
    { keys: ['a'], does: 'agreement', run: open('agreement') },
    { keys: ['c'], does: 'add a constraint', run: open('constraint') },
    ...(state.constraints.length === 0
      ? []
      : [{ keys: ['backspace'], does: 'drop the last constraint', run: drop }]),
  ];
}

function referenceKeys(moves: DecisionMoves): readonly Binding[] {
  const { change, state, references, page, openCode } = moves;
  const pick = (by: 1 | -1) => () => {
    const reference = within(state.reference + by, references);
    const at = page.rowOf(reference);
    // The last row says that more follows.
    const isVisible = at >= state.scroll && at < state.scroll + page.height - 1;
    const scroll = isVisible ? state.scroll : Math.max(0, at - Math.floor(page.height / 2));
    change((now) => ({ ...now, reference, scroll }));
  };
  return [
    { keys: ['enter'], does: 'show the code', run: openCode },
    { keys: ['down', 'j'], does: 'next place', run: pick(1) },
    { keys: ['up', 'k'], does: 'previous place', minor: true, run: pick(-1) },
    ...pageKeys(moves),
  ];
}

/** Where a page has other uses for up and down, these reach its keys first. */
function pageKeys({ change, page }: DecisionMoves): readonly Binding[] {
  const scroll = (by: number) =>
    change((now) => ({ ...now, scroll: within(now.scroll + by, page.mostScroll + 1) }));
  return scrollKeys(scroll, page.height - 1);
}
