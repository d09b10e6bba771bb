import { useState } from 'react';
import { Frame, useBodySize } from '../../frame.tsx';
import { scrollKeys, type Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Pane } from '../../progress/progress.ts';
import { windowOf } from '../../rows.ts';
import { Rows, useTools, useTui } from '../../tools.tsx';
import { runRows } from './rows.ts';
import { sheetRows } from './sheets.ts';
import {
  chosenPane,
  paneBeside,
  panesNow,
  scrolled,
  startingRun,
  toggledSheet,
  topOf,
  type RunState,
  type Sheet,
} from './state.ts';

/** What happens now: a pane for each agent, and what the rounds brought. */
export function RunScreen() {
  const { store, ports } = useTools();
  const progress = useTui((shared) => shared.progress);
  const now = useTui((shared) => shared.now);
  const isAside = useTui((shared) => shared.besides === 'run');
  const [state, change] = useState(startingRun);
  const { width, height } = useBodySize();
  const panes = panesNow(progress);
  const chosen = chosenPane(panes, state.chosen);
  const { sheet } = state;
  const page = sheet === null ? null : sheetRows({ sheet, progress, chosen, now, width });
  const room = Math.max(1, height - (page?.head.length ?? 0));
  const most = Math.max(0, (page?.body.length ?? 0) - room);
  const scroll = (by: number) => change((run) => scrolled(run, { by, most }));
  const toggle = (to: Sheet) => () => change((run) => toggledSheet(run, to));
  const leave = () => store.change((shared) => ({ ...shared, besides: null }));
  const stop = () => store.change((shared) => ({ ...shared, overlay: 'stop' }));
  const bindings: readonly Binding[] = [
    ...(sheet === null || sheet === 'agent' ? paneKeys({ state, panes, chosen, change }) : []),
    ...(progress.execution === null
      ? []
      : [{ keys: ['d'], does: 'checks and diff', run: toggle('task') }]),
    ...(most > 0 ? scrollKeys(scroll, room - 1) : []),
    ...(sheet === null ? [] : [{ keys: ['esc', 'q'], does: 'back', run: toggle(sheet) }]),
    ...(isAside && sheet === null ? [{ keys: ['v', 'esc'], does: 'back', run: leave }] : []),
    ...(sheet === null || sheet === 'agent' ? skipKeys({ state, chosen, change, ports }) : []),
    { keys: ['ctrl+c'], does: 'stop', run: stop },
    { keys: ['r'], does: 'rounds', run: toggle('rounds') },
    { keys: ['n'], does: 'notes', run: toggle('notes') },
    { keys: ['c'], does: 'context', run: toggle('context') },
  ];
  const rows =
    page === null
      ? runRows({ progress, state, now, width, height })
      : [...page.head, ...windowOf(page.body, topOf(state, most), room)];
  return <Frame bindings={bindings}>{() => <Rows rows={rows} width={width} />}</Frame>;
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
  const isZoomed = state.sheet === 'agent';
  const choose = (by: 1 | -1) => () => {
    const { key } = paneBeside(panes, chosen, by);
    change((run) => ({ ...run, chosen: key, top: null }));
  };
  // A zoomed pane is scrolled by the arrows.
  const [next, previous] = isZoomed
    ? [[], []]
    : [
        ['down', 'j'],
        ['up', 'k'],
      ];
  const zoom = () => change((run) => toggledSheet({ ...run, chosen: chosen.key }, 'agent'));
  const others: readonly Binding[] = [
    { keys: ['tab', 'right', 'l', ...next], does: `next ${what}`, run: choose(1) },
    {
      keys: ['left', 'shift+tab', 'h', ...previous],
      does: `previous ${what}`,
      minor: true,
      run: choose(-1),
    },
  ];
  return [
    { keys: ['enter', 'z'], does: isZoomed ? `all ${what}s` : 'zoom', run: zoom },
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
