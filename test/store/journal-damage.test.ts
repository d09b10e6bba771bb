import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { Stopped } from '../../src/model/failure.ts';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { readJournalText } from '../../src/store/journal-text.ts';
import { failureOf, finished, newSession, noted, opened, started } from './room.ts';
import { withJournal, write } from './room.ts';

const records = [
  opened('MCP-x'),
  noted('before'),
  started('round-1/propose/codex', 'round-1'),
  finished('round-1/propose/codex', { text: 'Größe "a"\n', n: [1, 2.5, null] }),
  started('decision-1'),
  finished('decision-1', { crc: '00000000', v: 1, kind: 'approve' }),
];
let text = Buffer.alloc(0);
/** Offsets at which a record begins, and the end. */
let starts: number[] = [];

beforeAll(async () => {
  const folder = await newSession();
  await write(folder, records);
  text = Buffer.from((await folder.read('journal.jsonl')) ?? '');
  starts = [0, ...[...text.keys()].filter((at) => text[at] === 0x0a).map((at) => at + 1)];
});

const tail = () => starts.at(-4) ?? 0;
/** How many records end at or before an offset. */
const whole = (at: number) => starts.filter((start) => start <= at).length - 1;

test('a torn tail at every byte of the last three records keeps all before it', async () => {
  const folder = await newSession();
  for (let cut = tail(); cut <= text.length; cut += 1) {
    writeFileSync(folder.absolute('journal.jsonl'), text.subarray(0, cut));
    const kept = records.slice(0, whole(cut));
    const torn = starts.includes(cut) ? 0 : 1;
    const read = await readJournal(folder);
    await withJournal(folder, async (journal) => {
      expect(journal.records).toEqual(kept);
      expect(journal.notes).toHaveLength(torn);
      expect(journal.bytes).toBe(starts[kept.length]);
      expect(read).toEqual({ records: kept, notes: journal.notes, bytes: journal.bytes });
      await journal.append(noted('next'), { flush: false });
    });
    expect((await readJournal(folder)).records).toEqual([...kept, noted('next')]);
  }
});

/** Opens damaged bytes: either a clear stop, or a beginning of the records and a note. */
function outcome(damaged: Buffer): { kept: number } | { stopped: string } {
  try {
    const read = readJournalText(damaged, 'MCP-x');
    expect(read.records).toEqual(records.slice(0, read.records.length));
    expect(read.notes).toHaveLength(1);
    expect(read.bytes).toBe(starts[read.records.length]);
    return { kept: read.records.length };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    expect(error.failure.reason).toBe('session-unreadable');
    return { stopped: error.message };
  }
}

describe('every flipped bit is noticed', () => {
  test('in any record before the last one: the line is named', () => {
    for (let at = 0; at < (starts.at(-2) ?? 0) - 1; at += 1)
      for (let bit = 0; bit < 8; bit += 1)
        expect(outcome(flipped(at, bit))).toEqual({
          stopped: expect.stringMatching(new RegExp(`line ${whole(at) + 1} of journal.jsonl is`)),
        });
  });

  test('in the last record: the ones before are kept with a note, or it stops', () => {
    for (let at = starts.at(-2) ?? 0; at < text.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const split = ((text[at] ?? 0) ^ (1 << bit)) === 0x0a;
        const kept = { kept: records.length - 1 };
        expect(outcome(flipped(at, bit))).toEqual(split ? { stopped: expect.any(String) } : kept);
      }
  });

  test('in the line end between the last two records: neither is dropped in silence', () => {
    const end = (starts.at(-2) ?? 0) - 1;
    for (let bit = 0; bit < 8; bit += 1)
      expect(outcome(flipped(end, bit))).toEqual({
        stopped: expect.stringContaining('line 5 of journal.jsonl is damaged and holds more'),
      });
  });
});

test('a block of zeros anywhere in the last records is noticed', () => {
  for (let at = tail(); at < text.length; at += 1)
    for (const length of [1, 16, 200]) {
      const damaged = Buffer.from(text);
      damaged.fill(0, at, Math.min(at + length, text.length));
      const end = outcome(damaged);
      if ('kept' in end) expect(end.kept).toBe(whole(at));
    }
});

test('zeros behind the last record, as a power loss leaves them, are cut off', () => {
  const damaged = Buffer.concat([text, Buffer.alloc(4096)]);
  expect(outcome(damaged)).toEqual({ kept: records.length });
});

test('a removed piece anywhere is noticed', () => {
  for (let at = 0; at < text.length - 1; at += 1)
    for (const length of [1, 7, 60].filter((size) => at + size < text.length)) {
      if (starts.includes(at) && starts.includes(at + length)) continue;
      const end = outcome(Buffer.concat([text.subarray(0, at), text.subarray(at + length)]));
      if ('kept' in end) expect(end.kept).toBe(whole(at));
    }
});

test('damage in the middle is told with the line and nothing is cut off', async () => {
  const folder = await newSession();
  const damaged = flipped(starts[2] ?? 0, 0);
  writeFileSync(folder.absolute('journal.jsonl'), damaged);
  const failure = await failureOf(openJournal(folder));
  expect(failure).toEqual({
    reason: 'session-unreadable',
    session: folder.id,
    message: 'line 3 of journal.jsonl is damaged.',
  });
  expect(await failureOf(readJournal(folder))).toEqual(failure);
  expect(Buffer.from((await folder.read('journal.jsonl')) ?? '')).toEqual(damaged);
});

function flipped(at: number, bit: number): Buffer {
  const damaged = Buffer.from(text);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
  return damaged;
}
