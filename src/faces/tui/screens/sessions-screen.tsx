// Offers saved sessions to choose from, with the keys.
import { useEffect, useState } from 'react';
import { type Popup, popupKeys } from '../popup.tsx';
import { Frame, useBodySize, useIsActive } from '../frame.tsx';
import { type Binding, key } from '../key-bindings.ts';
import type { SavedEntry } from '../ports.ts';
import { purposes } from '../purposes.ts';
import type { Sessions } from '../screen-state.ts';
import { useStore } from '../store.ts';
import { messageOf, useTools } from '../tools.tsx';
import { textField } from '../widgets/text-field/field.ts';
import { useFieldKeys, useTextField } from '../widgets/text-field/field-view.tsx';
import { type SessionChoice, chooseSession, sessionsRows, openObstacle } from './sessions-rows.ts';

interface SessionsState {
  /** The sessions; null until they are read. */
  readonly entries: readonly SavedEntry[] | null;
  /** When they were read, in ms since the epoch. */
  readonly readAt: number;
  readonly at: number;
  /** The question before a session is removed. */
  readonly popup: Popup | null;
  /** A sentence for the person; it disappears with the next key. */
  readonly note: string | null;
}

const starting: SessionsState = { entries: null, readAt: 0, at: 0, popup: null, note: null };

type Set = (part: Partial<SessionsState>) => void;

/** Shows saved sessions to choose from; they can be removed. */
export function SessionsScreen({ stage }: { readonly stage: Sessions }) {
  const { ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState(starting);
  const set: Set = (part) => change((now) => ({ ...now, ...part }));
  const field = useTextField();
  const search = useStore(field, (now) => now);
  const { popup } = state;
  const active = useIsActive() && popup === null;
  const isEmpty = search.text === '';
  const { purpose } = stage;
  const picked = chooseSession(state.entries ?? [], search.text, state.at);
  useEffect(() => {
    ports
      .sessions()
      .then((all) => {
        const entries = all.filter(purposes[purpose].fits);
        set({ entries, readAt: Date.now() });
      })
      .catch((error: unknown) => set({ entries: [], note: messageOf(error) }));
  }, [ports, purpose]);
  useEffect(() => field.subscribe(() => set({ at: 0, note: null })), [field]);
  useFieldKeys({
    field,
    active,
    width: size.width,
    lines: 'one',
    leaves: ['delete', 'ctrl+d', ...(isEmpty ? ['?'] : [])],
  });
  const remove = (id: string) => {
    set({ popup: null, note: `Removing ${id}…` });
    const others = state.entries?.filter((entry) => entry.id !== id) ?? null;
    ports
      .removeSession(id)
      .then((kept) => set({ entries: others, note: [`Removed ${id}.`, ...kept].join(' ') }))
      .catch((error: unknown) => set({ note: messageOf(error) }));
  };
  const close = () => set({ popup: null });
  const clear = () => field.change(() => textField());
  const bindings =
    popup === null
      ? pickerKeys({ stage, picked, set, remove, clear: isEmpty ? null : clear })
      : popupKeys(popup, { change: close, close });
  const rows = sessionsRows({ ...state, ...size, picked, purpose, field: search, active });
  const helps = popup !== null || isEmpty;
  return <Frame {...{ bindings, rows, popup, helps }} typing={popup === null} />;
}

function pickerKeys({
  stage,
  picked: { fitting, chosen, at },
  set,
  remove,
  clear,
}: {
  readonly stage: Sessions;
  readonly picked: SessionChoice;
  readonly set: Set;
  readonly remove: (id: string) => void;
  /** Empties the search; null while it is empty. */
  readonly clear: (() => void) | null;
}): readonly Binding[] {
  const does = stage.isFirst ? 'leave' : 'back';
  const leave = key(['esc', 'ctrl+c'], does, () => stage.answer(null));
  const back = clear === null ? leave : key(['esc', 'ctrl+c'], 'clear the search', clear);
  if (chosen === undefined) return [back];
  const { id, task } = chosen;
  const open = () => {
    const note = openObstacle(chosen);
    if (note === null) stage.answer({ kind: 'session', id });
    else set({ note });
  };
  const move = (step: number) => () => set({ at: at + step, note: null });
  const popup: Popup = {
    title: 'Remove this session and all its files?',
    body: [
      { text: task, tone: 'plain' },
      { text: id, tone: 'quiet' },
    ],
    keys: () => [
      key(['y'], 'remove it', () => remove(id)),
      key(['enter', 'n', 'ctrl+c'], 'keep it', () => set({ popup: null })),
    ],
  };
  return [
    key(['enter'], stage.purpose, open),
    ...(fitting.length > 1 ? [key(['up', 'ctrl+p'], 'up', move(-1))] : []),
    ...(fitting.length > 1 ? [key(['down', 'ctrl+n'], 'down', move(1))] : []),
    key(['delete', 'ctrl+d'], 'remove', () => set({ popup, note: null })),
    back,
  ];
}
