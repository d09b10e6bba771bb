// Lists the conversations of a project.
import { realpath, stat } from 'node:fs/promises';
import { Stopped } from '../model/failure.ts';
import { historyFault, openDatabase } from '../store/history-database.ts';
import { type ConversationEntry, conversationsIn } from '../store/history-list.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { historyFile } from './folders.ts';
import type { Workplace } from './workplace.ts';

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
