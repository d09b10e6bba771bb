// Reads and writes `session-state.json`.
import { Low } from 'lowdb';
import { jsonIn } from '../model/json.ts';
import { SessionState } from '../model/session.ts';
import type { SessionFolder } from './session-folder.ts';

const fileName = 'session-state.json';

/** `session-state.json`. Null where it is missing or damaged: it is then derived again. */
export function stateFile(folder: SessionFolder): {
  write(state: SessionState): Promise<void>;
  read(): Promise<SessionState | null>;
} {
  const database = new Low<SessionState | null>(
    {
      read: async () => parsed(await folder.read(fileName)),
      write: async (state) => folder.writeJson(fileName, state),
    },
    null,
  );
  return {
    async write(state) {
      database.data = state;
      await database.write();
    },
    async read() {
      // lowdb keeps the old data where the adapter finds none.
      database.data = null;
      await database.read();
      return database.data;
    },
  };
}

function parsed(text: string | null): SessionState | null {
  return text === null ? null : (SessionState.safeParse(jsonIn(text)).data ?? null);
}
