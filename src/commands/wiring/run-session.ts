// Runs a session with its project, settings and face, from the saved one that is meant to the exit code.
import { answersFrom, answersWith, missingAnswers } from '../../app/answers.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Failure, Stopped } from '../../model/failure.ts';
import { settingsTable } from '../../model/settings.ts';
import { leaveSession } from '../../store/lock.ts';
import { type JournalRecord, readJournal } from '../../store/journal.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { type Planned, type SessionEnd, plannedIn } from '../../workflow/recorded.ts';
import { runSession } from '../../workflow/session.ts';
import type { SessionFlags } from '../flags.ts';
import { projectRoot } from '../../app/folders.ts';
import { latestSession, openSaved, removeSaved } from '../../app/saved-session.ts';
import { loadSettings, type Settings } from '../../app/settings/load-settings.ts';
import { analystNames } from '../../app/settings/roster.ts';
import {
  type ResumedSettings,
  resumedSettings,
  sessionLeaves,
} from '../../app/settings/session-settings.ts';
import type { Answers } from '../../workflow/view.ts';
import type { Face } from './face.ts';
import { interruptions } from './interruptions.ts';
import { markPrefixOf, openSession, type SessionOpening } from '../../app/open-session.ts';

/** What a session is run with before it is known which one. */
export interface SessionSetup {
  readonly face: Face;
  readonly root: string;
  readonly settings: Settings;
  readonly flags: SessionFlags;
}

/** Finds the project and loads its settings. */
export async function setUpSession(flags: SessionFlags, face: Face): Promise<SessionSetup> {
  const root = await projectRoot(flags.cwd);
  const settings = await loadSettings({ root, flags: flags.settings });
  face.worksAt({ root, settings });
  return { face, root, settings, flags };
}

/** A saved session that goes on, with the settings that it keeps from its start. */
export interface Saved extends SessionSetup {
  readonly folder: SessionFolder;
  readonly records: readonly JournalRecord[];
  /** Null where it has no plan yet. */
  readonly planned: Planned | null;
  readonly resumed: ResumedSettings;
  readonly task: null;
}

/**
 * The session that is named or that a person picks, without a person the latest one that fits.
 * Null where the person leaves. Throws `usage` where none fits.
 */
export async function chosenSession(
  wanted: string | undefined,
  setup: SessionSetup,
  latest: { readonly fits: (folder: SessionFolder) => Promise<boolean>; readonly none: string },
): Promise<Saved | null> {
  if (wanted !== undefined) return await savedSession(wanted, setup);
  const { face, root } = setup;
  if (face.person === null) {
    return await savedSession(await latestSession(root, latest.fits, latest.none), setup);
  }
  const choice = await face.person.chosen();
  return choice?.kind === 'session' ? await savedSession(choice.id, setup) : null;
}

/** Opens a session that goes on, without owning it yet. */
export async function savedSession(id: string, setup: SessionSetup): Promise<Saved> {
  const folder = await openSaved(setup.root, id);
  const { records } = await readJournal(folder);
  const session = sessionLeaves(records);
  const settings = await loadSettings({
    root: setup.root,
    session: [...session.values()],
    flags: setup.flags.settings,
  });
  const today = setup.settings.sources;
  const resumed = resumedSettings({ session, settings: settings.sources, today });
  return { ...setup, folder, records, planned: plannedIn(records), settings, resumed, task: null };
}

/** The flags that are missing where no person is there to be asked, as one text; null if none. */
export function missingFlags(setup: SessionSetup): string | null {
  return setup.face.person === null ? missingAnswers(givenAnswers(setup)) : null;
}

/** Who answers the questions of a session: the flags where they answer all, else the person. */
export function answersIn(setup: SessionSetup, session: string): Answers {
  const given = givenAnswers(setup);
  const { person } = setup.face;
  const isAsked = person !== null && missingAnswers(given) !== null;
  return isAsked ? answersWith(given, person.view) : answersFrom(given, session);
}

/** What the flags, and a trusted `auto_yes`, say in place of a person. */
function givenAnswers({ flags, settings }: SessionSetup): Parameters<typeof missingAnswers>[0] {
  return {
    autoYes: settings.autoYes,
    approvesDrafts: settings.run.tools.every((name) => analystNames.includes(name)),
    solution: flags.solution ?? null,
    execution: flags.execution ?? null,
    review: flags.review ?? null,
    constraints: flags.constraint,
    feedback: flags.feedback ?? null,
    execute: settings.read(settingsTable.autoExecute),
    force: false,
    apply: 'no',
  };
}

/** A session, the face that shows it, and who answers its questions. */
interface SessionInFace extends SessionSetup, SessionOpening {
  readonly answers: Answers;
  /** Goes on where nothing matches the task or git refuses the repository; else that is the end. */
  readonly again?: (failure: Failure) => Promise<number>;
}

/** Runs a session to its end behind its face. Returns the exit code. */
export async function runInFace(session: SessionInFace): Promise<number> {
  const { again } = session;
  const end = await runToEnd(session).catch((error: unknown) => {
    if (isRefusal(error)) return error;
    throw error;
  });
  if (again !== undefined && (end instanceof Stopped || isNothingFound(end))) {
    return await again(end.failure);
  }
  if (end instanceof Stopped) throw end;
  // On stderr in every face, so that a script sees why without reading the events.
  if (end.exitCode !== 0) process.stderr.write(`conclave: ${cleanText(end.message)}\n`);
  return end.exitCode;
}

async function runToEnd(session: SessionInFace): Promise<SessionEnd> {
  const { folder, face, again } = session;
  const interrupt = interruptions({ markPrefix: markPrefixOf(folder), session: folder.id });
  try {
    const forced = interrupt.forced.catch(async (error: unknown) => {
      await leaveSession(folder);
      throw error;
    });
    const end = await Promise.race([runOpen(session, interrupt.signal), forced]);
    const isShown = !isNothingFound(end) || again === undefined;
    if (isShown) await face.ended(interrupt.deserted);
    return end;
  } finally {
    interrupt.stop();
  }
}

/** Whether git refuses the repository. */
function isRefusal(error: unknown): error is Stopped {
  return error instanceof Stopped && error.failure.reason === 'usage';
}

function isNothingFound(end: SessionEnd): end is SessionEnd & { readonly failure: Failure } {
  return end.failure?.reason === 'nothing-found';
}

async function runOpen(session: SessionInFace, interrupt: AbortSignal): Promise<SessionEnd> {
  const { folder, settings, face } = session;
  const view = face.view(session.answers);
  const open = await openSession({
    ...session,
    environment: process.env,
    view,
    interrupt,
  }).catch(async (error: unknown) => {
    // Nothing but the task was saved.
    if (isRefusal(error) && session.task !== null) await removeSaved(session.root, folder.id);
    throw error;
  });
  face.opened(open.tools);
  try {
    return await runSession({
      ...open,
      view,
      settings: settings.run,
      planner: settings.planner,
      interrupt,
    });
  } finally {
    await open.close();
  }
}
