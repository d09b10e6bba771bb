import { useReducer } from 'react';
import { Frame, useBodySize } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import type { Pane } from '../../progress/progress.ts';
import { Rows } from '../../rows-view.tsx';
import { windowOf } from '../../rows.ts';
import { useTools, useTui } from '../../tools.tsx';
import { reachablePanes, runRows, zoomRoom } from './rows.ts';
import { sheetRows } from './sheets.ts';
import {
  chosenPane,
  paneBeside,
  runReducer,
  startingRun,
  type RunAction,
  type RunState,
} from './state.ts';
import { placeBeside } from './tail-rows.ts';

/** What happens now: a pane for each agent, and what the rounds brought. */
export function RunScreen() {
  const { store } = useTools();
  const progress = useTui((shared) => shared.progress);
  const now = useTui((shared) => shared.now);
  const isBeside = useTui((shared) => shared.besides === 'run');
  const [state, dispatch] = useReducer(runReducer, startingRun);
  const room = useBodySize();
  const panes = reachablePanes({ progress, state, width: room.width });
  const chosen = chosenPane(panes, state.chosen);
  const sheet = state.sheet === null ? null : sheetRows(state.sheet, progress, room.width);
  const most = Math.max(0, (sheet?.length ?? 0) - room.height);
  const sheetTop = Math.min(state.sheetTop, most);
  const scroll = (by: number) => {
    if (sheet !== null) {
      dispatch({ type: 'scroll-sheet', top: Math.min(most, Math.max(0, sheetTop + by)) });
    } else if (chosen !== null) {
      const move = { ...zoomRoom(room), top: state.top, by };
      dispatch({ type: 'scroll-tail', top: placeBeside(chosen.tail, move) });
    }
  };
  const back = () => store.change((shared) => ({ ...shared, besides: null }));
  const leave = isBeside ? back : null;
  const bindings = runKeys({
    state,
    panes,
    chosen,
    page: room.height - 1,
    isLong: sheet === null || most > 0,
    dispatch,
    scroll,
    leave,
  });
  return (
    <Frame bindings={bindings}>
      {({ width, height }) => (
        <Rows
          rows={
            sheet === null
              ? runRows({ progress, state, now, width, height })
              : windowOf(sheet, sheetTop, height)
          }
          width={width}
        />
      )}
    </Frame>
  );
}

/** What the keys of the run screen call. */
interface RunMoves {
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
function runKeys(moves: RunMoves): readonly Binding[] {
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
      does: 'previous agent',
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
    { keys: ['home', 'g'], does: 'to the top', minor: true, run: by(-Infinity) },
    { keys: ['end', 'G'], does: 'to the end, and follow', minor: true, run: by(Infinity) },
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
