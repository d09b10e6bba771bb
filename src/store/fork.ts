import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../model/failure.ts';
import { formatVersion } from '../model/session.ts';
import { isTemporary } from './atomic.ts';
import { readIn, writeIn } from './folder-files.ts';
import { encodeRecord, type JournalRecord } from './journal-record.ts';
import { readJournal } from './journal.ts';
import { inFolder } from './pinned-folder.ts';
import { shown } from './printable.ts';
import { recordedSteps } from './recorded-steps.ts';
import { claimSession, openSessionFolder, folderPlace, removeSession } from './session-folder.ts';
import type { SessionFolder } from './session-folder.ts';
import { slugInId } from './session-names.ts';
import { reading, writing } from './system-error.ts';

/**
 * Makes a new session that has all that came before a decision of another one, e.g.
 * `decision-1`. The original is only read. Throws `usage` for a decision that is not there.
 */
export async function forkSession({
  root,
  id,
  at,
  now,
}: {
  root: string;
  id: string;
  at: string;
  now: Date;
}): Promise<SessionFolder> {
  const original = await openSessionFolder(root, id);
  const { records } = await readJournal(original);
  const before = recordsBefore(records, { id, at });
  const fork = await claimSession({ root, task: slugInId(id), now });
  try {
    await copyArtifacts(original, { fork, later: laterRounds(records, before.length) });
    // Last, so that what a kill leaves behind is a folder without steps.
    const journal = forkedRecords(before, { from: id, to: fork.id, now });
    await fork.write('journal.jsonl', journal.map(encodeRecord).join(''));
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
  const decisions = new Set(keysOf(records).filter((key) => key.startsWith('decision-')));
  if (decisions.has(at)) return records.slice(0, cutFor(records, at));
  const known = decisions.size === 0 ? 'no decision yet' : [...decisions].join(', ');
  throw new Stopped({
    reason: 'usage',
    message: `Session ${id} has no decision ${shown(at)} to fork at; it has ${known}.`,
  });
}

/**
 * The earliest start of the step whose past is still the one that counts: a session that was
 * redone has several starts, and so has one that died while it waited for the answer.
 */
function cutFor(records: readonly JournalRecord[], at: string): number {
  const starts = records.flatMap((record, index) =>
    record.type === 'started' && record.key === at ? [index] : [],
  );
  const now = recordedSteps(records);
  const stillCounts = (cut: number): boolean =>
    [...recordedSteps(records.slice(0, cut)).values()].every(
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
    { ...head, type: 'noted', text: 'agent sessions of the original are not resumed' },
  ];
}

/** Numbers of the rounds that began only after the cut. */
function laterRounds(records: readonly JournalRecord[], cut: number): ReadonlySet<string> {
  const before = new Set(roundsIn(records.slice(0, cut)));
  return new Set(roundsIn(records.slice(cut)).filter((round) => !before.has(round)));
}

function roundsIn(records: readonly JournalRecord[]): readonly string[] {
  return keysOf(records).flatMap((key) => /^round-(\d+)\//.exec(key)?.[1] ?? []);
}

function keysOf(records: readonly JournalRecord[]): readonly string[] {
  return records.flatMap((record) => (record.type === 'started' ? [record.key] : []));
}

const artifacts: readonly string[] = ['codebase-context.json', 'rounds', 'base'];

async function copyArtifacts(
  original: SessionFolder,
  { fork, later }: { fork: SessionFolder; later: ReadonlySet<string> },
): Promise<void> {
  const wanted = (parts: readonly string[]): boolean => {
    const [top = '', round = ''] = parts;
    return artifacts.includes(top) && !(top === 'rounds' && later.has(round));
  };
  await copyFolder({ original, fork, wanted, parts: [] });
}

interface Copy {
  readonly original: SessionFolder;
  readonly fork: SessionFolder;
  readonly wanted: (parts: readonly string[]) => boolean;
  readonly parts: readonly string[];
}

async function copyFolder(copy: Copy): Promise<void> {
  const { original, parts, wanted } = copy;
  const base = folderPlace(original);
  const path = original.absolute(parts.join('/'));
  const entries = await reading({ session: original.id, path }, () =>
    inFolder({ ...base, existing: [...base.existing, ...parts] }, (folder) =>
      readdir(folder.at('.'), { withFileTypes: true }),
    ),
  );
  for (const entry of entries) {
    const inner = { ...copy, parts: [...parts, entry.name] };
    if (!wanted(inner.parts) || isTemporary(entry.name)) continue;
    if (entry.isSymbolicLink())
      throw new Stopped({ reason: 'link-refused', path: join(path, entry.name) });
    if (entry.isDirectory()) await copyFolder(inner);
    else if (entry.isFile()) await copyOne(inner);
  }
}

async function copyOne({ original, fork, parts }: Copy): Promise<void> {
  const name = parts.join('/');
  const [from, to] = [original.absolute(name), fork.absolute(name)];
  const data = await reading({ session: original.id, path: from }, () =>
    readIn(folderPlace(original), name),
  );
  if (data !== null) await writing(to, () => writeIn(folderPlace(fork), name, data));
}
