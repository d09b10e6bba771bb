// Repairs a session: cuts its journal at damage, and voids the answers at which every resume fails.
import { Stopped } from '../model/failure.ts';
import { withLock } from '../store/lock.ts';
import { voidFrom } from '../store/logged-steps.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import { type Repair, repairJournal } from '../store/repair-journal.ts';
import { openStaging } from '../store/staging.ts';
import type { StepRequest, Steps } from '../store/steps-port.ts';
import { runSession } from '../workflow/run-session.ts';
import { answersOr, type View } from '../workflow/view-port.ts';
import { stagingPath } from './folders.ts';
import { loadSession } from './load-session.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { openSaved } from './read-session.ts';
import type { Workplace } from './workplace.ts';

/**
 * Makes a session usable again. Its journal is cut before the first unreadable line; then it is replayed
 * without asking anyone, and the answers at which that fails are voided with everything that followed. Throws
 * like `loadSession` and `openSession`.
 */
export async function repairSession(id: string, workplace: Workplace, now: Date): Promise<Repair> {
  const folder = await openSaved(workplace.root, id);
  const apart = await openStaging(folder, stagingPath(workplace.environment, folder.path));
  const read = await withLock(folder, () =>
    repairJournal(folder, { apart: apart?.folder ?? null, now }),
  );
  const session = await loadSession(id, workplace, []);
  const over = new AbortController();
  const opening = { ...session, view: noView, task: null, now: () => now };
  const open = await openSession({ ...opening, interrupt: over.signal }).catch((error: unknown) => {
    // Another user’s session is left to its owner, who is told about the cut first.
    if (error instanceof Stopped && read.lost.length > 0) return error;
    throw error;
  });
  if (open instanceof Stopped) return { ...read, lost: [...read.lost, open.message] };
  try {
    const fault = await replay(open, session.settings, over);
    if (fault === null) return read;
    const { keys, why } = fault;
    read.redone.push(...(await voidFrom(open.journal, keys, `repaired: ${why}`)));
    read.lost.push(`what is recorded of ${keys.join(', ')} is lost: ${why}`);
  } finally {
    await open.close();
  }
  const { lost, redone } = await repairSession(id, workplace, now);
  return { ...read, lost: [...read.lost, ...lost], redone: [...read.redone, ...redone] };
}

/** Runs a session up to its first step without a result. Null if nothing fails on the way. */
async function replay(
  open: OpenSession,
  { run: settings, planner }: Workplace['settings'],
  over: AbortController,
): Promise<{ readonly keys: readonly string[]; readonly why: string } | null> {
  const recorded = foldFinishedSteps(open.journal.records);
  const asked: Omit<StepRequest<unknown>, 'shape'>[] = [];
  const stop = async (): Promise<never> => {
    over.abort();
    return await Promise.reject(over.signal.reason);
  };
  const steps: Steps = {
    replaying: true,
    async run(request) {
      if (!recorded.has(request.key)) return await stop();
      asked.push(request);
      return await open.tools.steps.run(request, stop);
    },
  };
  const tools = { ...open.tools, steps };
  const run = { ...open, tools, view: noView, settings, planner, interrupt: over.signal };
  const cause = await runSession(run).then(
    ({ failure }) => failure && new Stopped(failure),
    (error: Error) => error,
  );
  const isExpected = cause instanceof Stopped && !faults.has(cause.failure.reason);
  if (cause === null || isExpected || over.signal.aborted) return null;
  // The fault is in the last answers that were read: those of a person, or of agents that were asked at once.
  const last = asked.findLast(({ kind }) => kind !== 'calculation');
  const keys = asked.filter(({ kind, group }) => kind === last?.kind && group === last.group);
  if (keys.length === 0) throw cause;
  return { keys: keys.map(({ key }) => key), why: cause.message };
}

/** The ends that no session should have, because they show that its journal does not fit. */
const faults: ReadonlySet<string> = new Set(['diverged', 'session-unreadable']);

const unasked = () => Promise.reject(new Error('a replay asks nobody'));
const noView: View = { show: () => undefined, ...answersOr(unasked, {}) };
