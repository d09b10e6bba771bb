// Repairs a session: cuts its journal at damage, and voids the answers at which every resume fails.
import { Stopped } from '../model/failure.ts';
import { withLock } from '../store/lock.ts';
import { voidFrom } from '../store/logged-steps.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import { openStaging } from '../store/staging.ts';
import type { StepRequest, Steps } from '../store/steps-port.ts';
import { runSession } from '../workflow/run-session.ts';
import { type View, answersOr } from '../workflow/view-port.ts';
import { stagingPath } from './folders.ts';
import { loadSession } from './load-session.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { openSaved } from './read-session.ts';
import type { Workplace } from './workplace.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import { readGoodPart } from '../store/journal-record.ts';
import type { SessionFolder } from '../store/session-folder.ts';

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

/** The losses of a repair. */
interface Repair {
  /** A sentence for each loss. */
  readonly lost: string[];
  /** Keys of recorded steps that are run again. */
  readonly redone: string[];
  /** The copies of the journal as it was; empty if nothing was cut off. */
  readonly copies: string[];
}

const fileName = 'journal.jsonl';

/**
 * Cuts a journal off before its first unreadable line, as the sole owner of the session; what was
 * recorded apart came later, and is removed as well. Throws `other-format`, and
 * `session-unreadable` if nothing would be left.
 */
export async function repairJournal(
  folder: SessionFolder,
  { apart, now }: { readonly apart: FolderFiles | null; readonly now: Date },
): Promise<Repair> {
  const repair: Repair = { lost: [], redone: [], copies: [] };
  const { lost, redone, copies } = repair;
  const time = now.toISOString().replaceAll(/[:.]/g, '-');
  for (const files of apart === null ? [folder] : [folder, apart]) {
    const text = (await files.readBytes(fileName)) ?? Buffer.alloc(0);
    const { records, bytes, fault } = readGoodPart(text, folder.id);
    if (text.length === 0 || (fault === null && lost.length === 0)) continue;
    if (files === folder && bytes === 0) throw nothingLeft(folder.id);
    const copy = `journal-${files === folder ? '' : 'apart-'}${time}.jsonl`;
    await folder.write(copy, text);
    copies.push(`${folder.relative}/${copy}`);
    const end = lost.length === 0 ? bytes : 0;
    await files.write(fileName, text.subarray(0, end));
    lost[0] ??= `line ${records.length + 1} of ${fileName} cannot be read, so the journal ends before it.`;
    // Quotes within a result are escaped, so only a record can match.
    const results = text.toString('utf8', end).matchAll(/"type":"finished","key":"([^"\\]+)"/g);
    redone.push(...new Set([...results].flatMap(([, key]) => key ?? [])));
  }
  return repair;
}

function nothingLeft(session: string): Stopped {
  const message = `its ${fileName} cannot be read from its first line on; start a new session with the same task.`;
  return new Stopped({ reason: 'session-unreadable', session, message });
}
