// Defines one line of the journal, with its checksum and its seal.
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { PlanWindow } from '../model/agent-event.ts';
import { Amount, Count, FilledText, Ordinal, Text, Texts, Whole } from '../model/plain-shapes.ts';
import { Stopped } from '../model/failure.ts';
import { AgentName, SessionId, Timestamp } from '../model/ids.ts';
import { jsonIn } from '../model/json.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { stepKinds } from '../model/step.ts';
import { firstMisfit } from './schema-findings.ts';
import type { Seal, SealedBytes } from './seal.ts';

const head = { v: z.literal(formatVersion), at: Timestamp };
const Digest = Text.regex(/^[0-9a-f]{64}$/);

/** A line of `journal.jsonl`. `at` is the time of writing, `ms` how long the step took. */
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
    key: FilledText,
    group: Text,
    kind: z.enum(stepKinds),
    input: Digest,
    attempt: Ordinal,
  }),
  z.object({
    ...head,
    type: z.literal('finished'),
    key: FilledText,
    input: Digest,
    ms: Amount,
    result: z.unknown(),
  }),
  z.object({
    ...head,
    type: z.literal('voided'),
    keys: Texts.min(1),
    why: Text,
  }),
  z.object({
    ...head,
    type: z.literal('spent'),
    key: FilledText,
    agent: AgentName,
    input_tokens: Count,
    output_tokens: Count,
    cost_usd: Amount,
    estimated: z.literal(true).optional(),
    window: PlanWindow.optional(),
  }),
  /** A process left the session before its end: until the next record, nobody works on it. */
  z.object({ ...head, type: z.literal('stopped') }),
  z.object({
    ...head,
    type: z.literal('set'),
    settings: z.array(z.object({ key: Text, value: z.unknown() })),
  }),
  z.object({
    ...head,
    type: z.literal('noted'),
    text: Text,
    /** The digest of what git tracked in the session, or of nothing, when a person adopted it. */
    adopted: Digest.optional(),
  }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;

const mark = '{"crc":"';
const markBytes = Buffer.from(mark);
const prefixLength = mark.length + 8 + '",'.length;

const sealMark = '"seal":"';
const sealLength = sealMark.length + 64 + '",'.length;

/** The line of a record, with its line end. It starts with a checksum of everything after it. */
export function encodeRecord(record: JournalRecord): Buffer {
  return lineOf(bodyOf(record));
}

/** Encodes the line of a record, sealed as the next one of a journal. */
export function encodeSealed(record: JournalRecord, seal: Seal | null): Buffer {
  const body = bodyOf(record);
  if (seal === null) return lineOf(body);
  return lineOf(Buffer.concat([Buffer.from(`${sealMark}${seal(body)}",`), body]));
}

function bodyOf(record: JournalRecord): Buffer {
  return Buffer.from(JSON.stringify(JournalRecord.parse(record)).slice(1));
}

function lineOf(rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mark}${checksum(rest)}",`), rest, lineEnd]);
}

const lineEnd = Buffer.from('\n');

/** The bytes of all records of a journal, or of its good part. */
export function* unsealAll(text: Buffer): Generator<SealedBytes> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(0x0a, start);
    yield unseal(text.subarray(start, end === -1 ? text.length : end));
    start = end === -1 ? text.length : end + 1;
  }
}

/** The bytes of a record, from its line without the line end. */
export function unseal(line: Buffer): SealedBytes {
  const rest = line.subarray(prefixLength);
  const seal = sealIn(rest);
  return { seal, body: seal === null ? rest : rest.subarray(sealLength) };
}

