import type { SavedEntry } from '../../ports.ts';

export interface SessionsState {
  /** Null until they are read. */
  readonly entries: readonly SavedEntry[] | null;
  /** When they were read, in ms since the epoch: what their age counts from. */
  readonly readAt: number;
  readonly chosen: number;
  /** The session whose removal has to be confirmed. */
  readonly removing: string | null;
  /** One sentence for the person; gone with the next key. */
  readonly note: string | null;
}

export const startingSessions: SessionsState = {
  entries: null,
  readAt: 0,
  chosen: 0,
  removing: null,
  note: null,
};

/** Sessions in which all words that were typed occur, in any order. */
export function fitting(entries: readonly SavedEntry[], typed: string): readonly SavedEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ id, phase, status, task, fault }) => {
    const text = `${id} ${phase} ${status} ${task} ${fault ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The one that the keys are about; undefined where none fits. */
export function chosenEntry(state: SessionsState, typed: string): SavedEntry | undefined {
  const entries = fitting(state.entries ?? [], typed);
  return entries[Math.max(0, Math.min(state.chosen, entries.length - 1))];
}

export function moved(state: SessionsState, typed: string, step: number): SessionsState {
  const last = fitting(state.entries ?? [], typed).length - 1;
  const from = Math.max(0, Math.min(state.chosen, last));
  return { ...state, chosen: Math.max(0, Math.min(from + step, last)), note: null };
}

export function withRead(
  state: SessionsState,
  entries: readonly SavedEntry[],
  readAt: number,
): SessionsState {
  return { ...state, entries, readAt };
}

export function withoutEntry(state: SessionsState, id: string): SessionsState {
  const entries = state.entries?.filter((entry) => entry.id !== id) ?? null;
  return { ...state, entries, removing: null, note: `Removed ${id}.` };
}

/** Why a session cannot be opened, in one sentence that fits into a row; null if it can. */
export function whyClosed(entry: SavedEntry): string | null {
  // What is damaged is on the screen already.
  if (entry.fault !== null) return 'It cannot be read, so it cannot be opened. delete removes it.';
  return entry.isOpen ? 'Another process has this session open. Stop that one first.' : null;
}
