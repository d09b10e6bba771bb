// Starts, resumes, reviews and executes sessions, for every door: opens one, runs it, closes it.
import { watchRun } from '../agents/process/start-program.ts';
import { checkBranchPrefix } from '../git/branch-prefix.ts';
import { openRepository } from '../git/open-repository.ts';
import type { AfterVerdict, GivenPlan } from '../model/critique.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { formatVersion } from '../model/id-patterns.ts';
import type { Tools } from '../phases/phase-tools.ts';
import { sendWithRetry } from '../phases/planning/comments.ts';
import type { Journal } from '../store/journal.ts';
import { claimSession, type SessionFolder } from '../store/session-folder.ts';
import {
  type SessionEnd,
  executionNumber,
  recordBase,
  findEnd,
  findGiven,
  reopen,
  reopenForExecution,
  reopenVerdict,
} from '../workflow/recorded.ts';
import { lookForAgents } from '../workflow/phase-run.ts';
import { recordRetry, reopenForRetry } from '../workflow/recorded-retry.ts';
import { noTeam } from '../workflow/recorded-team.ts';
import { reopenReview } from '../workflow/review-verdicts.ts';
import { runSession } from '../workflow/run-session.ts';
import type { View } from '../workflow/view-port.ts';
import { requireExaminers } from './planners.ts';
import { checkExecution } from './check-execution.ts';
import { type LoadedSession, openPlan } from './load-session.ts';
import { openSession, type SessionOpening } from './open-session.ts';
import type { ToldConversation } from './conversation-history.ts';
import { checkDefaultAgent, checkNamedAgents } from './make-pool.ts';
import { planningRole } from './role-text.ts';
import { type Reach, reachUser } from './reach-user.ts';
import { removeSaved } from './saved-session.ts';
import { tellLeftOut, snapshotsIn } from './session-places.ts';
import { refuseForeign } from './trust.ts';
import type { Workplace } from './workplace.ts';

/** What a door contributes to each session that it runs. */
export interface Door {
  /**
   * Makes the view that shows the session and answers its questions. Called when the folder is known, before
   * the session is opened.
   */
  readonly view: (folder: SessionFolder, reach: Reach) => View;
  /** Says what goes wrong on the way to the user elsewhere. */
  readonly tell?: (text: string) => void;
  /** Aborted to interrupt the session, which is then saved. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Called when the session is open. */
  readonly onOpen?: (tools: Tools) => void;
}

/**
 * Starts a session and runs it to its end. Throws `agent-not-ready` before anything is saved, and
 * what `openSession` throws; bugs reject.
 */
export async function startSession(
  start: Workplace &
    Door & {
      readonly task: string;
      readonly given?: GivenPlan;
      /** The conversation that led to the task. */
      readonly conversation?: ToldConversation | null;
    },
): Promise<SessionEnd> {
  const { root, task, given, conversation = null, signal, now } = start;
  await planningRole(start);
  await checkNamedAgents(start, signal);
  await checkDefaultAgent(start, signal);
  await checkBranchPrefix({ root, signal }, start.settings.execution.branchPrefix);
  if (given !== undefined) requireExaminers(start, given);
  signal.throwIfAborted();
  const folder = await claimSession({ root, task, now: now() });
  const examined = given === undefined ? {} : { given };
  return await run(start, { folder, task, conversation, ...examined, resumed: null });
}

/** Resumes a session: answered questions are not asked again, and paid work is kept. */
export async function resumeSession(
  session: LoadedSession &
    Door & {
      /** What to do with a finished session whose plan changed after its approval. */
      readonly stalePlan: 'refuse' | 'review';
    },
): Promise<SessionEnd> {
  const { folder, signal, stalePlan } = session;
  refuseForeign(session);
  await checkNamedAgents(session, signal);
  const isStale = await hasStalePlan(session);
  if (isStale && stalePlan === 'refuse') {
    throw new Stopped({ reason: 'plan-stale', session: folder.id });
  }
  return await goOn(session, isStale ? reopenReview : reopenEnd);
}

/** Continues from the verdict on an existing plan: to a revised one, or to a plan with tasks. */
export async function goOnAfterVerdict(
  session: LoadedSession & Door & { readonly after: AfterVerdict },
): Promise<SessionEnd> {
  const { folder, records, after } = session;
  refuseForeign(session);
  const given = findGiven(records);
  if (given === null) throw wrongUsage(`Session ${folder.id} does not examine a plan.`);
  if (!given.isJudged) {
    throw wrongUsage(
      `The plan of ${folder.id} has not been examined yet. To continue: conclave resume ${folder.id}`,
    );
  }
  return await goOn(session, (journal) => reopenVerdict(journal, after));
}