function sealIn(rest: Buffer): string | null {
  const found = /^"seal":"([0-9a-f]{64})",$/.exec(rest.toString('latin1', 0, sealLength));
  return found?.[1] ?? null;
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/** The content of a journal. `bytes` is the length of its good part. */
export interface JournalText {
  readonly records: readonly JournalRecord[];
  readonly notes: readonly string[];
  readonly bytes: number;
}

/**
 * Reads a whole journal. A record counts from its line end on; a last line that is torn or
 * damaged is left out with a note. Throws `session-unreadable` (naming the line) for damage before
 * that, and `other-format`.
 */
export function readJournalText(text: Buffer, session: string): JournalText {
  const { fault, ...good } = readGoodPart(text, session);
  if (fault !== null) throw fault;
  return good;
}

/** Reads a journal in the same way, up to the first damage; `fault` is what would have been thrown. */
export function readGoodPart(
  text: Buffer,
  session: string,
): JournalText & { readonly fault: Stopped | null } {
  const records: JournalRecord[] = [];
  const ended = (fault: Stopped | null, ...notes: string[]) => ({
    records,
    notes,
    bytes: start,
    fault,
  });
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf(0x0a, start);
    const line = text.subarray(start, end === -1 ? text.length : end);
    const where = { session, number: records.length + 1 };
    const record = readRecord(line, where);
    if (record instanceof Stopped) return ended(record);
    if (record !== null && end !== -1) records.push(record);
    else if (end === -1 || end + 1 === text.length)
      return ended(null, tornNote(text.length - start, where.number));
    else return ended(unreadable(where, 'is damaged'));
    start = end + 1;
  }
  return ended(null);
}

interface Where {
  readonly session: string;
  readonly number: number;
}

/**
 * Reads the record of a line, given without its line end; null if the line is torn or damaged, and
 * `session-unreadable` if it may not be left out. Throws `other-format`.
 */
function readRecord(line: Buffer, where: Where): JournalRecord | Stopped | null {
  const isWhole = hasRightChecksum(line);
  // A later format may use another checksum; a record of ours with a flipped bit still has one.
  const isOurs = line.subarray(0, mark.length).equals(markBytes);
  const value = isWhole || !isOurs ? jsonIn(line.toString()) : undefined;
  const record = isWhole ? JournalRecord.safeParse(value).data : undefined;
  if (record !== undefined) return record;
  const found = Versioned.safeParse(value).data?.v;
  if (found !== undefined && found !== formatVersion) {
    const { session } = where;
    throw new Stopped({ reason: 'other-format', session, found, known: formatVersion });
  }
  if (isWhole) {
    const why = firstMisfit(value, JournalRecord);
    return unreadable(where, `is not a record that this version knows: ${why}`);
  }
  if (holdsRecord(line)) return unreadable(where, 'is damaged and holds more than one record');
  return null;
}

const Versioned = z.object({ v: Whole });

/** True if a damaged line also holds a complete record: then a line end was lost. */
function holdsRecord(line: Buffer): boolean {
  const starts: number[] = [];
  for (let at = line.indexOf(mark); at !== -1; at = line.indexOf(mark, at + 1)) starts.push(at);
  // The character before the next record is where the line end was.
  const ends = [...starts.slice(1).map((start) => start - 1), line.length, line.length - 1];
  return starts.some((start) => {
    const next = ends.filter((end) => end > start).slice(0, mostEnds);
    const wholes = next.map((end) => line.subarray(start, end)).filter(isRecord);
    return wholes.some((whole) => whole.length < line.length - 1);
  });
}

function isRecord(line: Buffer): boolean {
  return hasRightChecksum(line) && JournalRecord.safeParse(jsonIn(line.toString())).success;
}

/**
 * The most places to try: a record may hold what looks like the start of another one, but hardly as
 * often.
 */
const mostEnds = 16;

function hasRightChecksum(line: Buffer): boolean {
  const text = line.toString('latin1', 0, prefixLength);
  return (
    text.startsWith(mark) &&
    text.endsWith('",') &&
    text.slice(mark.length, -2) === checksum(line.subarray(prefixLength))
  );
}

function unreadable({ session, number }: Where, what: string): Stopped {
  return new Stopped({
    reason: 'session-unreadable',
    session,
    message: `line ${number} of journal.jsonl ${what}; to repair it: conclave sessions repair ${session}`,
  });
}

function tornNote(bytes: number, number: number): string {
  return `The last line of journal.jsonl (line ${number}, ${bytes} bytes) was torn or damaged and was left out.`;
}
