// Handles the keys of the start screen.
import { modelNamePattern } from '../../../../model/setting.ts';
import { type Popup, popupKeys, writingPopup } from '../../popup.tsx';
import { type Binding, key, minorKey } from '../../key-bindings.ts';
import { clamp } from '../../list-page.ts';
import type { AgentState } from '../../ports.ts';
import { habitOf, type Start } from '../../screen-state.ts';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/field-view.tsx';
import {
  type Offers,
  type StartState,
  switchAgent,
  withOffer,
  showsEarlier,
  stepEarlier,
} from './start-state.ts';

interface StartMoves {
  readonly state: StartState;
  readonly set: (part: Partial<StartState>) => void;
  readonly field: FieldStore;
  readonly model: FieldStore;
  /** The files for an `@` or the commands for a `/`, or null. */
  readonly offers: Offers | null;
  readonly showHelp: () => void;
  readonly answer: Start['answer'];
  readonly logIn: (name: string) => void;
}

export function startKeys(moves: StartMoves): readonly Binding[] {
  const { state, set, offers, field, answer } = moves;
  const isEmpty = field.get().text === '';
  const leave = () => {
    // A text that took a while to write is not lost by a single key.
    if (field.get().text === '' || state.note === leavingNote) answer(null);
    else set({ note: leavingNote });
  };
  const stop = key(['ctrl+c'], 'leave', leave, minorKey);
  if (state.popup !== null) {
    const change = (popup: Popup) => set({ popup });
    return [...popupKeys(state.popup, { change, close: () => set(closed) }), stop];
  }
  if (offers !== null) return [...offerKeys(moves, offers), stop];
  if (state.agentAt !== null) return [...agentKeys(moves, state.agentAt), stop];
  return [
    key(['enter'], 'start', () => enter(moves), { decides: true }),
    ...earlierKeys(moves),
    key(['tab'], 'agents', () => set({ agentAt: 0, note: null })),
    ...loginKeys(moves),
    // The field handles these keys itself.
    key(['alt+enter', 'ctrl+j'], 'new line', () => undefined, isEmpty ? minorKey : {}),
    key(['ctrl+r'], 'sessions', () => set({ isPicking: true })),
    key(['esc'], 'leave', leave),
    stop,
  ];
}

const closed = { popup: null, note: null };

function agentKeys(moves: StartMoves, at: number): readonly Binding[] {
  const { state, set } = moves;
  const standing = state.standings[at];
  const leave = key(['tab', 'esc'], 'back to the task', () => set({ agentAt: null, note: null }));
  if (standing === undefined) return [leave];
  const move = (step: 1 | -1) => () => {
    const { length } = state.standings;
    set({ agentAt: (at + step + length) % length, note: null });
  };
  return [
    key(['space'], 'ask or not', () => set(switchAgent(state, standing))),
    key(['m'], 'model', () => askModel(moves, standing)),
    key(['up', 'k'], 'up', move(-1)),
    key(['down', 'j'], 'down', move(1)),
    leave,
    key(['enter'], 'start', () => enter(moves)),
  ];
}

function askModel({ state, set, model }: StartMoves, { name, kind, model: own }: AgentState) {
  if (kind === 'analyst') return set({ note: `${name} uses no model.` });
  const { [name]: chosen, ...others } = state.models;
  const take = (text: string) => {
    const typed = text.trim();
    const isName = typed === '' || modelNamePattern.test(typed);
    if (!isName) return set({ note: 'That cannot be the name of a model.' });
    const models = typed === '' ? others : { ...others, [name]: typed };
    set({ models, ...closed });
  };
  const popup = writingPopup(model, {
    title: `Model for ${name}:`,
    text: chosen ?? own ?? '',
    placeholder: 'Leave empty to use the model from your settings',
    does: 'use this model',
    accept: take,
  });
  set({ popup, note: null });
}

function loginKeys({ state, logIn }: StartMoves): readonly Binding[] {
  const out = state.standings.find((one) => one.state === 'not-logged-in');
  return out === undefined ? [] : [key(['ctrl+l'], `log ${out.name} in`, () => logIn(out.name))];
}

function earlierKeys({ state, set, field }: StartMoves): readonly Binding[] {
  if (!showsEarlier(state, field.get())) return [];
  const step = (by: 1 | -1) => () => {
    const { at, field: next } = stepEarlier(state, by);
    field.change(() => next);
    set({ earlierAt: at });
  };
  return [
    key(['up'], 'earlier tasks', step(1), state.earlierAt === null ? {} : minorKey),
    key(['down'], 'later task', step(-1), minorKey),
  ];
}

const leavingNote = 'Press it again to leave; your text will be lost.';

function offerKeys(moves: StartMoves, offers: Offers): readonly Binding[] {
  const { set, field } = moves;
  const { entries, start, chosen } = offers;
  const move = (step: 1 | -1) => () => set({ chosen: clamp(chosen + step, entries.length) });
  const close = () => (start === null ? field.change(() => textField()) : set({ closed: start }));
  const take = () => {
    const next = withOffer(field.get(), offers);
    if (next === null) return close();
    field.change(() => next);
    if (start === null) enter(moves);
  };
  return [
    key(['enter', 'tab'], start === null ? 'do it' : 'use this file', take),
    key(['up', 'ctrl+p'], 'up', move(-1)),
    key(['down', 'ctrl+n'], 'down', move(1)),
    key(['esc'], start === null ? 'back' : 'close the list', close),
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
  else if (habit === 'agents') set({ agentAt: 0, note: null });
  else set({ isPicking: true });
}
