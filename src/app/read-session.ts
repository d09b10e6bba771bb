// Reads a session on disk: its folder and its state.
import { lstat } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import type { SessionState } from '../model/session.ts';
import { readJournal } from '../store/journal.ts';
import { hasOwner } from '../store/lock.ts';
import { openSessionFolder, type SessionFolder } from '../store/session-folder.ts';
import { stateFile } from '../store/state-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** A session as it is on disk. */
export interface SavedSession {
  readonly id: string;
  /** The state; null before its first step, or if it cannot be read. */
  readonly state: SessionState | null;
  /** The reason why it cannot be read; null if it can. */
  readonly fault: Stopped | null;
}

/** Opens a saved session to continue it. Throws like `openSessionFolder`, or `session-foreign`. */
export async function openSaved(root: string, id: string): Promise<SessionFolder> {
  const folder = await openSessionFolder(root, id);
  const files = await folder.list('.');
  const known = (await stateFile(folder).read())?.journal_bytes ?? 0;
  if (files.includes('journal.jsonl') || known > 0) return folder;
  // Conclave writes its state after the journal; a folder without either ended before its first step.
  if (files.includes('session-state.json'))
    throw new Stopped({ reason: 'session-foreign', session: id });
  return folder;
}

/** Reads the saved state, or derives it again if the journal has grown since. */
export async function readSession(root: string, id: string): Promise<SavedSession> {
  try {
    const folder = await openSaved(root, id);
    const owned = await hasOwner(folder);
    const saved = await stateFile(folder).read();
    const journal = await nullIfAbsent(lstat(folder.absolute('journal.jsonl')));
    const isFresh = saved !== null && saved.journal_bytes === journal?.size;
    const now = owned ? 'running' : 'interrupted';
    const state = (isFresh ? null : await deriveAgain(folder, now)) ?? saved;
    return { id, state: state === null || owned ? state : withoutOwner(state), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { id, state: null, fault: error };
  }
}

/** Folds the journal again, which loads much of the engine. */
async function deriveAgain(folder: SessionFolder, now: 'running' | 'interrupted') {
  const { deriveState } = await import('../workflow/derive-state.ts');
  return await deriveState(folder, await readJournal(folder), now);
}

/** True for the failure that a session was made by another program. */
export function isForeign({ failure }: Stopped): boolean {
  return failure.reason === 'session-foreign';
}

// The process that recorded that it runs, or waits for an answer, is gone.
function withoutOwner(state: SessionState): SessionState {
  const isStale = state.end === null && (state.status === 'running' || state.status === 'waiting');
  return isStale ? { ...state, status: 'interrupted' } : state;
}
