// Lists the sessions of a repository, from the index in the user's data folder if that is up to date.
import { eachLimited } from '../store/each-limited.ts';
import { Stopped } from '../model/failure.ts';
import { redactTokens } from '../model/secrets.ts';
import type { SessionState } from '../model/session.ts';
import { hasOwner } from '../store/lock.ts';
import {
  lookAtSessions,
  openSessionFolder,
  type SessionFolder,
  type SessionLook,
} from '../store/session-folder.ts';
import { type ReadEntry, type SessionIndex, withSessionIndex } from '../store/session-index.ts';
import { historyFile } from './folders.ts';
import { type SavedSession, readSession } from './saved-session.ts';
import type { Workplace } from './workplace.ts';

/** Lists every saved session, the latest first. Without a usable index, each is read from its folder. */
export async function listSessions({
  root,
  environment,
}: Pick<Workplace, 'root' | 'environment'>): Promise<readonly SavedSession[]> {
  // The folders are looked at before any is read, so that a session that changes in between is read again next time.
  const looks = await lookAtSessions(root);
  if (looks.length === 0) return [];
  const indexed = await withSessionIndex(
    historyFile(environment),
    async (index) => await listIndexed({ root, looks, index }),
  );
  return indexed ?? (await eachLimited(looks, ({ id }) => readSession(root, id)));
}

interface Listing {
  readonly root: string;
  readonly looks: readonly SessionLook[];
  readonly index: SessionIndex;
}

async function listIndexed({ root, looks, index }: Listing): Promise<readonly SavedSession[]> {
  const known = index.read(root);
  const stale = looks.filter(({ id, stamp }) => stamp === null || known.get(id)?.stamp !== stamp);
  const read = await eachLimited(stale, async (look) => await readToIndex(root, look));
  const changed = read.flatMap(({ entry }) => entry ?? []);
  const there = new Set(looks.map(({ id }) => id));
  const isGone = (id: string) => !there.has(id);
  if (changed.length > 0 || [...known.keys()].some(isGone))
    index.update(root, { ids: [...there], changed });
  const anew = new Map(read.map(({ session }) => [session.id, session]));
  return looks.map(
    ({ id }) => anew.get(id) ?? { id, state: known.get(id)?.state ?? null, fault: null },
  );
}

/** Reads a session for the index, unless it has an owner: then its files do not show what the owner is doing. */
async function readToIndex(root: string, { id, stamp }: SessionLook) {
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
    ...(decision === null ? [] : [`# Decision\n\n${decision.solution} (by ${decision.by})`]),
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
