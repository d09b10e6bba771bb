// Finds the planning session or the conversation that a person names, and lists the conversations.
import { realpath, stat } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import { listSessionIds } from '../store/session-folder.ts';
import { wholeSessionId } from './session-names.ts';
import type { Workplace } from './workplace.ts';
import {
  historyFault,
  openDatabase,
  type ConversationEntry,
  conversationsIn,
} from '../store/history-database.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { historyFile } from './folders.ts';

/** A session by its id: a planning session, a conversation, or both. */
export interface MeantSession {
  readonly id: string;
  readonly isPlanned: boolean;
  readonly isTalk: boolean;
}

/**
 * Finds the session that an id, or a part of one, refers to. Throws like `wholeSessionId`, or what is wrong with a
 * history that cannot be read.
 */
export async function findSession(
  place: Pick<Workplace, 'root' | 'environment'>,
  wanted: string,
): Promise<MeantSession> {
  const { entries, fault } = await listConversations(place);
  const talks = entries.map(({ session_id: id }) => id);
  const found = (id: string, isPlanned: boolean) => ({ id, isPlanned, isTalk: talks.includes(id) });
  if (talks.includes(wanted)) {
    return found(wanted, (await listSessionIds(place.root)).includes(wanted));
  }
  try {
    return found(await wholeSessionId(place.root, wanted), true);
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'session-unknown') throw error;
    const [only, ...others] = talks.filter((id) => id.toLowerCase().includes(wanted.toLowerCase()));
    if (only === undefined || others.length > 0 || wanted.length < 4) throw fault ?? error;
    return found(only, false);
  }
}

/** The conversations of a project, the latest first; `fault` if the history cannot be read. */
export async function listConversations({
  root,
  environment,
}: Pick<Workplace, 'root' | 'environment'>): Promise<{
  readonly entries: readonly ConversationEntry[];
  readonly fault: Stopped | null;
}> {
  const file = historyFile(environment);
  // Creates nothing if there are no conversations yet.
  if ((await nullIfAbsent(stat(file))) === null) return { entries: [], fault: null };
  try {
    return { entries: await entriesIn(file, await realpath(root)), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { entries: [], fault: error };
  }
}

async function entriesIn(file: string, project: string): Promise<readonly ConversationEntry[]> {
  const database = await openDatabase(file);
  try {
    return conversationsIn(database, project);
  } catch (error) {
    throw historyFault(file, error);
  } finally {
    database.close();
  }
}
