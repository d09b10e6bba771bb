// Makes a new session from another session’s journal up to one of its decisions.
import { Stopped } from '../model/failure.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { every } from '../model/step.ts';
import { isStep, parseStep, steps } from '../model/steps.ts';
import { encodeSealed, type JournalRecord } from './journal-record.ts';
import { foreignEnd, readJournal, whyForeign } from './journal.ts';
import { describeValue } from '../model/describe-value.ts';
import { readSeals } from './seal.ts';
import { foldSteps } from './recorded-steps.ts';
import {
  type SessionFolder,
  claimSession,
  openSessionFolder,
  removeSession,
  slugInId,
} from './session-folder.ts';

/**
 * Makes a new session with everything that came before a decision of another one, e.g.
 * `decision-1`. The original is only read. Throws `usage` if there is no such decision, and
 * `session-untrusted` if the session belongs to someone else.
 */
export async function forkSession({
  root,
  id,
  at,
  now,
  key,
}: {
  root: string;
  id: string;
  at: string;
  now: Date;
  /** The user’s key, which seals the copy. */
  key: Buffer | null;
}): Promise<SessionFolder> {
  const original = await openSessionFolder(root, id);
  const { records, origin } = await readJournal(original, key);
  if (origin === 'foreign') throw foreignEnd(id, whyForeign(key));
  const before = recordsBefore(records, { id, at });
  const fork = await claimSession({ root, task: slugInId(id), now });
  try {
    const later = laterRounds(records, before.length);
    for (const file of await artifactsOf(original, later)) {
      const content = await original.readBytes(file);
      if (content !== null) await fork.write(file, content);
    }
    // The journal is written last, so that a kill leaves only a folder without steps.
    const journal = forkedRecords(before, { from: id, to: fork.id, now });
    const { seal } = readSeals([], { key, session: fork.id });
    const lines = journal.map((record) => encodeSealed(record, seal));
    await fork.write('journal.jsonl', Buffer.concat(lines));
    return fork;
  } catch (error) {
    await removeSession(root, fork.id);
    throw error;
  }
}

function recordsBefore(
  records: readonly JournalRecord[],
  { id, at }: { id: string; at: string },
): readonly JournalRecord[] {
  const decisions = new Set(keysOf(records).filter((key) => isStep(key, steps.decision(every))));
  if (decisions.has(at)) return records.slice(0, cutFor(records, at));
  const known = decisions.size === 0 ? 'no decision yet' : [...decisions].join(', ');
  throw new Stopped({
    reason: 'usage',
    message: `Session ${id} has no decision ${describeValue(at)} to fork at; it has ${known}.`,
  });
}

/**
 * Finds where to cut. A step has several starts if it was redone, or if the process died while it
 * waited for the answer: this is the first one before which nothing finished that was redone later.
 */
function cutFor(records: readonly JournalRecord[], at: string): number {
  const starts = records.flatMap((record, index) =>
    record.type === 'started' && record.key === at ? [index] : [],
  );
  const now = foldSteps(records);
  const stillCounts = (cut: number): boolean =>
    [...foldSteps(records.slice(0, cut)).values()].every(
      (step) => step.finished === null || now.get(step.key)?.finished?.at === step.finished.at,
    );
  return starts.find(stillCounts) ?? starts.at(-1) ?? records.length;
}

function forkedRecords(
  before: readonly JournalRecord[],
  { from, to, now }: { from: string; to: string; now: Date },
): readonly JournalRecord[] {
  const head = { v: formatVersion, at: now.toISOString() } as const;
  return [
    { ...head, type: 'opened', session: to, forked_from: from },
    ...before.filter((record) => record.type !== 'opened'),
    // The time until the copy was made counts for neither session.
    { ...head, type: 'stopped', at: before.at(-1)?.at ?? head.at },
    { ...head, type: 'noted', text: 'agent sessions of the original are not resumed' },
  ];
}

/** Numbers of the rounds that began only after the cut. */
function laterRounds(records: readonly JournalRecord[], cut: number): ReadonlySet<string> {
  const before = new Set(roundsIn(records.slice(0, cut)));
  return new Set(roundsIn(records.slice(cut)).filter((round) => !before.has(round)));
}

function roundsIn(records: readonly JournalRecord[]): readonly string[] {
  return keysOf(records).flatMap((key) => {
    const step = parseStep(key);
    return step?.phase === 'discussion' ? `${step.number}` : [];
  });
}

function keysOf(records: readonly JournalRecord[]): readonly string[] {
  return records.flatMap((record) => (record.type === 'started' ? [record.key] : []));
}

/** The files that the steps before the cut wrote. */
async function artifactsOf(
  original: SessionFolder,
  later: ReadonlySet<string>,
): Promise<readonly string[]> {
  const rounds = await original.listFiles('rounds');
  return [
    'codebase-context.json',
    ...(await original.listFiles('base')),
    ...rounds.filter((file) => !later.has(file.split('/')[1] ?? '')),
  ];
}
