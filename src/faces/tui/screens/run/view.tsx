import { useState } from 'react';
import { Frame, useBodySize } from '../../frame.tsx';
import { scrollKeys, type Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Pane } from '../../progress/progress.ts';
import { windowOf } from '../../rows.ts';
import { Rows, useTools, useTui } from '../../tools.tsx';
import { reachablePanes, runRows, zoomRoom } from './rows.ts';
import { sheetRows } from './sheets.ts';
import {
  chosePane,
  chosenPane,
  paneBeside,
  startingRun,
  toggledSheet,
  wentBack,
  zoomed,
  type RunState,
  type Sheet,
} from './state.ts';
import { placeBeside } from './tail-rows.ts';

/** What happens now: a pane for each agent, and what the rounds brought. */
export function RunScreen() {
  const { store, ports } = useTools();
  const progress = useTui((shared) => shared.progress);
  const now = useTui((shared) => shared.now);
  const isAside = useTui((shared) => shared.besides === 'run');
  const [state, change] = useState(startingRun);
  const room = useBodySize();
  const panes = reachablePanes({ progress, state, width: room.width });
  const chosen = chosenPane(panes, state.chosen);
  const sheet =
    state.sheet === null
      ? null
      : sheetRows({ sheet: state.sheet, task: chosen?.task ?? null }, progress, room.width);
  const most = Math.max(0, (sheet?.length ?? 0) - room.height);
  const sheetTop = Math.min(state.sheetTop, most);
  const scroll = (by: number) => {
    if (sheet !== null) {
      change({ ...state, sheetTop: Math.min(most, Math.max(0, sheetTop + by)) });
    } else if (chosen !== null) {
      const move = { ...zoomRoom(room), top: state.top, by };
      change({ ...state, top: placeBeside(chosen.tail, move) });
    }
  };
  const isOver = sheet !== null || state.isZoomed;
  const isLong = sheet === null ? state.isZoomed : most > 0;
  const leave = () => store.change((shared) => ({ ...shared, besides: null }));
  const stop = () => store.change((shared) => ({ ...shared, overlay: 'stop' }));
  const bindings: readonly Binding[] = [
    ...(sheet === null ? paneKeys({ state, panes, chosen, change }) : []),
    ...(progress.execution === null ? [] : [sheetKey(change, ['d', 'checks and diff', 'task'])]),
    ...(isLong ? scrollKeys(scroll, room.height - 1) : []),
    ...(isOver ? [{ keys: ['esc', 'q'], does: 'back', run: () => change(wentBack) }] : []),
    ...(isAside && !isOver ? [{ keys: ['v', 'esc'], does: 'back', run: leave }] : []),
    ...(sheet === null ? skipKeys({ state, chosen, change, ports }) : []),
    { keys: ['ctrl+c'], does: 'stop', run: stop },
    sheetKey(change, ['r', 'rounds', 'rounds']),
    sheetKey(change, ['n', 'notes', 'notes']),
    sheetKey(change, ['c', 'context', 'context']),
  ];
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

type Change = (next: (state: RunState) => RunState) => void;

function paneKeys({
  state,
  panes,
  chosen,
  change,
}: {
  readonly state: RunState;
  readonly panes: readonly Pane[];
  readonly chosen: Pane | null;
  readonly change: Change;
}): readonly Binding[] {
  if (chosen === null) return [];
  const what = chosen.task === null ? 'agent' : 'task';
  const choose = (by: 1 | -1) => () =>
    change((now) => chosePane(now, paneBeside(panes, chosen, by)));
  // A zoomed tail is scrolled by the arrows.
  const [down, up] = state.isZoomed
    ? [[], []]
    : [
        ['down', 'j'],
        ['up', 'k'],
      ];
  const others: readonly Binding[] = [
    { keys: ['tab', 'right', 'l', ...down], does: `next ${what}`, run: choose(1) },
    {
      keys: ['left', 'shift+tab', 'h', ...up],
      does: `previous ${what}`,
      minor: true,
      run: choose(-1),
    },
  ];
  const zoom = () => change((now) => zoomed(now, chosen));
  return [
    { keys: ['enter', 'z'], does: state.isZoomed ? `all ${what}s` : 'zoom', run: zoom },
    ...(panes.length > 1 ? others : []),
  ];
}

/** A second press ends what the chosen agent does, or its wait. */
function skipKeys({
  state,
  chosen,
  change,
  ports,
}: {
  readonly state: RunState;
  readonly chosen: Pane | null;
  readonly change: Change;
  readonly ports: TuiPorts;
}): readonly Binding[] {
  if (chosen?.kind !== 'model' || !(chosen.state === 'running' || chosen.state === 'waiting'))
    return [];
  const { key, agent } = chosen;
  const isSure = state.skipping === key;
  const run = () => {
    if (isSure) ports.skip(key);
    change((now) => ({ ...now, skipping: isSure ? null : key }));
  };
  return [{ keys: ['s'], does: isSure ? `again to skip ${agent}` : 'skip', ownPress: true, run }];
}

function sheetKey(change: Change, [key, does, sheet]: readonly [string, string, Sheet]): Binding {
  return { keys: [key], does, run: () => change((now) => toggledSheet(now, sheet)) };
}
