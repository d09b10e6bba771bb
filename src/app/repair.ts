// Repairs a session: cuts its journal at damage, and keeps a copy.
import { Stopped } from '../model/failure.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import { readGoodPart } from '../store/journal-record.ts';
import { withLock } from '../store/lock.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { openStaging } from '../store/staging.ts';
import { stagingPath } from './folders.ts';
import { openSaved } from './read-session.ts';
import type { Workplace } from './workplace.ts';

/** Makes a session readable again: ends its journal before the first unreadable line. Throws like `repairJournal`. */
export async function repairSession(
  id: string,
  { root, environment }: Pick<Workplace, 'root' | 'environment'>,
  now: Date,
): Promise<Repair> {
  const folder = await openSaved(root, id);
  const apart = await openStaging(folder, stagingPath(environment, folder.path));
  return await withLock(folder, () => repairJournal(folder, { apart: apart?.folder ?? null, now }));
}

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
