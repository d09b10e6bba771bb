// Repairs a session: takes out records that cannot be read, and voids those that end every replay.
import { Stopped } from '../model/failure.ts';
import { parseStep } from '../model/steps.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import { withLock } from '../store/lock.ts';
import { voidFrom } from '../store/logged-steps.ts';
import { journalCopy, keepJournal, type Repair, repairJournal } from '../store/repair-journal.ts';
import { openStaging } from '../store/staging.ts';
import type { Steps } from '../store/steps-port.ts';
import { runSession } from '../workflow/run-session.ts';
import { answersOr, type View } from '../workflow/view-port.ts';
import { stagingPath } from './folders.ts';
import { loadSession } from './load-session.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { openSaved } from './saved-session.ts';
import { lookUpOwner } from './trust.ts';
import type { Workplace } from './workplace.ts';

/** More faults than that are no slip of one version. */
const mostFaults = 20;

/**
 * Makes a session go on again. First records that cannot be read are taken out of its journal, then
 * it is replayed without asking anybody; a record at which that breaks is voided with what followed.
 * The journal as it was is kept beside it. Throws like `loadSession` and `openSession`.
 */
export async function repairSession(
  id: string,
  workplace: Workplace,
  now: Date,
): Promise<Repair & { readonly copy: string }> {
  const folder = await openSaved(workplace.root, id);
  const apart = await openStaging(folder, stagingPath(workplace.environment, folder.path));
  const owner = await lookUpOwner(folder, workplace);
  const taken = await withLock(folder, () =>
    repairJournal(folder, { apart: apart?.folder ?? null, key: owner.key, now }),
  );
  const copy = `${folder.relative}/${journalCopy(now)}`;
  const lost = [...taken.lost];
  const redone = new Set(taken.redone);
  for (let faults = 0; ; faults += 1) {
    const session = await loadSession(id, workplace, []);
    const opening = { ...session, view: noView, task: null, now: () => now };
    const interrupt = new AbortController();
    const open = await openSession({ ...opening, interrupt: interrupt.signal }).catch(
      afterLoss(lost),
    );
    if (open === null) return { lost, redone: [...redone], copy };
    try {
      const fault = await replay(open, session.settings, interrupt);
      if (fault === null) return { lost, redone: [...redone], copy };
      if (faults === mostFaults || fault.keys.length === 0) throw fault.cause;
      await keepJournal(folder, now);
      lost.push(`what is recorded of ${fault.keys.join(', ')} is lost: ${fault.why}`);
      const keys = await voidFrom(open.journal, fault.keys, `repaired: ${fault.why}`);
      for (const key of keys) redone.add(key);
    } finally {
      await open.close();
    }
  }
}

const foreignReasons: ReadonlySet<string> = new Set(['session-untrusted', 'no-session-key']);

/** A lost seal leaves it to the person whose the rest is, who hears of all losses first. */
function afterLoss(lost: string[]): (error: unknown) => null {
  return (error) => {
    const isForeign = error instanceof Stopped && foreignReasons.has(error.failure.reason);
    if (!isForeign || lost.length === 0) throw error;
    lost.push(error.message);
    return null;
  };
}

/** Recorded steps at which a replay breaks. */
interface Fault {
  readonly keys: readonly string[];
  readonly why: string;
  readonly cause: unknown;
}

/** Runs a session up to its first step without a result. Null where nothing breaks on the way. */
async function replay(
  open: OpenSession,
  { run: settings, planner }: Workplace['settings'],
  over: AbortController,
): Promise<Fault | null> {
  const replayed: string[] = [];
  const tools = { ...open.tools, steps: onlyRecorded(open, { over, replayed }) };
  const run = { ...open, tools, view: noView, settings, planner, interrupt: over.signal };
  try {
    const { failure } = await runSession(run);
    return failure === null || over.signal.aborted ? null : faultOf(new Stopped(failure), replayed);
  } catch (error) {
    return over.signal.aborted ? null : faultOf(error, replayed);
  }
}

function faultOf(cause: unknown, replayed: readonly string[]): Fault | null {
  const failure = cause instanceof Stopped ? cause.failure : null;
  const why = cause instanceof Error ? cause.message : String(cause);
  const last = replayed.slice(-1);
  if (failure?.reason === 'diverged') return { keys: failure.missing, why, cause };
  if (failure?.reason === 'session-unreadable') return { keys: last, why: failure.message, cause };
  // Any other expected end is one that the session may have.
  if (failure !== null) return null;
  return { keys: lastAnswers(replayed), why, cause };
}

/** A bug is most likely in reading the last answers, of a person or of agents asked at once. */
function lastAnswers(replayed: readonly string[]): readonly string[] {
  const answers = replayed.flatMap((key) => parseStep(key) ?? []);
  const last = answers.findLast(({ kind }) => kind !== 'calculation');
  return answers.flatMap(({ key, kind, group }) =>
    kind === last?.kind && group === last.group ? [key] : [],
  );
}

/** Gives recorded results only; the first step without one ends the run. */
function onlyRecorded(
  { tools, journal }: Pick<OpenSession, 'tools' | 'journal'>,
  { over, replayed }: { readonly over: AbortController; readonly replayed: string[] },
): Steps {
  const recorded = foldFinishedSteps(journal.records);
  const stop = async (): Promise<never> => {
    over.abort();
    return await Promise.reject(over.signal.reason);
  };
  return {
    replaying: true,
    async run(request) {
      if (!recorded.has(request.key)) return await stop();
      replayed.push(request.key);
      try {
        return await tools.steps.run(request, stop);
      } catch (error) {
        // Others may have been replayed at the same time: the one that breaks is the last.
        replayed.push(request.key);
        throw error;
      }
    },
  };
}

const unasked = () => Promise.reject(new Error('a replay asks nobody'));
const noView: View = { show: () => undefined, ...answersOr(unasked, {}) };
