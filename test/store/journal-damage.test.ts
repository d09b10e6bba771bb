import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Stopped } from '../../src/model/failure.ts';
import { encodeRecord, readJournalText } from '../../src/store/journal-record.ts';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import type { SessionFolder } from '../../src/store/session-folder.ts';
import { failureOf, finished, newSession, noted, started, withJournal } from './room.ts';

const records = [
  noted('first'),
  noted('before'),
  started('round-1/propose/codex', 'round-1'),
  finished('round-1/propose/codex', { text: 'Größe "a"\n*J', n: [1, 2.5, null] }),
  started('decision-1'),
  finished('decision-1', { crc: '00000000', v: 1, kind: 'J*' }),
];
const bits = [0, 1, 2, 3, 4, 5, 6, 7];
let text = Buffer.alloc(0);
/** Offsets at which a record begins, and the end. */
let starts: number[] = [];

beforeAll(() => {
  text = Buffer.concat(records.map(encodeRecord));
  starts = [0, ...[...text.keys()].filter((at) => text[at] === 0x0a).map((at) => at + 1)];
});

const tail = () => starts.at(-4) ?? 0;
/** How many records end at or before an offset. */
const whole = (at: number) => starts.filter((start) => start <= at).length - 1;

test('a torn tail at every byte of the last three records keeps all before it', async () => {
  const cuts = Array.from({ length: text.length - tail() + 1 }, (_, index) => tail() + index);
  for (const cut of cuts) {
    const read = readJournalText(text.subarray(0, cut), 'MCP-x');
    expect(read.records, `at ${cut}`).toEqual(records.slice(0, whole(cut)));
    expect([read.notes.length, read.bytes]).toEqual([isTorn(cut), starts[whole(cut)]]);
  }
  // On the disk at each end of a record, and at some bytes within.
  const some = cuts.filter((cut) => cut % 16 === 0 || starts.some((at) => Math.abs(at - cut) <= 1));
  const folder = await newSession();
  for (const cut of some) await tearAndGoOn(folder, cut);
});

const isTorn = (cut: number) => (starts.includes(cut) ? 0 : 1);

async function tearAndGoOn(folder: SessionFolder, cut: number): Promise<void> {
  writeFileSync(folder.absolute('journal.jsonl'), text.subarray(0, cut));
  const kept = records.slice(0, whole(cut));
  const read = await readJournal(folder);
  await withJournal(folder, async (journal) => {
    expect(journal.records).toEqual(kept);
    expect(journal.notes).toHaveLength(isTorn(cut));
    expect(journal.bytes).toBe(starts[kept.length]);
    expect(read).toMatchObject({ records: kept, notes: journal.notes, bytes: journal.bytes });
    await journal.append(noted('next'), { flush: false });
  });
  expect((await readJournal(folder)).records).toEqual([...kept, noted('next')]);
}

/** Opens damaged bytes: how many records were kept (with a note), or the clear stop. */
function outcome(damaged: Buffer): number | string {
  try {
    const { records: kept, notes, bytes } = readJournalText(damaged, 'MCP-x');
    expect(kept).toEqual(records.slice(0, kept.length));
    expect([notes.length, bytes]).toEqual([1, starts[kept.length]]);
    return kept.length;
  } catch (error) {
    if (error instanceof Stopped && error.failure.reason === 'session-unreadable')
      return error.failure.message;
    throw error;
  }
}

/** Damage from an offset on may cost no record before it, whatever else it ends with. */
function costs(damaged: Buffer, at: number): readonly unknown[] {
  const end = outcome(damaged);
  return typeof end === 'number' && end !== whole(at) ? [{ at, end }] : [];
}

test('every flipped bit is noticed, and none drops a record in silence', () => {
  for (const at of text.keys())
    for (const bit of bits) expect(String(outcome(flipped(at, bit)))).toMatch(afterFlip(at, bit));
});

function afterFlip(at: number, bit: number): RegExp {
  const last = starts.at(-2) ?? 0;
  const line = `^line ${whole(at) + 1} of journal.jsonl is`;
  if (flipped(at, bit)[at] === 0x0a) return new RegExp(`${line} damaged; to repair it: `);
  if (at === last - 1) return new RegExp(`${line} damaged and holds more than one record`);
  return at >= last ? new RegExp(`^${records.length - 1}$`) : new RegExp(line);
}

test('zeros and removed pieces anywhere are noticed and cost no record before them', () => {
  const zeros = (at: number, end: number) => Buffer.from(text).fill(0, at, end);
  const without = (at: number, end: number) =>
    Buffer.concat([text.subarray(0, at), text.subarray(end)]);
  const lost = [...text.keys()].flatMap((at) =>
    [1, 16, 200]
      .filter((length) => at + length < text.length)
      .flatMap((length) => [
        ...costs(zeros(at, at + length), at),
        ...costs(without(at, at + length), at),
      ]),
  );
  expect(lost).toEqual([]);
  // Behind the last record, as a power loss leaves them.
  expect(outcome(Buffer.concat([text, Buffer.alloc(4096)]))).toBe(records.length);
});

test('damage in the middle is told with the line and nothing is cut off', async () => {
  const folder = await newSession();
  const damaged = flipped(starts[2] ?? 0, 0);
  writeFileSync(folder.absolute('journal.jsonl'), damaged);
  const failure = await failureOf(openJournal(folder));
  expect(failure).toEqual({
    reason: 'session-unreadable',
    session: folder.id,
    message: `line 3 of journal.jsonl is damaged; to repair it: conclave sessions repair ${folder.id}`,
  });
  expect(await failureOf(readJournal(folder))).toEqual(failure);
  expect(Buffer.from((await folder.read('journal.jsonl')) ?? '')).toEqual(damaged);
});

function flipped(at: number, bit: number): Buffer {
  const damaged = Buffer.from(text);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
  return damaged;
}
