import { useEffect, useState } from 'react';
import { longestTask } from '../../../../model/text-size.ts';
import { Frame, type Body } from '../../frame.tsx';
import type { TuiPorts } from '../../ports.ts';
import { Rows } from '../../rows-view.tsx';
import type { Start } from '../../state.ts';
import { createStore, type Store, useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { SessionsScreen } from '../sessions/view.tsx';
import { recall, startKeys, type StartDesk } from './keys.ts';
import { gutterWidth, startRows } from './rows.ts';
import { fileList, mentionIn, startingStart, type StartState, withStanding } from './state.ts';

/** Asks for the task and shows who can take part. */
export function StartScreen({ stage }: { readonly stage: Start }) {
  const { ports } = useTools();
  const [store] = useState(() => createStore<StartState>(startingStart));
  const field = useTextField();
  const state = useStore(store, (now) => now);
  const text = useStore(field, (now) => now);
  useLookAround(store, ports);
  useFiles(store, ports, mentionIn(text) !== null && state.files === null);
  useEffect(() => field.subscribe(() => store.change(withoutNote)), [field, store]);
  const desk: StartDesk = {
    store,
    field,
    start: (task) => stage.answer({ kind: 'task', task }),
    leave: () => stage.answer(null),
  };
  const isEmpty = text.text === '';
  if (state.isPicking) {
    const back = () => store.change((now) => ({ ...now, isPicking: false }));
    const answer: Start['answer'] = (given) => (given === null ? back() : stage.answer(given));
    const picking = { kind: 'sessions', purpose: 'resume', isFirst: false, answer } as const;
    return <SessionsScreen stage={picking} />;
  }
  return (
    <Frame
      bindings={startKeys(desk, { isListed: fileList(state, text) !== null, isEmpty })}
      typing
      helps={isEmpty}
    >
      {(body) => <StartPage desk={desk} body={body} />}
    </Frame>
  );
}

function StartPage({ desk, body }: { readonly desk: StartDesk; readonly body: Body }) {
  const { store, field } = desk;
  const state = useStore(store, (now) => now);
  const text = useStore(field, (now) => now);
  useFieldKeys({
    field,
    active: body.active,
    width: body.width - gutterWidth,
    lines: 'many',
    most: longestTask,
    leaves: [
      ...(fileList(state, text) === null ? [] : listKeys),
      ...(text.text === '' ? ['?'] : []),
    ],
    beyond: (key) => recall(desk, key === 'up' ? 1 : -1),
  });
  return <Rows rows={startRows({ state, field: text, ...body })} width={body.width} />;
}

const listKeys = ['up', 'down'];

/** Looks for agents and earlier tasks when the first frame is there; what fails is left out. */
function useLookAround(store: Store<StartState>, ports: TuiPorts): void {
  useEffect(() => {
    const note = (error: unknown) =>
      store.change((state) => ({ ...state, note: messageOf(error) }));
    ports.agents((standing) => store.gather((state) => withStanding(state, standing))).catch(note);
    ports
      .earlierTasks()
      .then((tasks) => store.change((state) => ({ ...state, tasks })))
      .catch(note);
    return () => store.close();
  }, [store, ports]);
}

function useFiles(store: Store<StartState>, ports: TuiPorts, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    ports
      .files()
      .then((files) => store.change((state) => ({ ...state, files })))
      .catch((error: unknown) => {
        store.change((state) => ({ ...state, files: [], note: messageOf(error) }));
      });
  }, [store, ports, isWanted]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Another letter makes what was said of the text before it void, and the list of files new. */
function withoutNote(state: StartState): StartState {
  return state.note === null && state.chosen === 0 ? state : { ...state, note: null, chosen: 0 };
}
