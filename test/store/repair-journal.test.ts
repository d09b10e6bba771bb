import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeRecord } from '../../src/store/journal-record.ts';
import { readJournal } from '../../src/store/journal.ts';
import { repairJournal } from '../../src/app/repair.ts';
import { openStaging } from '../../src/store/staging.ts';
import { failureOf, finished, newRoot, newSession, noted, someTime, started } from './room.ts';

const records = [
  started('round-1/propose/codex', 'round-1'),
  finished('round-1/propose/codex', { text: 'one' }),
  started('round-1/synthesis', 'round-1'),
  finished('round-1/synthesis', { text: 'two' }),
  noted('after'),
];

/** A session whose journal holds these lines, which may be damaged. */
async function sessionOf(lines: readonly Buffer[]) {
  const folder = await newSession();
  writeFileSync(folder.absolute('journal.jsonl'), Buffer.concat(lines));
  return folder;
}

const flipped = (line: Buffer, at: number): Buffer => {
  const damaged = Buffer.from(line);
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
};

test('a journal ends before the first line that cannot be read, and all of it is kept in a copy', async () => {
  const lines = records.map(encodeRecord);
  const before = lines.map((line, at) => (at === 1 ? flipped(line, line.length - 6) : line));
  const folder = await sessionOf(before);
  const { lost, redone } = await repairJournal(folder, { apart: null, now: someTime });
  expect(lost).toEqual(['line 2 of journal.jsonl cannot be read, so the journal ends before it.']);
  expect(redone).toEqual(['round-1/propose/codex', 'round-1/synthesis']);
  expect((await readJournal(folder)).records).toEqual(records.slice(0, 1));
  const copy = await folder.readBytes('journal-2026-11-21T08-00-00-000Z.jsonl');
  expect(copy).toEqual(Buffer.concat(before));
});

test('no flipped bit costs a record before it', async () => {
  const lines = records.map(encodeRecord);
  const text = Buffer.concat(lines);
  const ends = lines.map((_, at) => Buffer.concat(lines.slice(0, at + 1)).length);
  const [first = 0, last = 0] = [ends[0], ends.at(-2)];
  const places = [...text.keys()].filter((at) => at % 11 === 0 || text[at] === 0x0a);
  // A last line that is damaged is left out whenever the journal is opened.
  for (const at of places.filter((one) => one >= first && one < last)) {
    const folder = await sessionOf([flipped(text, at)]);
    const { lost } = await repairJournal(folder, { apart: null, now: someTime });
    expect(lost).toHaveLength(1);
    const { records: kept } = await readJournal(folder);
    expect(kept).toEqual(
      records.slice(
        0,
        ends.findIndex((end) => at < end),
      ),
    );
  }
});

test('a journal whose first line cannot be read is refused and left as it is', async () => {
  const lines = records.map(encodeRecord);
  const damaged = lines.map((line, at) => (at === 0 ? flipped(line, 20) : line));
  const folder = await sessionOf(damaged);
  expect(await failureOf(repairJournal(folder, { apart: null, now: someTime }))).toMatchObject({
    reason: 'session-unreadable',
    message: expect.stringContaining('start a new session'),
  });
  expect(await folder.readBytes('journal.jsonl')).toEqual(Buffer.concat(damaged));
});

/** A session with a journal, and with lines that were recorded apart. */
async function sessionWithApart(lines: readonly Buffer[], others: readonly Buffer[]) {
  const folder = await sessionOf(lines);
  const apart = await openStaging(folder, join(await newRoot(), 'apart'));
  await apart?.folder.write('journal.jsonl', Buffer.concat(others));
  return { folder, apart: apart?.folder ?? null };
}

test('what was recorded apart ends before its first fault, and the journal stays whole', async () => {
  const [one, other] = [encodeRecord(noted('b')), encodeRecord(finished('round-1/propose/codex'))];
  const whole = records.map(encodeRecord);
  const damaged = [one, flipped(other, other.length - 6), one];
  const { folder, apart } = await sessionWithApart(whole, damaged);
  const { lost } = await repairJournal(folder, { apart, now: someTime });
  expect(lost).toEqual([expect.stringContaining('line 2 of journal.jsonl cannot be read')]);
  expect((await readJournal(folder)).records).toEqual(records);
  expect(await apart?.readBytes('journal.jsonl')).toEqual(one);
  const copy = await folder.readBytes('journal-apart-2026-11-21T08-00-00-000Z.jsonl');
  expect(copy).toEqual(Buffer.concat(damaged));
});

test('with a fault in the journal, what was recorded apart after it goes as well', async () => {
  const lines = records.map((record, at) => {
    const line = encodeRecord(record);
    return at === 3 ? flipped(line, line.length - 6) : line;
  });
  const later = encodeRecord(finished('round-2/examine/codex'));
  const { folder, apart } = await sessionWithApart(lines, [later]);
  const { redone } = await repairJournal(folder, { apart, now: someTime });
  expect(redone).toEqual(['round-1/synthesis', 'round-2/examine/codex']);
  expect(await apart?.readBytes('journal.jsonl')).toEqual(Buffer.alloc(0));
  expect(await folder.readBytes('journal-apart-2026-11-21T08-00-00-000Z.jsonl')).toEqual(later);
});
