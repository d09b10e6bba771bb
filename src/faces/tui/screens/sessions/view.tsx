import { useEffect, useState } from 'react';
import { Frame, type Body, useBodySize } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import { Rows } from '../../rows-view.tsx';
import type { Sessions } from '../../state.ts';
import { createStore, type Store, useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { type FieldStore, useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { sessionsRows } from './rows.ts';
import {
  chosenEntry,
  fitting,
  moved,
  startingSessions,
  type SessionsState,
  whyClosed,
  withRead,
  withoutEntry,
} from './state.ts';

/** Saved sessions, to go on with, to review or to remove. */
export function SessionsScreen({ stage }: { readonly stage: Sessions }) {
  const { ports } = useTools();
  const [store] = useState(() => createStore<SessionsState>(startingSessions));
  const field = useTextField();
  const { removing, entries } = useStore(store, (now) => now);
  const typed = useStore(field, ({ text }) => text);
  const isEmpty = typed === '';
  const fit = fitting(entries ?? [], typed).length;
  const isRemoving = removing !== null;
  const { height } = useBodySize();
  useSessions(store, ports, stage.purpose);
  useEffect(
    () => field.subscribe(() => store.change((now) => ({ ...now, chosen: 0, note: null }))),
    [field, store],
  );
  const desk: SessionsDesk = { store, field, stage, ports };
  const page = Math.max(1, height - 8);
  return (
    <Frame
      bindings={isRemoving ? removalKeys(desk) : sessionsKeys(desk, { fit, page })}
      typing={!isRemoving}
      helps={isRemoving || isEmpty}
    >
      {(body) => <SessionsPage desk={desk} body={body} isRemoving={isRemoving} />}
    </Frame>
  );
}

function SessionsPage(props: {
  readonly desk: SessionsDesk;
  readonly body: Body;
  readonly isRemoving: boolean;
}) {
  const { desk, body, isRemoving } = props;
  const { store, field, stage } = desk;
  const state = useStore(store, (now) => now);
  const text = useStore(field, (now) => now);
  const active = body.active && !isRemoving;
  useFieldKeys({
    field,
    active,
    width: body.width,
    lines: 'one',
    leaves: ['delete', 'ctrl+d', ...(text.text === '' ? ['?'] : [])],
  });
  const { purpose } = stage;
  const shown = { state, purpose, field: text, width: body.width, height: body.height, active };
  return <Rows rows={sessionsRows(shown)} width={body.width} />;
}

/** Reads the sessions when the first frame is there. */
function useSessions(
  store: Store<SessionsState>,
  ports: TuiPorts,
  purpose: Sessions['purpose'],
): void {
  useEffect(() => {
    ports
      .sessions()
      .then((all) => {
        const entries = purpose === 'resume' ? all : all.filter(({ hasPlan }) => hasPlan);
        store.change((state) => withRead(state, entries, Date.now()));
      })
      .catch((error: unknown) => {
        const note = error instanceof Error ? error.message : String(error);
        store.change((state) => ({ ...withRead(state, [], Date.now()), note }));
      });
  }, [store, ports, purpose]);
}

/** What the keys of the picker work on; read when a key is pressed, not when it was drawn. */
interface SessionsDesk {
  readonly store: Store<SessionsState>;
  readonly field: FieldStore;
  readonly stage: Sessions;
  readonly ports: TuiPorts;
}

/** Those that work for so many sessions as fit the search. */
function sessionsKeys(
  desk: SessionsDesk,
  { fit, page }: { readonly fit: number; readonly page: number },
): readonly Binding[] {
  const { stage } = desk;
  const verb = stage.purpose === 'resume' ? 'resume' : 'review';
  const removal: Binding = {
    keys: ['delete', 'ctrl+d'],
    does: 'remove',
    run: () => askRemoval(desk),
  };
  return [
    ...(fit > 0 ? [{ keys: ['enter'], does: verb, run: () => pick(desk) }] : []),
    ...(fit > 1 ? moveKeys(desk, page) : []),
    ...(fit > 0 ? [removal] : []),
    {
      keys: ['esc', 'ctrl+c'],
      does: stage.isFirst ? 'leave' : 'back',
      run: () => stage.answer(null),
    },
  ];
}

/** While a removal waits for its confirmation. */
function removalKeys(desk: SessionsDesk): readonly Binding[] {
  const { store } = desk;
  const keep = () => store.change((state) => ({ ...state, removing: null }));
  return [
    { keys: ['y'], does: 'remove it', run: () => remove(desk) },
    { keys: ['esc', 'n', 'enter', 'ctrl+c'], does: 'keep it', run: keep },
  ];
}

function moveKeys(desk: SessionsDesk, page: number): readonly Binding[] {
  return [
    { keys: ['up', 'ctrl+p'], does: 'up', run: () => move(desk, -1) },
    { keys: ['down', 'ctrl+n'], does: 'down', run: () => move(desk, 1) },
    { keys: ['pageup'], does: 'page up', minor: true, run: () => move(desk, -page) },
    { keys: ['pagedown'], does: 'page down', minor: true, run: () => move(desk, page) },
  ];
}

/** Opens the chosen session, or says why it cannot be opened. */
function pick({ store, field, stage }: SessionsDesk): void {
  const entry = chosenEntry(store.get(), field.get().text);
  if (entry === undefined) return;
  const note = whyClosed(entry);
  if (note === null) stage.answer({ kind: 'session', id: entry.id });
  else store.change((state) => ({ ...state, note }));
}

function move({ store, field }: SessionsDesk, step: number): void {
  store.change((state) => moved(state, field.get().text, step));
}

function askRemoval({ store, field }: SessionsDesk): void {
  const entry = chosenEntry(store.get(), field.get().text);
  if (entry !== undefined) {
    store.change((state) => ({ ...state, removing: entry.id, note: null }));
  }
}

function remove({ store, ports }: SessionsDesk): void {
  const id = store.get().removing;
  if (id === null) return;
  store.change((state) => ({ ...state, removing: null, note: `Removing ${id}…` }));
  ports
    .removeSession(id)
    .then(() => store.change((state) => withoutEntry(state, id)))
    .catch((error: unknown) => {
      const note = error instanceof Error ? error.message : String(error);
      store.change((state) => ({ ...state, note }));
    });
}
