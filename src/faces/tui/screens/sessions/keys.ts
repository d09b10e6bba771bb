import type { Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Sessions } from '../../stage.ts';
import type { Store } from '../../store.ts';
import type { FieldStore } from '../../widgets/text-field/view.tsx';
import { type SessionsState, chosenEntry, moved, whyClosed, withoutEntry } from './state.ts';

/** What the keys of the picker work on; read when a key is pressed, not when it was drawn. */
export interface SessionsDesk {
  readonly store: Store<SessionsState>;
  readonly field: FieldStore;
  readonly stage: Sessions;
  readonly ports: TuiPorts;
}

/** Those that work for so many sessions as fit the search. */
export function sessionsKeys(
  desk: SessionsDesk,
  { fit, page }: { readonly fit: number; readonly page: number },
): readonly Binding[] {
  const { stage } = desk;
  const verb = stage.purpose === 'resume' ? 'go on with it' : 'review it';
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
export function removalKeys(desk: SessionsDesk): readonly Binding[] {
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
    { keys: ['pageup'], does: 'a page up', minor: true, run: () => move(desk, -page) },
    { keys: ['pagedown'], does: 'a page down', minor: true, run: () => move(desk, page) },
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
