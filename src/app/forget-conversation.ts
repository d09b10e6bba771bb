// Removes conversations: one that the user names, and those that are older than the user keeps them.
import { realpath, rm } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { counted, listed } from '../model/wording.ts';
import type { ConversationKey, History } from '../store/history.ts';
import { lockSession } from '../store/lock.ts';
import { guardWrite } from '../store/system-error.ts';
import { conversationPlace, lockPlace, withHistory } from './conversation-place.ts';
import { forgetTrees } from './conversation-tree.ts';
import { isFolder } from './folders.ts';
import type { Workplace } from './workplace.ts';

/** Removes a conversation with its files and the kept work trees. Throws `session-busy`. */
export async function removeConversation(
  place: Pick<Workplace, 'root' | 'environment'>,
  session: string,
): Promise<void> {
  const key = { project: await realpath(place.root), session };
  await withHistory(place.environment, (history) => forget(history, key, place));
}

const day = 86_400_000;
/** Of the removed conversations, the most that a note names. */
const mostNamed = 5;

/**
 * Removes the conversations of all projects that had no turn for as many days as the user keeps them,
 * if the user said so. Returns what to tell of it. One that somebody has open stays.
 */
export async function forgetOld(
  history: History,
  request: Pick<Workplace, 'environment' | 'settings'> & { readonly now: () => Date },
): Promise<readonly string[]> {
  const { keepDays } = request.settings.conversation;
  if (keepDays === null) return [];
  const since = new Date(request.now().getTime() - keepDays * day).toISOString();
  const gone: string[] = [];
  const faults: string[] = [];
  for (const key of history.unusedSince(since)) {
    try {
      await forget(history, key, { ...request, since });
      gone.push(key.session);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (error.failure.reason !== 'session-busy') faults.push(error.message);
    }
  }
  if (gone.length === 0) return faults;
  const more = gone.length - mostNamed;
  const names = listed([...gone.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])]);
  return [
    `removed ${counted(gone.length, 'conversation')} without a turn for ${counted(keepDays, 'day')} (conversation.keep_days): ${names}`,
    ...faults,
  ];
}

async function forget(
  history: History,
  key: ConversationKey,
  { environment, since }: Pick<Workplace, 'environment'> & { readonly since?: string },
): Promise<void> {
  const { project: root, session: name } = key;
  const files = await conversationPlace({ environment }, key);
  const lock = await lockSession(...lockPlace(files));
  try {
    // Somebody may have gone on with it meanwhile.
    if (since !== undefined && !isUnused(history, key, since)) return;
    // The project may be gone.
    if (await isFolder(root)) {
      await forgetTrees({ root, folder: files.path, name, signal: neverAborted });
    }
    history.remove(key);
    const { path } = files;
    await guardWrite(path, () => rm(path, { recursive: true, force: true }));
  } finally {
    await lock.release();
  }
}

function isUnused(history: History, { project, session }: ConversationKey, since: string): boolean {
  const unused = history.unusedSince(since);
  return unused.some((one) => one.project === project && one.session === session);
}
