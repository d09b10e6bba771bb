import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeRecord, readJournalText } from '../../src/store/journal-record.ts';
import { readJournal } from '../../src/store/journal.ts';
import { foldSteps } from '../../src/store/recorded-steps.ts';
import { repairJournal } from '../../src/store/repair-journal.ts';
import { openStaging } from '../../src/store/staging.ts';
import { finished, newRoot, newSession, noted, someTime, started, voided } from './room.ts';

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

test('a result with a flipped bit is taken out, told and asked for again; the rest stays', async () => {
  const lines = records.map(encodeRecord);
  const before = lines.map((line, at) => (at === 1 ? flipped(line, line.length - 6) : line));
  const folder = await sessionOf(before);
  const { lost, redone } = await repairJournal(folder, { apart: null, key: null, now: someTime });
  expect(lost).toEqual([
    'line 2 of journal.jsonl, the record of a result (round-1/propose/codex), is lost; it is asked for again.',
  ]);
  expect(redone).toEqual([]);
  const { records: kept } = await readJournal(folder);
  expect(kept.slice(0, -1)).toEqual(records.toSpliced(1, 1));
  expect(kept.at(-1)).toMatchObject({ type: 'noted', text: `Repaired: ${lost[0]}` });
  expect(foldSteps(kept).get('round-1/propose/codex')?.finished).toBeNull();
  expect(foldSteps(kept).get('round-1/synthesis')?.finished).not.toBeNull();
  const copy = await folder.readBytes('journal-2026-11-21T08-00-00-000Z.jsonl');
  expect(copy).toEqual(Buffer.concat(before));
});

test('every flipped bit costs one record at most, and a lost line end none', async () => {
  const lines = records.map(encodeRecord);
  const text = Buffer.concat(lines);
  const places = [...text.keys()].filter((at) => at % 11 === 0 || text[at] === 0x0a);
  for (const at of places) {
    const folder = await sessionOf([flipped(text, at)]);
    const { lost } = await repairJournal(folder, { apart: null, key: null, now: someTime });
    const { records: kept } = await readJournal(folder);
    const isEnd = text[at] === 0x0a;
    const before = kept.filter((one) => one.type !== 'noted' || one.text === 'after');
    expect(before).toHaveLength(records.length - (isEnd ? 0 : 1));
    expect(lost.length).toBeGreaterThan(0);
  }
});

test('what only a lost record had voided does not count again', async () => {
  const [asked, answered] = [started('decision-1'), finished('decision-1', 'first')];
  const [next, result] = [started('plan-1/write'), finished('plan-1/write', 'of the first')];
  const again = [started('decision-1'), finished('decision-1', 'second')];
  const lines = [asked, answered, next, result, voided('decision-1', 'plan-1/write'), ...again];
  const encoded = lines.map(encodeRecord);
  const folder = await sessionOf(
    encoded.map((line, at) => (at === 4 ? flipped(line, line.length - 6) : line)),
  );
  const { lost, redone } = await repairJournal(folder, { apart: null, key: null, now: someTime });
  expect(lost[0]).toContain('line 5 of journal.jsonl, the record of steps that were to be done');
  expect(redone).toEqual(['plan-1/write']);
  const left = foldSteps((await readJournal(folder)).records);
  expect([...left.keys()]).toEqual(['decision-1']);
  expect(left.get('decision-1')?.finished?.result).toBe('second');
});

test('what was recorded apart is repaired likewise, and its copy is kept with the session', async () => {
  const folder = await newSession();
  const apart = await openStaging(folder, join(await newRoot(), 'apart'));
  const [one, other] = [encodeRecord(finished('round-1/propose/codex')), encodeRecord(noted('b'))];
  const damaged = Buffer.concat([flipped(one, one.length - 6), other]);
  await apart?.folder.write('journal.jsonl', damaged);
  const { lost } = await repairJournal(folder, {
    apart: apart?.folder ?? null,
    key: null,
    now: someTime,
  });
  expect(lost).toEqual([expect.stringContaining('(round-1/propose/codex)')]);
  const left = readJournalText(
    (await apart?.folder.readBytes('journal.jsonl')) ?? Buffer.alloc(0),
    's',
  );
  expect(left.records[0]).toEqual(noted('b'));
  expect(await folder.readBytes('journal-apart-2026-11-21T08-00-00-000Z.jsonl')).toEqual(damaged);
});
