import type { Binding } from '../../keys.ts';
import type { Store } from '../../store.ts';
import { withText } from '../../widgets/text-field/state.ts';
import { type FieldStore, brokeLine } from '../../widgets/text-field/view.tsx';
import { type FileList, type StartState, fileList, recalled, withPath } from './state.ts';

/** What the keys of the start screen work on; read when a key is pressed, not when it was drawn. */
export interface StartDesk {
  readonly store: Store<StartState>;
  readonly field: FieldStore;
  readonly start: (task: string) => void;
  readonly leave: () => void;
}

/** `isListed`: files are offered for an `@`; `isEmpty`: nothing is typed yet. */
export function startKeys(
  desk: StartDesk,
  { isListed, isEmpty }: { readonly isListed: boolean; readonly isEmpty: boolean },
): readonly Binding[] {
  const enter = () => enterKey(desk);
  const older: Binding = { keys: ['ctrl+p'], does: 'earlier task', run: () => recall(desk, 1) };
  const newer: Binding = { keys: ['ctrl+n'], does: 'later task', run: () => recall(desk, -1) };
  const leave: Binding = { keys: ['ctrl+c'], does: 'leave', minor: true, run: desk.leave };
  if (isListed) {
    return [
      { keys: ['enter', 'tab'], does: 'use this file', run: enter },
      { keys: ['up', 'ctrl+p'], does: 'up', run: () => move(desk, -1) },
      { keys: ['down', 'ctrl+n'], does: 'down', run: () => move(desk, 1) },
      { keys: ['esc'], does: 'close the list', run: () => esc(desk) },
      leave,
    ];
  }
  return [
    { keys: ['enter'], does: 'start', run: enter },
    { keys: ['alt+enter', 'ctrl+j'], does: 'new line', minor: isEmpty, run: byField },
    { keys: ['up'], does: 'line above, then earlier task', minor: true, run: byField },
    { keys: ['down'], does: 'line below, then later task', minor: true, run: byField },
    { ...older, minor: true },
    { ...newer, minor: true },
    {
      keys: ['ctrl+r'],
      does: 'saved sessions',
      run: () => desk.store.change((state) => ({ ...state, isPicking: true })),
    },
    { keys: ['esc'], does: 'leave', run: () => esc(desk) },
    leave,
  ];
}

/** The field hears these keys itself. */
const byField = (): void => undefined;

/** Takes the chosen file, breaks the line, or starts. */
function enterKey(desk: StartDesk): void {
  const { store, field } = desk;
  const list = listed(desk);
  if (list !== null) {
    const next = withPath(field.get(), list);
    if (next !== null) field.change(() => next);
    else closeList(desk, list);
    return;
  }
  if (brokeLine(field)) return;
  const task = field.get().text.trim();
  if (task !== '') return desk.start(task);
  store.change((state) => ({ ...state, note: 'Type a task first.' }));
}

/** Shows an earlier (1) or later (-1) task in the field. */
export function recall({ store, field }: StartDesk, step: 1 | -1): void {
  const found = recalled(store.get(), { text: field.get().text, step });
  if (found === null) return;
  store.change(() => found.state);
  field.change((now) => withText(now, found.text));
}

function move(desk: StartDesk, step: 1 | -1): void {
  const list = listed(desk);
  if (list === null) return;
  const chosen = Math.max(0, Math.min(list.chosen + step, list.paths.length - 1));
  desk.store.change((state) => ({ ...state, chosen }));
}

// A text that took a while to write is not lost by one key.
function esc(desk: StartDesk): void {
  const { store, field } = desk;
  const list = listed(desk);
  if (list !== null) return closeList(desk, list);
  if (field.get().text === '' || store.get().note === leavingNote) return desk.leave();
  store.change((state) => ({ ...state, note: leavingNote }));
}

const leavingNote = 'Press esc again to leave. The text will be lost.';

function closeList({ store }: StartDesk, { mention }: FileList): void {
  store.change((state) => ({ ...state, closed: mention.start }));
}

function listed({ store, field }: StartDesk): FileList | null {
  return fileList(store.get(), field.get());
}
