import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeSealed } from '../../src/store/journal-record.ts';
import { openJournal, readJournal, type JournalRecord } from '../../src/store/journal.ts';
import { repairJournal } from '../../src/app/repair.ts';
import { readSeals } from '../../src/store/seal.ts';
import type { SessionFolder } from '../../src/store/session-folder.ts';
import {
  failureOf,
  finished,
  newRoot,
  newSession,
  noted,
  opened,
  someTime,
  started,
} from './room.ts';

const key = Buffer.from('k'.repeat(64));
const journalOf = (folder: SessionFolder) => folder.absolute('journal.jsonl');

async function written(folder: SessionFolder, records: readonly JournalRecord[], by = key) {
  const { seal } = readSeals([], { key: by, session: folder.id });
  const lines = records.map((record) => encodeSealed(record, seal));
  writeFileSync(journalOf(folder), Buffer.concat(lines));
  return lines;
}

async function goOn(folder: SessionFolder, apartPath?: string): Promise<void> {
  const journal = await openJournal(folder, { key, apartPath });
  await journal.append(noted('next'));
  await journal.close();
}

test('a seal is the HMAC-SHA256 of the seal before and the record, for keys of any length', () => {
  for (const length of [1, 32, 64, 65, 200]) {
    const own = randomBytes(length);
    const { seal } = readSeals([], { key: own, session: 'MCP-x' });
    const [first, second] = [Buffer.from('"v":1}'), Buffer.from('"v":1,"text":"ü"}')];
    const hmac = (before: string, body: Buffer) =>
      createHmac('sha256', own).update(before).update(body).digest('hex');
    const expected = hmac('conclave session MCP-x', first);
    expect([seal?.(first), seal?.(second)]).toEqual([expected, hmac(expected, second)]);
  }
});

test('a journal goes on under its key alone', async () => {
  const folder = await newSession();
  await written(folder, [opened(folder.id), noted('a')]);
  await goOn(folder);
  await goOn(folder);
  expect((await readJournal(folder, key)).origin).toBe('own');
  const without = [
    [Buffer.from('other'), 'session-untrusted'],
    [null, 'no-session-key'],
  ] as const;
  for (const [other, reason] of without) {
    expect((await readJournal(folder, other)).origin).toBe('foreign');
    const failure = await failureOf(openJournal(folder, { key: other }));
    expect(failure).toMatchObject({ reason, session: folder.id });
  }
});

test('the journal of another session of the same user is refused, with and without its name', async () => {
  const [one, other] = [await newSession(), await newSession()];
  await written(one, [noted('a')]);
  writeFileSync(journalOf(other), readFileSync(journalOf(one)));
  expect((await readJournal(other, key)).origin).toBe('foreign');
  await written(one, [opened(one.id)]);
  writeFileSync(journalOf(other), readFileSync(journalOf(one)));
  for (const open of [readJournal, openJournal]) {
    expect(await failureOf(open(other))).toMatchObject({
      reason: 'session-unreadable',
      message: expect.stringContaining(`belongs to another session, ${one.id}`),
    });
  }
});

test('a journal without seals is nobody’s until it is adopted, and then all of it is bound', async () => {
  const folder = await newSession();
  const lines = [opened(folder.id), noted('a')].map((record) => encodeSealed(record, null));
  writeFileSync(journalOf(folder), Buffer.concat(lines));
  expect((await readJournal(folder, key)).origin).toBe('foreign');
  expect(await failureOf(openJournal(folder, { key }))).toMatchObject({
    reason: 'session-untrusted',
  });
  const journal = await openJournal(folder, { key, adopts: true });
  await journal.append(noted('b'));
  await journal.close();
  const text = readFileSync(journalOf(folder));
  expect((await readJournal(folder, key)).origin).toBe('own');
  writeFileSync(journalOf(folder), Buffer.concat([text.subarray(lines[0]?.length)]));
  expect((await readJournal(folder, key)).origin).toBe('foreign');
});

test('cut at any byte, a journal stays its user’s', async () => {
  const folder = await newSession();
  const records = [opened(folder.id), noted('a'), started('b'), finished('b', 'c')];
  const text = Buffer.concat(await written(folder, records));
  for (let cut = 0; cut <= text.length; cut += 7) {
    writeFileSync(journalOf(folder), text.subarray(0, cut));
    await goOn(folder);
    expect({ cut, origin: (await readJournal(folder, key)).origin }).toEqual({
      cut,
      origin: 'own',
    });
  }
});

test('what lay apart when it was killed continues the seals', async () => {
  const folder = await newSession();
  const apartPath = join(await newRoot(), 'journal.jsonl');
  const journal = await openJournal(folder, { key, apartPath });
  await journal.append(opened(folder.id));
  for (const one of [started('a'), finished('a')]) await journal.append(one, { apart: true });
  await journal.close();
  expect((await readJournal(folder, key)).records).toHaveLength(1);
  await goOn(folder, apartPath);
  const { origin, records } = await readJournal(folder, key);
  expect({ origin, count: records.length }).toEqual({ origin: 'own', count: 4 });
});

test('a repaired journal stays its user’s', async () => {
  const folder = await newSession();
  const records = [opened(folder.id), noted('a'), started('b'), finished('b', 'c'), noted('d')];
  const lines = await written(folder, records);
  const text = Buffer.concat(lines);
  const last = text.length - (lines.at(-1)?.length ?? 0);
  for (let at = lines[0]?.length ?? 0; at < last; at += 5) {
    const damaged = Buffer.from(text);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(journalOf(folder), damaged);
    const { lost } = await repairJournal(folder, { apart: null, now: someTime });
    const { origin } = await readJournal(folder, key);
    expect({ at, origin, losses: lost.length }).toEqual({ at, origin: 'own', losses: 1 });
  }
});

test('a repair makes nothing of a stranger’s its user’s', async () => {
  const folder = await newSession();
  const records = [opened(folder.id), noted('a'), started('b'), finished('b', 'c'), noted('d')];
  const lines = await written(folder, records, Buffer.from('s'.repeat(64)));
  const text = Buffer.concat(lines);
  const [first = 0, last = 0] = [lines[0]?.length, lines.at(-1)?.length];
  for (const at of [first + 40, first + 300, text.length - last - 5]) {
    const damaged = Buffer.from(text);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(journalOf(folder), damaged);
    const { lost } = await repairJournal(folder, { apart: null, now: someTime });
    expect(lost).toHaveLength(1);
    expect((await readJournal(folder, key)).origin).toBe('foreign');
  }
});
