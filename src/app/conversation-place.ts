// Opens the history, and finds the files of one conversation and its lock.
import { join } from 'node:path';
import { type FolderFiles, filesIn } from '../store/folder-files.ts';
import { type ConversationKey, type History, openHistory } from '../store/history.ts';
import { makeFolder } from '../store/make-folder.ts';
import { historyFault } from '../store/history-database.ts';
import { guardWrite } from '../store/system-error.ts';
import { conversationsFolder, historyFile } from './folders.ts';
import type { Workplace } from './workplace.ts';

/** Opens the history for one action. */
export async function withHistory<T>(
  environment: NodeJS.ProcessEnv,
  action: (history: History) => Promise<T> | T,
): Promise<T> {
  const file = historyFile(environment);
  const history = await openHistory(file);
  try {
    return await action(history);
  } catch (error) {
    throw historyFault(file, error);
  } finally {
    history.close();
  }
}

/** The files of one conversation. */
export interface ConversationPlace {
  readonly id: string;
  readonly path: string;
  readonly files: FolderFiles;
  /** A folder without any file. */
  readonly empty: string;
}

/** Makes the folder of a conversation’s files in the user’s data folder. */
export async function conversationPlace(
  { environment }: Pick<Workplace, 'environment'>,
  { project, session }: ConversationKey,
): Promise<ConversationPlace> {
  const path = join(conversationsFolder(environment, project), session);
  const empty = join(path, 'empty');
  const make = () => makeFolder(empty, { mode: 0o700 });
  await guardWrite(path, make, { reason: 'cannot-begin' });
  return { id: session, path, empty, files: filesIn({ root: path, existing: [] }, session) };
}

/** The arguments for locking a conversation. */
export function lockPlace({ id, path, files }: ConversationPlace) {
  return [
    { ...files, id, path },
    { root: path, existing: [] },
  ] as const;
}
