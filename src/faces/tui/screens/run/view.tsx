import { useReducer } from 'react';
import { useTools, useTui } from '../../context.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { windowOf } from '../../rows.ts';
import { runKeys } from './keys.ts';
import { reachablePanes, runRows, zoomRoom } from './rows.ts';
import { sheetRows } from './sheets.ts';
import { chosenPane, runReducer, startingRun } from './state.ts';
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
