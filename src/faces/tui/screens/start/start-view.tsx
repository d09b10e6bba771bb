// Asks for the task.
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { longestTask } from '../../../../model/text-size.ts';
import { Frame, useBodySize, useIsActive } from '../../frame.tsx';
import type { TuiPorts } from '../../ports.ts';
import type { Start } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { messageOf, useTools } from '../../tools.tsx';
import { useFieldKeys, useTextField } from '../../widgets/text-field/field-view.tsx';
import { SessionsScreen } from '../sessions-screen.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import { startKeys } from './start-keys.ts';
import { gutterWidth, startRows } from './start-rows.ts';
import {
  type StartState,
  mentionIn,
  offeredFor,
  startingStart,
  showsEarlier,
} from './start-state.ts';

export function StartScreen({ stage }: { readonly stage: Start }) {
  const { store, ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState({ ...startingStart, note: stage.again?.note ?? null });
  const set = (part: Partial<StartState>) => change((now) => ({ ...now, ...part }));
  const field = useTextField(stage.again?.task);
  const text = useStore(field, (now) => now);
  const model = useTextField();
  const { popup, note } = state;
  const active = useIsActive() && !state.isPicking && popup === null;
  const offered = offeredFor(state, text);
  const isEmpty = text.text === '';
  useMachineFacts(change, ports);
  useFiles(change, ports, mentionIn(text) !== null && state.files === null);
  // A note is about the text before it changed, and so is the position in the list of files.
  useEffect(
    () => field.subscribe(() => change((now) => ({ ...now, note: null, chosen: 0 }))),
    [field],
  );
  const logIn = (name: string) => {
    ports
      .logIn(name)
      .then((fault) => set({ note: fault }))
      .then(() => ports.agents((standings) => set({ standings })))
      .catch((error: unknown) => set({ note: messageOf(error) }));
  };
  const showHelp = () => store.change((shared) => ({ ...shared, overlay: 'help' }));
  const accepts = (task: string) => {
    const bytes = Buffer.byteLength(task);
    if (bytes > longestTask) set({ note: tooLong(bytes) });
    return bytes <= longestTask;
  };
  const takesArrows = offered !== null || showsEarlier(state, text);
  useFieldKeys({
    field,
    active: active && state.agentAt === null,
    width: size.width - gutterWidth,
    lines: 'many',
    accepts,
    leaves: ['tab', ...(takesArrows ? ['up', 'down'] : []), ...(isEmpty ? ['?'] : [])],
  });
  const moves = { state, set, field, model, offered, showHelp, logIn, answer: stage.answer };
  const bindings = useQuestionKeys(stage, startKeys(moves), firstMoment);
  if (state.isPicking) {
    const answer: Start['answer'] = (given) =>
      given === null ? set({ isPicking: false }) : stage.answer(given);
    const picking = { kind: 'sessions', purpose: 'resume', isFirst: false, answer } as const;
    return <SessionsScreen stage={picking} />;
  }
  return (
    <Frame
      bindings={bindings}
      rows={startRows({ state, field: text, active, ...size })}
      popup={popup}
      refused={note}
      typing={state.agentAt === null}
      helps={isEmpty && popup === null}
    />
  );
}

/** The time to read what was typed before the first frame, in ms: none of it starts a session. */
const firstMoment = 50;

type Change = Dispatch<SetStateAction<StartState>>;

/** Loads agents, earlier usage and earlier tasks after the first frame; a failure becomes the note. */
function useMachineFacts(change: Change, ports: TuiPorts): void {
  useEffect(() => {
    const set = (part: Partial<StartState>) => change((now) => ({ ...now, ...part }));
    const fail = (error: unknown) => set({ note: messageOf(error) });
    ports.agents((standings) => set({ standings })).catch(fail);
    ports
      .forecast()
      .then((forecast) => set({ forecast }))
      .catch(fail);
    ports
      .earlierTasks()
      .then((earlier) => set({ earlier }))
      .catch(fail);
  }, [change, ports]);
}

function useFiles(change: Change, ports: TuiPorts, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    ports
      .files()
      .then((files) => change((now) => ({ ...now, files })))
      .catch((error: unknown) => change((now) => ({ ...now, files: [], note: messageOf(error) })));
  }, [change, ports, isWanted]);
}

function tooLong(bytes: number): string {
  const [has, most] = [bytes, longestTask].map((count) => `${Math.ceil(count / 1024)} KB`);
  return `Not taken: the text would be ${has} long, and ${most} is the most.`;
}
