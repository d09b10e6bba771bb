// Shows the current work, with its keys.
import { useState } from 'react';
import { wordsOfError } from '../../../../model/wording.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { type Binding, key, minorKey, scrollKeys } from '../../key-bindings.ts';
import type { TuiPorts } from '../../ports.ts';
import { type Pane, type Progress, isOpen } from '../../progress/progress.ts';
import { useTools, useTui } from '../../tools.tsx';
import { runPage } from './run-rows.ts';
import {
  currentPane,
  panesNow,
  startingRun,
  toggleSheet,
  type RunState,
  type Sheet,
} from './run-state.ts';

/** Shows the current work: a pane for each agent, and the results so far. */
export function RunScreen() {
  const { store, ports, say } = useTools();
  const progress = useTui((shared) => shared.progress);
  const now = useTui((shared) => shared.now);
  const isAside = useTui((shared) => shared.besides === 'run');
  const [state, change] = useState(startingRun);
  const { width, height } = useBodySize();
  const panes = panesNow(progress);
  const chosen = currentPane(panes, state.chosen);
  const { sheet } = state;
  const page = runPage({ progress, state, now, width, height });
  // After scrolling to the end, the page follows the agent again.
  const scroll = (to: number) =>
    change((run) => ({ ...run, top: sheet === 'agent' && to === page.most ? null : to }));
  const toggle = (to: Sheet) => () => change((run) => toggleSheet(run, to));
  const leave = () => store.change((shared) => ({ ...shared, besides: null }));
  const stop = () => store.change((shared) => ({ ...shared, overlay: 'stop' }));
  const isAgents = sheet === null || sheet === 'agent';
  const bindings: readonly Binding[] = [
    ...(isAgents ? loginKeys({ panes, chosen, ports, say }) : []),
    ...(isAgents ? paneKeys({ state, panes, chosen, change }) : []),
    ...(progress.execution === null ? [] : [key(['d'], 'checks and diff', toggle('task'))]),
    ...scrollKeys(page, scroll),
    ...(sheet === null ? [] : [key(['esc', 'q'], 'back', toggle(sheet))]),
    ...(isAside && sheet === null ? [key(['v', 'esc'], 'back', leave)] : []),
    ...(isAgents ? skipKeys({ state, chosen, change, ports }) : []),
    ...(isAgents ? decideKeys({ state, panes, change, ports, progress }) : []),
    key(['ctrl+c'], 'stop', stop),
    key(['n'], 'history', toggle('notes')),
  ];
  return <Frame bindings={bindings} rows={page.rows} />;
}

type Change = (next: (state: RunState) => RunState) => void;

interface PaneMoves {
  readonly state: RunState;
  readonly chosen: Pane | null;
  readonly change: Change;
}

function paneKeys({
  state,
  panes,
  chosen,
  change,
}: PaneMoves & { readonly panes: readonly Pane[] }): readonly Binding[] {
  if (chosen === null) return [];
  const what = chosen.task === null ? 'agent' : 'task';
  const isZoomed = state.sheet === 'agent';
  const choose = (by: 1 | -1) => () => {
    const beside = panes.at((panes.indexOf(chosen) + by) % panes.length) ?? chosen;
    change((run) => ({ ...run, chosen: beside.key, top: null }));
  };
  // A zoomed pane is scrolled by the arrows.
  const next = ['tab', 'right', 'l', ...(isZoomed ? [] : ['down', 'j'])];
  const previous = ['shift+tab', 'left', 'h', ...(isZoomed ? [] : ['up', 'k'])];
  const zoom = () => change((run) => toggleSheet({ ...run, chosen: chosen.key }, 'agent'));
  return [
    key(['enter', 'z'], isZoomed ? `all ${what}s` : 'zoom', zoom),
    ...(panes.length > 1 ? [key(next, `next ${what}`, choose(1))] : []),
    ...(panes.length > 1 ? [key(previous, `previous ${what}`, choose(-1), minorKey)] : []),
  ];
}

/** Logs in the chosen agent if it waits for that, or else the first that does, and asks it again. */
function loginKeys({
  panes,
  chosen,
  ports,
  say,
}: Pick<PaneMoves, 'chosen'> &
  Pick<ReturnType<typeof useTools>, 'ports' | 'say'> & {
    readonly panes: readonly Pane[];
  }): readonly Binding[] {
  const out = [...(chosen === null ? [] : [chosen]), ...panes].find(({ login }) => login !== null);
  if (out === undefined) return [];
  const run = async () => {
    const fault = await ports.logIn(out.agent).catch(wordsOfError);
    say(fault);
    if (fault === null) ports.askAgain(out.key);
  };
  return [key(['l'], `log ${out.agent} in`, run, { ownPress: true })];
}

/**
 * Makes the key that ends the round at its second press: the options follow as they stand. There are some once an
 * agent has answered.
 */
function decideKeys({
  state,
  panes,
  change,
  ports,
  progress,
}: Omit<PaneMoves, 'chosen'> & {
  readonly panes: readonly Pane[];
  readonly ports: TuiPorts;
  readonly progress: Progress;
}): readonly Binding[] {
  const { phase, rounds, group } = progress;
  const hasAnswers = rounds.length > 1 || panes.some((pane) => pane.state === 'answered');
  if (phase !== 'discussion' || group === null || !panes.some(isOpen) || !hasAnswers) return [];
  const isSure = state.skipping === group;
  const run = () => {
    if (isSure) ports.skip(group);
    change((now) => ({ ...now, skipping: isSure ? null : group }));
  };
  return [key(['d'], isSure ? 'again to decide now' : 'decide now', run, { ownPress: true })];
}

/** Makes the key that ends the chosen agent’s work or wait, at its second press. */
function skipKeys({
  state,
  chosen,
  change,
  ports,
}: PaneMoves & { readonly ports: TuiPorts }): readonly Binding[] {
  if (chosen?.kind !== 'model' || !(chosen.state === 'running' || chosen.state === 'waiting'))
    return [];
  const isSure = state.skipping === chosen.key;
  const run = () => {
    if (isSure) ports.skip(chosen.key);
    change((now) => ({ ...now, skipping: isSure ? null : chosen.key }));
  };
  const does = isSure ? `again to skip ${chosen.agent}` : 'skip';
  return [key(['s'], does, run, { ownPress: true })];
}
