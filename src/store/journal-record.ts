import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { AgentName, SessionId, Timestamp } from '../model/ids.ts';
import { jsonIn } from '../model/json.ts';
import { formatVersion } from '../model/session.ts';
import { problemText } from './printable.ts';

const head = { v: z.literal(formatVersion), at: Timestamp };
const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** One line of `journal.jsonl`. `at` is when it was written, `ms` how long the step took. */
export const JournalRecord = z.discriminatedUnion('type', [
  z.object({
    ...head,
    type: z.literal('opened'),
    session: SessionId,
    forked_from: SessionId.nullable(),
  }),
  z.object({
    ...head,
    type: z.literal('started'),
    key: z.string().min(1),
    group: z.string(),
    input: Digest,
    attempt: z.int().min(1),
  }),
  z.object({
    ...head,
    type: z.literal('finished'),
    key: z.string().min(1),
    input: Digest,
    ms: z.number().min(0),
    result: z.unknown(),
  }),
  z.object({
    ...head,
    type: z.literal('voided'),
    keys: z.array(z.string()).min(1),
    why: z.string(),
  }),
  z.object({
    ...head,
    type: z.literal('spent'),
    key: z.string().min(1),
    agent: AgentName,
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    cost_usd: z.number().min(0),
  }),
  z.object({
    ...head,
    type: z.literal('set'),
    settings: z.array(z.object({ key: z.string(), value: z.unknown() })),
  }),
  z.object({ ...head, type: z.literal('noted'), text: z.string() }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;

type Decoded =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'newer'; readonly found: number }
  | { readonly kind: 'damaged' }
  /** The checksum is right, but it is no record of this format. */
  | { readonly kind: 'foreign'; readonly why: string };

const mark = '{"crc":"';
const markBytes = Buffer.from(mark);
const prefixLength = mark.length + 8 + '",'.length;

/** The line of a record, with its line end. It starts with a checksum of all that follows. */
export function encodeRecord(record: JournalRecord): Buffer {
  const rest = JSON.stringify(JournalRecord.parse(record)).slice(1);
  return Buffer.from(`${mark}${checksum(Buffer.from(rest))}",${rest}\n`);
}

/** Reads one line, given without its line end. */
function decodeRecord(line: Buffer): Decoded {
  if (!hasRightChecksum(line)) return decodeUnchecked(line);
  const value = jsonIn(line.toString('utf8'));
  const record = JournalRecord.safeParse(value);
  if (record.success) return { kind: 'record', record: record.data };
  const found = newerFormat(value);
  if (found !== null) return { kind: 'newer', found };
  return { kind: 'foreign', why: problemText(record.error) };
}

/** True where a damaged line holds a complete record besides: then a line end was lost. */
function holdsRecord(line: Buffer): boolean {
  for (let at = line.indexOf(mark, 1); at !== -1; at = line.indexOf(mark, at + 1))
    if (isRecord(line.subarray(at)) || isRecord(line.subarray(0, at - 1))) return true;
  return false;
}

const Versioned = z.object({ v: z.int().gt(formatVersion) });

function newerFormat(value: unknown): number | null {
  return Versioned.safeParse(value).data?.v ?? null;
}

/** A later format may use another checksum; a record of ours with a flipped bit still has one. */
function decodeUnchecked(line: Buffer): Decoded {
  const found = line.subarray(0, mark.length).equals(markBytes)
    ? null
    : newerFormat(jsonIn(line.toString('utf8')));
  return found === null ? { kind: 'damaged' } : { kind: 'newer', found };
}

function isRecord(line: Buffer): boolean {
  return decodeRecord(line).kind === 'record';
}

function hasRightChecksum(line: Buffer): boolean {
  const text = line.toString('latin1', 0, prefixLength);
  return (
    text.startsWith(mark) &&
    text.endsWith('",') &&
    text.slice(mark.length, -2) === checksum(line.subarray(prefixLength))
  );
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

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
