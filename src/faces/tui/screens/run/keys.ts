import type { Binding } from '../../keys.ts';
import type { Pane } from '../../progress/progress.ts';
import { type RunAction, type RunState, paneBeside } from './state.ts';

/** What the keys of the run screen call. */
export interface RunMoves {
  readonly state: RunState;
  readonly panes: readonly Pane[];
  readonly chosen: Pane | null;
  /** Rows that one page has. */
  readonly page: number;
  /** What is zoomed or opened may have more rows than that. */
  readonly isLong: boolean;
  readonly dispatch: (action: RunAction) => void;
  /** Moves what is zoomed or opened by so many rows; towards the end if positive. */
  readonly scroll: (by: number) => void;
  /** Back to the question that waits; null where none does. */
  readonly leave: (() => void) | null;
}

/** The keys of what is shown: the panes, one of them alone, or a page over them. */
export function runKeys(moves: RunMoves): readonly Binding[] {
  const { state, leave, dispatch, isLong } = moves;
  const isOver = state.sheet !== null || state.isZoomed;
  const back = isOver ? () => dispatch({ type: 'back' }) : leave;
  return [
    ...(state.sheet === null ? paneKeys(moves) : []),
    ...(isOver && isLong ? scrollKeys(moves) : []),
    ...(back === null
      ? []
      : [{ keys: isOver ? ['esc', 'q'] : ['v', 'esc'], does: 'back', run: back }]),
    ...sheetKeys(moves),
  ];
}

function paneKeys({ state, panes, chosen, dispatch }: RunMoves): readonly Binding[] {
  if (chosen === null) return [];
  const beside = (by: 1 | -1) => () =>
    dispatch({ type: 'choose', key: paneBeside(panes, chosen, by).key });
  const arrows = state.isZoomed
    ? [[], []]
    : [
        ['down', 'j'],
        ['up', 'k'],
      ];
  const others: readonly Binding[] = [
    { keys: ['tab', 'right', 'l', ...(arrows[0] ?? [])], does: 'next agent', run: beside(1) },
    {
      keys: ['left', 'shift+tab', 'h', ...(arrows[1] ?? [])],
      does: 'agent before',
      minor: true,
      run: beside(-1),
    },
  ];
  const zoom = () => dispatch({ type: 'zoom', key: chosen.key });
  return [
    { keys: ['enter', 'z'], does: state.isZoomed ? 'all agents' : 'zoom', run: zoom },
    ...(panes.length > 1 ? others : []),
  ];
}

function scrollKeys({ page, scroll }: RunMoves): readonly Binding[] {
  const by = (rows: number) => () => scroll(rows);
  return [
    { keys: ['up', 'k'], does: 'up', run: by(-1) },
    { keys: ['down', 'j'], does: 'down', minor: true, run: by(1) },
    { keys: ['pageup', 'b'], does: 'page up', minor: true, run: by(-page) },
    { keys: ['pagedown', 'space'], does: 'page down', minor: true, run: by(page) },
    { keys: ['home', 'g'], does: 'to the beginning', minor: true, run: by(-Infinity) },
    { keys: ['end', 'G'], does: 'to the end, and follow it', minor: true, run: by(Infinity) },
  ];
}

function sheetKeys({ dispatch }: RunMoves): readonly Binding[] {
  const sheet = (name: 'rounds' | 'notes' | 'context') => () =>
    dispatch({ type: 'sheet', sheet: name });
  return [
    { keys: ['r'], does: 'rounds', run: sheet('rounds') },
    { keys: ['n'], does: 'notes', run: sheet('notes') },
    { keys: ['c'], does: 'context', run: sheet('context') },
  ];
}
