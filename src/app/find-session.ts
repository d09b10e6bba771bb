// Finds the planning session or the conversation that a person names.
import { Stopped } from '../model/failure.ts';
import { listSessionIds } from '../store/session-folder.ts';
import { listConversations } from './list-conversations.ts';
import { wholeSessionId } from './session-names.ts';
import type { Workplace } from './workplace.ts';

/** A session by its id: a planning session, a conversation, or both. */
export interface MeantSession {
  readonly id: string;
  readonly isPlanned: boolean;
  readonly isTalk: boolean;
}

/** Finds the session that an id, or a part of one, refers to. Throws like `wholeSessionId`. */
export async function findSession(
  place: Pick<Workplace, 'root' | 'environment'>,
  wanted: string,
): Promise<MeantSession> {
  const { entries } = await listConversations(place);
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
    if (only === undefined || others.length > 0 || wanted.length < 4) throw error;
    return found(only, false);
  }
}
