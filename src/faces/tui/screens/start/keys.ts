import { shapeOf } from '../../../../model/config.ts';
import { settingsTable } from '../../../../model/settings.ts';
import type { Binding } from '../../keys.ts';
import { habitOf, type Start } from '../../state.ts';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/view.tsx';
import { type FileList, type StartState, switched, withPath } from './state.ts';

interface StartMoves {
  readonly state: StartState;
  readonly set: (part: Partial<StartState>) => void;
  readonly field: FieldStore;
  readonly model: FieldStore;
  /** The files that are offered for an `@`; null where none are. */
  readonly list: FileList | null;
  readonly showHelp: () => void;
  readonly answer: Start['answer'];
  readonly logIn: (name: string) => void;
}

export function startKeys(moves: StartMoves): readonly Binding[] {
  const { state, set, list, field, answer } = moves;
  const isEmpty = field.get().text === '';
  const leave = () => {
    // A text that took a while to write is not lost by one key.
    if (field.get().text === '' || state.note === leavingNote) answer(null);
    else set({ note: leavingNote });
  };
  const stop: Binding = { keys: ['ctrl+c'], does: 'leave', minor: true, run: leave };
  if (list !== null) return [...listKeys(moves, list), stop];
  if (state.agentAt !== null) return [...agentKeys(moves, state.agentAt), stop];
  const pick = () => set({ isPicking: true });
  return [
    { keys: ['enter'], does: 'start', run: () => enter(moves) },
    { keys: ['tab'], does: 'agents', run: () => set({ agentAt: 0, note: null }) },
    ...loginKeys(moves),
    { keys: ['alt+enter', 'ctrl+j'], does: 'new line', minor: isEmpty, run: byField },
    { keys: ['ctrl+r'], does: 'sessions', run: pick },
    { keys: ['esc'], does: 'leave', run: leave },
    stop,
  ];
}

function agentKeys(moves: StartMoves, at: number): readonly Binding[] {
  const { state, set, model } = moves;
  const standing = state.standings[at];
  const back = () => set({ agentAt: null, note: null });
  const leave: Binding = { keys: ['tab', 'esc'], does: 'back to the task', run: back };
  if (standing === undefined) return [leave];
  if (state.isNaming) return nameKeys(moves, standing.name);
  const move = (step: 1 | -1) => () => {
    const { length } = state.standings;
    set({ agentAt: (at + step + length) % length, note: null });
  };
  const name = () => {
    if (standing.kind === 'analyst') return set({ note: `${standing.name} uses no model.` });
    model.change(() => textField(state.models[standing.name] ?? standing.model ?? ''));
    set({ isNaming: true, note: null });
  };
  return [
    { keys: ['space'], does: 'ask or not', run: () => set(switched(state, standing)) },
    { keys: ['m'], does: 'model', run: name },
    { keys: ['up', 'k'], does: 'up', run: move(-1) },
    { keys: ['down', 'j'], does: 'down', run: move(1) },
    leave,
    { keys: ['enter'], does: 'start', run: () => enter(moves) },
  ];
}

function nameKeys({ state, set, model }: StartMoves, agent: string): readonly Binding[] {
  const take = () => {
    const name = shapeOf(settingsTable.agentModel).safeParse(model.get().text);
    if (!name.success) return set({ note: 'That cannot be the name of a model.' });
    const { [agent]: _, ...others } = state.models;
    const models = name.data === '' ? others : { ...others, [agent]: name.data };
    set({ models, isNaming: false, note: null });
  };
  return [
    { keys: ['enter'], does: 'use this model', run: take },
    { keys: ['esc'], does: 'leave it as it was', run: () => set({ isNaming: false, note: null }) },
  ];
}

function loginKeys({ state, logIn }: StartMoves): readonly Binding[] {
  const out = state.standings.find((one) => one.state === 'not-logged-in');
  if (out === undefined) return [];
  return [{ keys: ['ctrl+l'], does: `log ${out.name} in`, run: () => logIn(out.name) }];
}

/** The field hears these keys itself. */
const byField = (): void => undefined;

const leavingNote = 'Press the key again to leave. The text will be lost.';

function listKeys({ set, field }: StartMoves, list: FileList): readonly Binding[] {
  const close = () => set({ closed: list.start });
  const move = (step: 1 | -1) => () => {
    const chosen = Math.max(0, Math.min(list.chosen + step, list.paths.length - 1));
    set({ chosen });
  };
  const take = () => {
    const next = withPath(field.get(), list);
    if (next === null) close();
    else field.change(() => next);
  };
  return [
    { keys: ['enter', 'tab'], does: 'use this file', run: take },
    { keys: ['up', 'ctrl+p'], does: 'up', run: move(-1) },
    { keys: ['down', 'ctrl+n'], does: 'down', run: move(1) },
    { keys: ['esc'], does: 'close the list', run: close },
  ];
}

/** Starts, or does what the word in the field means. */
function enter({ state, set, field, showHelp, answer }: StartMoves): void {
  const task = field.get().text.trim();
  if (task === '') return set({ note: 'Type a task first.', agentAt: null });
  const habit = habitOf(task);
  const { asked, models } = state;
  if (habit === null) {
    return answer({ kind: 'task', task, models, ...(asked === null ? {} : { tools: asked }) });
  }
  if (habit === 'leave') return answer(null);
  field.change(() => textField());
  if (habit === 'help') showHelp();
  else set({ isPicking: true });
}
