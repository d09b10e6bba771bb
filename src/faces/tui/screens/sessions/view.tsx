import { useEffect, useState } from 'react';
import { Frame, useBodySize, useIsActive } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import type { SavedEntry } from '../../ports.ts';
import type { Sessions } from '../../state.ts';
import { useStore } from '../../store.ts';
import { messageOf, Rows, useTools } from '../../tools.tsx';
import { useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { type Picked, pickedFrom, sessionsRows, whyClosed } from './rows.ts';

interface SessionsState {
  /** Null until they are read. */
  readonly entries: readonly SavedEntry[] | null;
  /** When they were read, in ms since the epoch. */
  readonly readAt: number;
  readonly at: number;
  /** The session whose removal has to be confirmed. */
  readonly removing: string | null;
  /** One sentence for the person; gone with the next key. */
  readonly note: string | null;
}

const starting: SessionsState = { entries: null, readAt: 0, at: 0, removing: null, note: null };

type Set = (part: Partial<SessionsState>) => void;

export function SessionsScreen({ stage }: { readonly stage: Sessions }) {
  const { ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState(starting);
  const set: Set = (part) => change((now) => ({ ...now, ...part }));
  const field = useTextField();
  const search = useStore(field, (now) => now);
  const isRemoving = state.removing !== null;
  const active = useIsActive() && !isRemoving;
  const isEmpty = search.text === '';
  const { purpose } = stage;
  const picked = pickedFrom(state.entries ?? [], search.text, state.at);
  useEffect(() => {
    ports
      .sessions()
      .then((all) => {
        const entries = all.filter(({ hasPlan }) => hasPlan || purpose === 'resume');
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
    set({ removing: null, note: `Removing ${id}…` });
    ports
      .removeSession(id)
      .then(() =>
        change((now) => ({
          ...now,
          entries: now.entries?.filter((entry) => entry.id !== id) ?? null,
          note: `Removed ${id}.`,
        })),
      )
      .catch((error: unknown) => set({ note: messageOf(error) }));
  };
  const rows = sessionsRows({ ...state, ...size, picked, purpose, field: search, active });
  return (
    <Frame
      bindings={
        state.removing === null
          ? pickerKeys({ stage, picked, set })
          : removalKeys(state.removing, { set, remove })
      }
      typing={!isRemoving}
      helps={isRemoving || isEmpty}
    >
      {({ width }) => <Rows rows={rows} width={width} />}
    </Frame>
  );
}

function pickerKeys({
  stage,
  picked: { fitting, chosen, at },
  set,
}: {
  readonly stage: Sessions;
  readonly picked: Picked;
  readonly set: Set;
}): readonly Binding[] {
  const leave = () => stage.answer(null);
  const back = { keys: ['esc', 'ctrl+c'], does: stage.isFirst ? 'leave' : 'back', run: leave };
  if (chosen === undefined) return [back];
  const { id } = chosen;
  const open = () => {
    const note = whyClosed(chosen);
    if (note === null) stage.answer({ kind: 'session', id });
    else set({ note });
  };
  const move = (step: number) => () => set({ at: at + step, note: null });
  const others: readonly Binding[] = [
    { keys: ['up', 'ctrl+p'], does: 'up', run: move(-1) },
    { keys: ['down', 'ctrl+n'], does: 'down', run: move(1) },
  ];
  const ask = () => set({ removing: id, note: 'Remove this session and all its files?' });
  return [
    { keys: ['enter'], does: stage.purpose, run: open },
    ...(fitting.length > 1 ? others : []),
    { keys: ['delete', 'ctrl+d'], does: 'remove', run: ask },
    back,
  ];
}

function removalKeys(
  id: string,
  { set, remove }: { readonly set: Set; readonly remove: (id: string) => void },
): readonly Binding[] {
  const keep = () => set({ removing: null, note: null });
  return [
    { keys: ['y'], does: 'remove it', run: () => remove(id) },
    { keys: ['esc', 'n', 'enter', 'ctrl+c'], does: 'keep it', run: keep },
  ];
}
