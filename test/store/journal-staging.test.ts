import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { failureText } from '../../src/model/failure.ts';
import {
  anybody,
  failureOf,
  finished,
  newRoot,
  newSession,
  noted,
  opened,
  started,
} from './room.ts';

const apart = { apart: true };
const answers = [started('round-1/propose/a'), finished('round-1/propose/a', 'secret')];

async function room() {
  const folder = await newSession();
  const other = join(await newRoot(), 'journal.jsonl');
  const main = folder.absolute('journal.jsonl');
  return { folder, other, main, open: () => openJournal(folder, { ...anybody, apartPath: other }) };
}

test('what lies apart comes into the journal with the next record that does not', async () => {
  const { folder, other, main, open } = await room();
  const journal = await open();
  await journal.append(opened(folder.id));
  for (const record of answers) await journal.append(record, apart);
  expect(await readFile(main, 'utf8')).not.toContain('secret');
  expect(journal.records).toHaveLength(3);
  await journal.append(noted('all have answered'));
  expect((await readJournal(folder)).records).toEqual(journal.records);
  await expect(readFile(other)).rejects.toThrow('ENOENT');
  await journal.append(noted('again'), apart);
  await journal.close();
  expect(await readFile(other, 'utf8')).toContain('again');
});

test('it stays apart over a restart, and its torn last line is left out', async () => {
  const { folder, other, main, open } = await room();
  const first = await open();
  await first.append(opened(folder.id));
  for (const record of answers) await first.append(record, apart);
  await first.close();
  await writeFile(other, '{"crc":"', { flag: 'a' });
  const second = await open();
  expect(second.records).toEqual([opened(folder.id), ...answers]);
  await second.append(noted('more'), apart);
  await second.close();
  expect(await readFile(main, 'utf8')).not.toContain('secret');
  const third = await open();
  expect(third.records).toEqual([opened(folder.id), ...answers, noted('more')]);
  await third.close();
});

test('killed at any place while it takes them in, it has each record once', async () => {
  const { folder, other, main, open } = await room();
  const journal = await open();
  await journal.append(opened(folder.id));
  const before = await readFile(main);
  for (const record of answers) await journal.append(record, apart);
  const lines = await readFile(other);
  await journal.close();
  const ends = [0, lines.indexOf(0x0a) + 1, lines.length];
  const cuts = Array.from({ length: lines.length + 1 }, (_, cut) => cut);
  // At each end of a record, and at some bytes within.
  for (const cut of cuts.filter(
    (one) => one % 8 === 0 || ends.some((end) => Math.abs(end - one) <= 1),
  )) {
    await writeFile(main, Buffer.concat([before, lines.subarray(0, cut)]));
    await writeFile(other, lines);
    const again = await open();
    expect(again.records, `at ${cut}`).toEqual([opened(folder.id), ...answers]);
    await again.append(noted('on'), { flush: false });
    await again.close();
    const { records } = await readJournal(folder);
    expect(records, `at ${cut}`).toEqual([opened(folder.id), ...answers, noted('on')]);
  }
});

test('without such a file everything stands in the journal', async () => {
  const { folder } = await room();
  const journal = await openJournal(folder, anybody);
  await journal.append(noted('here'), apart);
  await journal.close();
  expect((await readJournal(folder)).records).toEqual([noted('here')]);
});

test('what lies there and is no file of ours is named', async () => {
  const { folder, other, open } = await room();
  await mkdir(other);
  const failure = await failureOf(open());
  expect(failure).toMatchObject({ reason: 'session-unreadable', session: folder.id });
  expect(failureText(failure)).toContain(other);
});
