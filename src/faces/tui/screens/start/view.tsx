import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { longestTask } from '../../../../model/text-size.ts';
import { Frame, useBodySize, useIsActive } from '../../frame.tsx';
import type { TuiPorts } from '../../ports.ts';
import type { Start } from '../../state.ts';
import { useStore } from '../../store.ts';
import { Rows, useTools } from '../../tools.tsx';
import { withText } from '../../widgets/text-field/field.ts';
import { useFieldKeys, useTextField } from '../../widgets/text-field/view.tsx';
import { SessionsScreen } from '../sessions/view.tsx';
import { startKeys } from './keys.ts';
import { gutterWidth, startRows } from './rows.ts';
import { type StartState, fileList, mentionIn, recalled, startingStart } from './state.ts';

/** Asks for the task and shows who can take part. */
export function StartScreen({ stage }: { readonly stage: Start }) {
  const { store, ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState({ ...startingStart, note: stage.again?.note ?? null });
  const set = (part: Partial<StartState>) => change((now) => ({ ...now, ...part }));
  const field = useTextField(stage.again?.task);
  const text = useStore(field, (now) => now);
  const model = useTextField();
  const modelText = useStore(model, (now) => now);
  const active = useIsActive() && !state.isPicking;
  const list = fileList(state, text);
  const isEmpty = text.text === '';
  useAgentsAndTasks(change, ports);
  useFiles(change, ports, mentionIn(text) !== null && state.files === null);
  // Another letter makes what was said of the text before it void, and the list of files new.
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
  const recall = (step: 1 | -1) => {
    const found = recalled(state, { text: field.get().text, step });
    if (found === null) return;
    set({ recalled: found.at, draft: found.draft });
    field.change((now) => withText(now, found.text));
  };
  useFieldKeys({
    field,
    active: active && state.agentAt === null,
    width: size.width - gutterWidth,
    lines: 'many',
    most: longestTask,
    leaves: ['tab', ...(list === null ? [] : ['up', 'down']), ...(isEmpty ? ['?'] : [])],
    beyond: (key) => recall(key === 'up' ? 1 : -1),
  });
  useFieldKeys({
    field: model,
    active: active && state.isNaming,
    width: size.width,
    lines: 'one',
  });
  if (state.isPicking) {
    const answer: Start['answer'] = (given) =>
      given === null ? set({ isPicking: false }) : stage.answer(given);
    const picking = { kind: 'sessions', purpose: 'resume', isFirst: false, answer } as const;
    return <SessionsScreen stage={picking} />;
  }
  return (
    <Frame
      bindings={startKeys({
        state,
        set,
        field,
        model,
        list,
        recall,
        showHelp,
        logIn,
        answer: stage.answer,
      })}
      typing={state.agentAt === null || state.isNaming}
      helps={isEmpty && !state.isNaming}
    >
      {({ width }) => (
        <Rows
          rows={startRows({ state, field: text, model: modelText, active, ...size })}
          width={width}
        />
      )}
    </Frame>
  );
}

type Change = Dispatch<SetStateAction<StartState>>;

/** Looks for agents and earlier sessions when the first frame is there; what fails is left out. */
function useAgentsAndTasks(change: Change, ports: TuiPorts): void {
  useEffect(() => {
    const fail = (error: unknown) => change((now) => ({ ...now, note: messageOf(error) }));
    ports.agents((standings) => change((now) => ({ ...now, standings }))).catch(fail);
    ports
      .earlierTasks()
      .then((tasks) => change((now) => ({ ...now, tasks })))
      .catch(fail);
    ports
      .forecast()
      .then((forecast) => change((now) => ({ ...now, forecast })))
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