/** Makes an ended session continue where it ended. */
async function reopenEnd(journal: Journal): Promise<void> {
  const end = findEnd(journal);
  if (end !== null) await reopen(journal, end);
}

/** True if a session has finished with a plan that differs on disk from the approved one. */
async function hasStalePlan(session: LoadedSession): Promise<boolean> {
  if (findEnd(session)?.kind !== 'done' || session.planned === null) return false;
  const { desk } = await openPlan(session);
  const { hash, approvedHash } = await desk.read();
  return hash !== approvedHash;
}

/** Shows the plan of a session to the view again. */
export async function reviewSession(session: LoadedSession & Door): Promise<SessionEnd> {
  return await goOn(session, reopenReview);
}

/** Has the plan made again for the current code; the view says what is wrong with the old one. */
export async function replanSession(session: LoadedSession & Door): Promise<SessionEnd> {
  const { root, folder, signal } = session;
  refuseForeign(session);
  // Saves the uncommitted contents with the session.
  const leftOut: string[] = [];
  const snapshots = snapshotsIn(folder, (path) => leftOut.push(path));
  const now = { root, base: null, snapshots, signal };
  const { base } = await openRepository(now);
  return await goOn(session, async (journal) => {
    await reopenReview(journal);
    await recordBase(journal, base);
    if (leftOut.length === 0) return;
    const head = { v: formatVersion, at: session.now().toISOString() } as const;
    await journal.append({ ...head, type: 'noted', text: tellLeftOut(leftOut) });
  });
}

/** Executes the approved plan, or only applies the result of its execution. Throws like `checkExecution`. */
export async function executeSession(
  session: Parameters<typeof checkExecution>[0] & Door,
): Promise<SessionEnd> {
  refuseForeign(session);
  const { tasks } = await checkExecution(session);
  const { how, retry, team = noTeam, settings, signal } = session;
  const onOpen = (tools: Tools) => {
    session.onOpen?.(tools);
    if (how !== 'again' && how !== 'retry') return;
    // Both start while the chart goes through what is recorded.
    lookForAgents({ tools, settings: settings.run, signal });
    watchRun(tools.markPrefix);
  };
  return await goOn({ ...session, onOpen }, async (journal) => {
    if (how === 'retry' && retry !== null) {
      const number = executionNumber(journal.records);
      const whole = await sendWithRetry(session.folder, retry, number);
      return await reopenForRetry(journal, whole, { tasks, review: team.review });
    }
    await reopenForExecution(journal, how, team);
    if (retry !== null) await recordRetry(journal, retry);
  });
}

async function goOn(
  session: LoadedSession & Door,
  prepare: (journal: Journal) => Promise<void>,
): Promise<SessionEnd> {
  refuseForeign(session);
  const { folder, resumed } = session;
  return await run(session, { folder, task: null, resumed, prepare });
}

type Session = Pick<
  SessionOpening,
  'folder' | 'task' | 'given' | 'conversation' | 'resumed' | 'prepare'
>;

/** Runs a session to its end, and again if some of its tasks are to be redone at once. */
async function run(door: Workplace & Door, session: Session): Promise<SessionEnd> {
  const { folder, resumed } = session;
  const reach = reachUser({ ...door, session: folder.id, tell: (text) => door.tell?.(text) });
  const end = await runOnce(door, session, reach);
  const { again: prepare } = end;
  return prepare === undefined
    ? { ...end, notify: () => reach.over(end) }
    : await run(door, { folder, task: null, resumed, prepare });
}

/** Opens a session, runs its chart to an end, and closes it. */
async function runOnce(
  door: Workplace & Door,
  session: Session,
  reach: Reach,
): Promise<SessionEnd> {
  const { root, standing = '', environment, settings, guests = [], now } = door;
  const interrupt = door.signal;
  const view = door.view(session.folder, reach);
  const place = { root, standing, environment, settings, guests, proves: door.proves ?? true };
  const opening = { ...session, ...place, view, interrupt, now };
  const open = await openSession(opening).catch(async (error: unknown) => {
    // Git refuses the repository: of a new session, only the task was saved.
    const isRefused = error instanceof Stopped && error.failure.reason === 'usage';
    if (isRefused && session.task !== null) await removeSaved({ ...door, id: session.folder.id });
    throw error;
  });
  try {
    door.onOpen?.(open.tools);
    const { run: current, planner } = settings;
    return await runSession({ ...open, view, settings: current, planner, interrupt });
  } finally {
    await open.close();
  }
}
