import { Stopped } from '../model/failure.ts';
import { formatVersion } from '../model/session.ts';
import { decodeRecord, holdsRecord, type JournalRecord } from './journal-record.ts';

/** What a journal’s bytes hold. `bytes` is the length of the good part. */
export interface JournalText {
  readonly records: readonly JournalRecord[];
  readonly notes: readonly string[];
  readonly bytes: number;
}

/**
 * Reads a whole journal. A record counts from its line end on; a last line that is torn or
 * damaged is left out with a note. Throws `session-unreadable` (naming the line) for damage
 * before that, and `newer-format`.
 */
export function readJournalText(text: Buffer, session: string): JournalText {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf(0x0a, start);
    const line = text.subarray(start, end === -1 ? text.length : end);
    const record = recordIn(line, { session, number: records.length + 1 });
    if (record !== null && end !== -1) records.push(record);
    else if (end === -1 || end + 1 === text.length)
      return { records, notes: [tornNote(text.length - start, records.length + 1)], bytes: start };
    else throw unreadable({ session, number: records.length + 1 }, 'is damaged');
    start = end + 1;
  }
  return { records, notes: [], bytes: start };
}

interface Where {
  readonly session: string;
  readonly number: number;
}

function recordIn(line: Buffer, where: Where): JournalRecord | null {
  const decoded = decodeRecord(line);
  if (decoded.kind === 'record') return decoded.record;
  if (decoded.kind === 'newer') {
    const { found } = decoded;
    const { session } = where;
    throw new Stopped({ reason: 'newer-format', session, found, known: formatVersion });
  }
  if (decoded.kind === 'foreign')
    throw unreadable(where, `is not a record that this version knows: ${decoded.why}`);
  if (holdsRecord(line)) throw unreadable(where, 'is damaged and holds more than one record');
  return null;
}

function unreadable({ session, number }: Where, what: string): Stopped {
  return new Stopped({
    reason: 'session-unreadable',
    session,
    message: `line ${number} of journal.jsonl ${what}.`,
  });
}

function tornNote(bytes: number, number: number): string {
  return `The last line of journal.jsonl (line ${number}, ${bytes} bytes) was torn or damaged and was left out.`;
}
