// Reads a session that the index does not know yet, with the text by which it is found.
import { Stopped } from '../model/failure.ts';
import { redactTokens } from '../model/secrets.ts';
import type { SessionState } from '../model/session.ts';
import { hasOwner } from '../store/lock.ts';
import {
  openSessionFolder,
  type SessionFolder,
  type SessionLook,
} from '../store/session-folder.ts';
import type { ReadEntry } from '../store/session-index.ts';
import { readSession, type SavedSession } from './read-session.ts';

/** Reads a session for the index, unless it has an owner: then its files do not show what the owner is doing. */
export async function readToIndex(
  root: string,
  { id, stamp }: SessionLook,
): Promise<{ readonly session: SavedSession; readonly entry: ReadEntry | null }> {
  const session = await readSession(root, id);
  const { state } = session;
  if (stamp === null || state === null) return { session, entry: null };
  const folder = await openSessionFolder(root, id);
  if (await hasOwner(folder)) return { session, entry: null };
  const entry: ReadEntry = { id, stamp, state, text: await planText(folder, state) };
  return { session, entry };
}

/** The task, the decision, and the plan as people read it, without secrets. */
export async function planText(folder: SessionFolder, state: SessionState): Promise<string> {
  const { task_description: task, user_decision: decision } = state;
  const plan = await nullIfStopped(folder.read('plan.md'));
  const parts = [
    `# Task\n\n${task}`,
    ...(decision === null ? [] : [`# Decision\n\n${decision.solution}`]),
    ...(plan === null ? [] : [plan.trim()]),
  ];
  return redactTokens(parts.join('\n\n'));
}

/** Ignores an unreadable part, e.g. a plan that is a link, so that the other parts are still used. */
async function nullIfStopped<T>(action: Promise<T>): Promise<T | null> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}
