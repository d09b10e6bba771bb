import { cleanText } from '../../model/clean-text.ts';
import { stateFile } from '../../store/state-file.ts';
import type { SessionEnd } from '../../workflow/end.ts';
import { runSession } from '../../workflow/session.ts';
import { stateSaver } from '../../workflow/state-saver.ts';
import type { Answers } from './face.ts';
import { interruptions } from './interruptions.ts';
import { type Opening, markPrefixOf, openSession } from './open-session.ts';
import type { SessionSetup } from './session-setup.ts';

/** A session, the face that shows it, and who answers its questions. */
interface SessionInFace extends SessionSetup, Opening {
  readonly answers: Answers;
}

/** Runs a session to its end behind its face. Returns the exit code. */
export async function runInFace(session: SessionInFace): Promise<number> {
  const { folder, face } = session;
  const interrupt = interruptions({ markPrefix: markPrefixOf(folder), session: folder.id });
  try {
    const end = await Promise.race([runOpen(session, interrupt.signal), interrupt.forced]);
    await face.ended(interrupt.deserted);
    // On stderr in every face, so that a script sees why without reading the events.
    if (end.exitCode !== 0) process.stderr.write(`conclave: ${cleanText(end.message)}\n`);
    return end.exitCode;
  } finally {
    interrupt.stop();
  }
}

async function runOpen(session: SessionInFace, interrupt: AbortSignal): Promise<SessionEnd> {
  const { folder, settings, face } = session;
  const view = face.view(session.answers);
  const open = await openSession({ ...session, environment: process.env, view, interrupt });
  face.opened(open.tools.repository);
  try {
    return await runSession({
      ...open,
      view,
      settings: settings.run,
      planner: settings.planner,
      interrupt,
      saver: stateSaver({ folder, journal: open.journal, file: stateFile(folder) }),
    });
  } finally {
    await open.close();
  }
}
