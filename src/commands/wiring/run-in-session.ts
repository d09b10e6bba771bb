import { answersFrom, type GivenAnswers } from '../../faces/answers.ts';
import { headlessView } from '../../faces/headless.ts';
import { jsonView } from '../../faces/json.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { Journal } from '../../store/journal.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { stateFile } from '../../store/state-file.ts';
import { runSession } from '../../workflow/session.ts';
import { stateSaver } from '../../workflow/state-saver.ts';
import type { View } from '../../workflow/view.ts';
import type { Settings } from '../settings/load-settings.ts';
import { interruptions } from './interruptions.ts';
import { openSession } from './open-session.ts';

export interface InSession {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly answers: GivenAnswers;
  readonly json: boolean;
  /** Null for a session that goes on. */
  readonly task: string | null;
  readonly prepare?: (journal: Journal) => Promise<void>;
}

/** Runs a session to its end behind the face that was asked for. Returns the exit code. */
export async function runInSession(input: InSession): Promise<number> {
  const interrupt = interruptions(input.folder);
  try {
    return await Promise.race([runWith(input, interrupt.signal), interrupt.forced]);
  } finally {
    interrupt.stop();
  }
}

async function runWith(input: InSession, interrupt: AbortSignal): Promise<number> {
  const { folder, settings } = input;
  const environment = process.env;
  const view = viewFor(input);
  const session = await openSession({ ...input, environment, view, interrupt });
  try {
    const file = stateFile(folder);
    const end = await runSession({
      ...session,
      view,
      settings: settings.run,
      planner: settings.planner,
      interrupt,
      saver: stateSaver({ folder, journal: session.journal, file }),
    });
    // On stderr in every face, so that a script sees why without reading the events.
    if (end.exitCode !== 0) process.stderr.write(`conclave: ${cleanText(end.message)}\n`);
    return end.exitCode;
  } finally {
    await session.close();
  }
}

function viewFor({ json, answers, folder }: InSession): View {
  const given = answersFrom(answers, folder.id);
  return json ? jsonView(process.stdout, given) : headlessView(process.stdout, given);
}
