// Offers saved sessions to choose from, filtered by a search.
import { useEffect, useState } from 'react';
import { type Popup, popupKeys } from '../popup.tsx';
import { Frame, useBodySize, useIsActive } from '../frame.tsx';
import { type Binding, key } from '../key-bindings.ts';
import type { SavedEntry } from '../ports.ts';
import { purposes, type Sessions } from '../screen-state.ts';
import { useStore } from '../store.ts';
import { useTools } from '../tools.tsx';
import { textField, type TextField } from '../widgets/text-field/field.ts';
import { useFieldKeys, useTextField, inputRows } from '../widgets/text-field/field-view.tsx';
import { counted, rejectionText, wordsOfError } from '../../../model/wording.ts';
import { ago, costText } from '../../short-forms.ts';
import { clamp, listPage, rowsOfItem } from '../list-page.ts';
import { type Row, joinEnds, emptyRow, row, span, windowOf, wrapText } from '../screen-rows.ts';

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
      .catch((error: unknown) => set({ entries: [], note: wordsOfError(error) }));
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
      .catch((error: unknown) => set({ note: wordsOfError(error) }));
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

/** The sessions that match the search, and the one that receives keys. */
interface SessionChoice {
  readonly fitting: readonly SavedEntry[];
  /** The chosen session; undefined if none matches. */
  readonly chosen: SavedEntry | undefined;
  readonly at: number;
}

interface Shown {
  /** The sessions; null until they are read. */
  readonly entries: readonly SavedEntry[] | null;
  readonly picked: SessionChoice;
  /** When they were read, in ms since the epoch; their age is counted from here. */
  readonly readAt: number;
  readonly note: string | null;
  readonly purpose: Sessions['purpose'];
  readonly field: TextField;
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}

/** Finds the sessions that contain all typed words, in any order, and the one at a position. */
export function chooseSession(
  entries: readonly SavedEntry[],
  typed: string,
  at: number,
): SessionChoice {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = entries.filter(({ id, state, task, fault }) => {
    const text = `${id} ${state} ${task} ${fault ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const place = clamp(at, fitting.length);
  return { fitting, chosen: fitting[place], at: place };
}

/** Why a session cannot be opened, in one sentence that fits into a row; null if it can. */
export function openObstacle(entry: SavedEntry): string | null {
  // The damage is already on the screen.
  if (entry.fault !== null) return 'It cannot be read, so it cannot be opened. delete removes it.';
  return entry.isOpen ? 'Another process has this session open. Stop that one first.' : null;
}

/** The typed search, the matching sessions, and details of the chosen one. */
export function sessionsRows(shown: Shown): readonly Row[] {
  const { entries, picked, field, width, height, active, purpose } = shown;
  const look = { width: width - 9, height: 1, active };
  const placeholder = 'type to search by task, state or id';
  const [search = emptyRow] = inputRows(field, { ...look, placeholder });
  const { title } = purposes[purpose];
  const isLow = height < tooLowForDetail;
  const [all, fit] = [entries?.length ?? 0, picked.fitting.length];
  const count = fit === all ? counted(all, 'session') : `${fit} of ${all}`;
  const detail = isLow ? noteRows(shown) : detailRows(shown);
  const head = [
    joinEnds(row(span(title, 'strong')), row(span(count, 'quiet')), width),
    [span('search › ', 'quiet'), ...search],
    ...(isLow ? [] : [emptyRow]),
  ];
  const room = Math.max(1, height - head.length - detail.length);
  return [
    ...head,
    ...(fit === 0 ? windowOf(emptyRows(shown), 0, room) : listRows(shown, room)),
    ...detail,
  ].slice(0, height);
}

/** The fewest rows at which the details of a session are shown. */
const tooLowForDetail = 14;

function listRows(shown: Shown, room: number): readonly Row[] {
  const { picked, readAt, height } = shown;
  const { fitting, at } = picked;
  const states = 2 + Math.max(...fitting.map(({ state }) => state.length));
  const rows = fitting.flatMap((entry, index) =>
    rowsOfItem(index, [row(span(entryText(entry, readAt, states)))]),
  );
  const titles = alignCells(['STATE', 'CHANGED', 'COST', 'TASK'], states);
  const head = height < tooLowForDetail ? [] : [row(span(`  ${titles}`, 'quiet'))];
  const page = listPage(rows, { chosen: at, top: null, height: room - head.length });
  return [...head, ...page.rows];
}

function emptyRows({ entries, field, purpose }: Shown): readonly Row[] {
  if (entries === null) return [row(span('Reading the saved sessions…', 'quiet'))];
  if (entries.length > 0) return [row(span(`No session matches "${field.text}".`))];
  const what = purposes[purpose].none;
  const command = span('conclave "what you want done"', 'strong');
  return [row(span(what)), emptyRow, row(span('Start one with: '), command)];
}

/** Writes a session as columns; `states` is the width of the first one. */
function entryText(entry: SavedEntry, readAt: number, states: number): string {
  const { state, changed, cost, task, fault } = entry;
  return fault === null
    ? alignCells([state, ago(changed, readAt), costText(cost), task], states)
    : alignCells(
        ['unreadable', '', '', fault.replace(/^Session \S+ cannot be read: /, '')],
        states,
      );
}

function alignCells(cells: readonly string[], states: number): string {
  const widths = [states, 9, 7];
  return cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join('');
}

/** The whole task and the id of the chosen session, and a note. */
function detailRows(shown: Shown): readonly Row[] {
  const { picked, width, readAt } = shown;
  const { chosen } = picked;
  if (chosen === undefined) return noteRows(shown);
  const { id, task, fault, rejected, started, forkOf } = chosen;
  const why = rejected === null ? null : `The plan is ${rejectionText(rejected)}`;
  return [
    row(span('─'.repeat(width), 'quiet')),
    ...wrapText(fault ?? task, { width }).slice(0, 2),
    ...(why === null ? [] : wrapText(why, { width, tone: 'warn' }).slice(0, 2)),
    row(span(id, 'quiet')),
    ...(forkOf === null ? [] : [row(span(`fork of ${forkOf}`, 'quiet'))]),
    ...(fault === null ? [row(span(`started ${ago(started, readAt)} ago`, 'quiet'))] : []),
    ...noteRows(shown),
  ];
}

function noteRows({ note }: Shown): readonly Row[] {
  return note === null ? [] : [row(span(note, 'warn'))];
}
