import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { Frame, useBodySize, useIsActive } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Sessions } from '../../state.ts';
import { useStore } from '../../store.ts';
import { Rows, useTools } from '../../tools.tsx';
import { useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { sessionsRows } from './rows.ts';
import {
  type SessionsState,
  chosenEntry,
  fitting,
  moved,
  startingSessions,
  whyClosed,
  withRead,
  withoutEntry,
} from './state.ts';

/** Saved sessions, to go on with, to review or to remove. */
export function SessionsScreen({ stage }: { readonly stage: Sessions }) {
  const { ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState(startingSessions);
  const field = useTextField();
  const search = useStore(field, (now) => now);
  const isRemoving = state.removing !== null;
  const active = useIsActive() && !isRemoving;
  const isEmpty = search.text === '';
  useSessions(change, ports, stage.purpose);
  useEffect(
    () => field.subscribe(() => change((now) => ({ ...now, chosen: 0, note: null }))),
    [field],
  );
  useFieldKeys({
    field,
    active,
    width: size.width,
    lines: 'one',
    leaves: ['delete', 'ctrl+d', ...(isEmpty ? ['?'] : [])],
  });
  const moves = { state, change, stage, ports, typed: search.text };
  const page = Math.max(1, size.height - 8);
  const shown = { state, purpose: stage.purpose, field: search, active, ...size };
  return (
    <Frame
      bindings={isRemoving ? removalKeys(moves) : sessionsKeys(moves, page)}
      typing={!isRemoving}
      helps={isRemoving || isEmpty}
    >
      {({ width }) => <Rows rows={sessionsRows(shown)} width={width} />}
    </Frame>
  );
}

type Change = Dispatch<SetStateAction<SessionsState>>;

interface Moves {
  readonly state: SessionsState;
  readonly change: Change;
  readonly stage: Sessions;
  readonly ports: TuiPorts;
  /** What was typed to search. */
  readonly typed: string;
}

/** Those that work for so many sessions as fit the search. */
function sessionsKeys({ state, change, stage, typed }: Moves, page: number): readonly Binding[] {
  const count = fitting(state.entries ?? [], typed).length;
  const entry = chosenEntry(state, typed);
  const leave = () => stage.answer(null);
  const back: Binding = {
    keys: ['esc', 'ctrl+c'],
    does: stage.isFirst ? 'leave' : 'back',
    run: leave,
  };
  if (entry === undefined) return [back];
  const pick = () => {
    const note = whyClosed(entry);
    if (note === null) stage.answer({ kind: 'session', id: entry.id });
    else change((now) => ({ ...now, note }));
  };
  const remove = () => change((now) => ({ ...now, removing: entry.id, note: null }));
  const move = (step: number) => () => change((now) => moved(now, typed, step));
  const others: readonly Binding[] = [
    { keys: ['up', 'ctrl+p'], does: 'up', run: move(-1) },
    { keys: ['down', 'ctrl+n'], does: 'down', run: move(1) },
    { keys: ['pageup'], does: 'page up', minor: true, run: move(-page) },
    { keys: ['pagedown'], does: 'page down', minor: true, run: move(page) },
  ];
  return [
    { keys: ['enter'], does: stage.purpose, run: pick },
    ...(count > 1 ? others : []),
    { keys: ['delete', 'ctrl+d'], does: 'remove', run: remove },
    back,
  ];
}

/** While a removal waits for its confirmation. */
function removalKeys({ state: { removing: id }, change, ports }: Moves): readonly Binding[] {
  const settle = (note: string | null) => change((now) => ({ ...now, removing: null, note }));
  const remove = () => {
    if (id === null) return;
    settle(`Removing ${id}…`);
    ports
      .removeSession(id)
      .then(() => change((now) => withoutEntry(now, id)))
      .catch((error: unknown) => settle(messageOf(error)));
  };
  return [
    { keys: ['y'], does: 'remove it', run: remove },
    { keys: ['esc', 'n', 'enter', 'ctrl+c'], does: 'keep it', run: () => settle(null) },
  ];
}

/** Reads the sessions when the first frame is there. */
function useSessions(change: Change, ports: TuiPorts, purpose: Sessions['purpose']): void {
  useEffect(() => {
    ports
      .sessions()
      .then((all) => {
        const entries = purpose === 'resume' ? all : all.filter(({ hasPlan }) => hasPlan);
        change((now) => withRead(now, entries, Date.now()));
      })
      .catch((error: unknown) => {
        change((now) => ({ ...withRead(now, [], Date.now()), note: messageOf(error) }));
      });
  }, [change, ports, purpose]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
