import type { Binding } from '../../keys.ts';
import { habitOf, type Start } from '../../state.ts';
import { textField } from '../../widgets/text-field/field.ts';
import { type FieldStore, brokeLine } from '../../widgets/text-field/view.tsx';
import { type FileList, type StartState, withPath } from './state.ts';

/** What the keys of the start screen work with. */
interface StartMoves {
  readonly state: StartState;
  readonly set: (part: Partial<StartState>) => void;
  readonly field: FieldStore;
  /** The files that are offered for an `@`; null where none are. */
  readonly list: FileList | null;
  /** Shows an earlier (1) or later (-1) task in the field. */
  readonly recall: (step: 1 | -1) => void;
  readonly showHelp: () => void;
  readonly answer: Start['answer'];
  readonly logIn: (name: string) => void;
}

export function startKeys(moves: StartMoves): readonly Binding[] {
  const { state, set, list, field, recall, answer } = moves;
  const isEmpty = field.get().text === '';
  const leave = () => {
    // A text that took a while to write is not lost by one key.
    if (field.get().text === '' || state.note === leavingNote) answer(null);
    else set({ note: leavingNote });
  };
  const stop: Binding = { keys: ['ctrl+c'], does: 'leave', minor: true, run: leave };
  if (list !== null) return [...listKeys(moves, list), stop];
  const pick = () => set({ isPicking: true });
  return [
    { keys: ['enter'], does: 'start', run: () => enter(moves) },
    ...loginKeys(moves),
    { keys: ['alt+enter', 'ctrl+j'], does: 'new line', minor: isEmpty, run: byField },
    { keys: ['up'], does: 'line above, then earlier task', minor: true, run: byField },
    { keys: ['down'], does: 'line below, then later task', minor: true, run: byField },
    { keys: ['ctrl+p'], does: 'earlier task', minor: true, run: () => recall(1) },
    { keys: ['ctrl+n'], does: 'later task', minor: true, run: () => recall(-1) },
    { keys: ['ctrl+r'], does: 'saved sessions', run: pick },
    { keys: ['esc'], does: 'leave', run: leave },
    stop,
  ];
}

/** For the first agent that needs it. */
function loginKeys({ state, logIn }: StartMoves): readonly Binding[] {
  const out = state.standings.find((one) => one.state === 'not-logged-in');
  if (out === undefined) return [];
  return [{ keys: ['ctrl+l'], does: `log ${out.name} in`, run: () => logIn(out.name) }];
}

/** The field hears these keys itself. */
const byField = (): void => undefined;

const leavingNote = 'Press the key again to leave. The text will be lost.';

function listKeys({ set, field }: StartMoves, list: FileList): readonly Binding[] {
  const close = () => set({ closed: list.mention.start });
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

/** Breaks the line, starts, or does what the word in the field means. */
function enter({ set, field, showHelp, answer }: StartMoves): void {
  if (brokeLine(field)) return;
  const task = field.get().text.trim();
  if (task === '') return set({ note: 'Type a task first.' });
  const habit = habitOf(task);
  if (habit === null) return answer({ kind: 'task', task });
  if (habit === 'leave') return answer(null);
  field.change(() => textField());
  if (habit === 'help') showHelp();
  else set({ isPicking: true });
}
