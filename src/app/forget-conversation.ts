// Removes a conversation that the user names.
import { realpath, rm } from 'node:fs/promises';
import { neverAborted } from '../model/signal.ts';
import { lockSession } from '../store/lock.ts';
import { guardWrite } from '../store/system-error.ts';
import { conversationPlace, lockPlace, withHistory } from './conversation-place.ts';
import { forgetTrees } from './conversation-tree.ts';
import type { Workplace } from './workplace.ts';

/** Removes a conversation with its files and the kept work trees. Throws `session-busy`. */
export async function removeConversation(
  { root: folder, environment }: Pick<Workplace, 'root' | 'environment'>,
  session: string,
): Promise<void> {
  const root = await realpath(folder);
  const key = { project: root, session };
  await withHistory(environment, async (history) => {
    const files = await conversationPlace({ environment }, key);
    const { path } = files;
    const lock = await lockSession(...lockPlace(files));
    try {
      await forgetTrees({ root, folder: path, name: session, signal: neverAborted });
      history.remove(key);
      await guardWrite(path, () => rm(path, { recursive: true, force: true }));
    } finally {
      await lock.release();
    }
  });
}
