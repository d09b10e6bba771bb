// Reads and writes `session-state.json`.
import { readAs } from '../model/json.ts';
import { SessionState } from '../model/session.ts';
import type { SessionFolder } from './session-folder.ts';
import { openSmallFile, type SmallFile } from './small-file.ts';

const fileName = 'session-state.json';

/** Opens `session-state.json`. Null if it is missing or damaged: it is then derived again. */
export function stateFile(folder: SessionFolder): SmallFile<SessionState | null> {
  return openSmallFile({
    read: () => folder.read(fileName),
    parse: (text) => readAs(SessionState, text),
    write: (state) => folder.writeJson(fileName, state),
    missing: null,
  });
}
