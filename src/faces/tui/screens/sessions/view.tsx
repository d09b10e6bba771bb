import { useEffect, useState } from 'react';
import { useTools } from '../../context.ts';
import { type Body, Frame, useBodySize } from '../../frame.tsx';
import type { TuiPorts } from '../../ports.ts';
import { Rows } from '../../rows-view.tsx';
import type { Sessions } from '../../stage.ts';
import { type Store, createStore, useStore } from '../../store.ts';
import { useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { type SessionsDesk, removalKeys, sessionsKeys } from './keys.ts';
import { sessionsRows } from './rows.ts';
import { type SessionsState, fitting, startingSessions, withRead } from './state.ts';

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
