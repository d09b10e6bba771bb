import { answersFrom, type GivenAnswers } from '../../faces/answers.ts';
import { headlessView } from '../../faces/headless.ts';
import { jsonView } from '../../faces/json.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { Repository } from '../../git/repository.ts';
import type { Journal } from '../../store/journal.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { stateFile } from '../../store/state-file.ts';
import type { SessionEnd } from '../../workflow/end.ts';
import { runSession } from '../../workflow/session.ts';
import { stateSaver } from '../../workflow/state-saver.ts';
import type { View } from '../../workflow/view.ts';
import type { Settings } from '../settings/load-settings.ts';
import { interruptions } from './interruptions.ts';
import { markPrefixOf } from './mark.ts';
import { openSession } from './open-session.ts';

export interface InSession {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly face: Face;
  /** Null for a session that goes on. */
  readonly task: string | null;
  readonly prepare?: (journal: Journal) => Promise<void>;
}

/** Where a session is shown and asked. */
export interface Face {
  readonly view: View;
  /** Called with the repository at the session’s base when the session is open. */
  readonly opened?: (repository: Repository) => void;
  /**
   * Called when the session has ended and is closed, before the last words on stderr. Nobody is
   * waited for once `deserted` has resolved.
   */
  ended(deserted: Promise<void>): Promise<void>;
}

/** The face of a run without a person. */
export function unattended({
  folder,
  answers,
  json,
}: {
  readonly folder: SessionFolder;
  readonly answers: GivenAnswers;
  readonly json: boolean;
}): Face {
  const given = answersFrom(answers, folder.id);
  const view = json ? jsonView(process.stdout, given) : headlessView(process.stdout, given);
  return { view, ended: () => Promise.resolve() };
}

/** Runs a session to its end behind a face. Returns the exit code. */
export async function runInSession(input: InSession): Promise<number> {
  const interrupt = interruptions({
    markPrefix: markPrefixOf(input.folder),
    session: input.folder.id,
  });
  try {
    const end = await Promise.race([runWith(input, interrupt.signal), interrupt.forced]);
    await input.face.ended(interrupt.deserted);
    // On stderr in every face, so that a script sees why without reading the events.
    if (end.exitCode !== 0) process.stderr.write(`conclave: ${cleanText(end.message)}\n`);
    return end.exitCode;
  } finally {
    interrupt.stop();
  }
}

async function runWith(input: InSession, interrupt: AbortSignal): Promise<SessionEnd> {
  const { folder, settings, face } = input;
  const environment = process.env;
  const { view } = face;
  const session = await openSession({ ...input, environment, view, interrupt });
  face.opened?.(session.tools.repository);
  try {
    const file = stateFile(folder);
    return await runSession({
      ...session,
      view,
      settings: settings.run,
      planner: settings.planner,
      interrupt,
      saver: stateSaver({ folder, journal: session.journal, file }),
    });
  } finally {
    await session.close();
  }
}
