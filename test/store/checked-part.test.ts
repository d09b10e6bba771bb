import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeRecord, encodeSealed } from '../../src/store/journal-record.ts';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { readSeals } from '../../src/store/seal.ts';
import type { SessionFolder } from '../../src/store/session-folder.ts';
import { failureOf, newSession, noted, opened } from './room.ts';

const key = Buffer.from('k'.repeat(64));
const journalOf = (folder: SessionFolder) => folder.absolute('journal.jsonl');
const checkedOf = (folder: SessionFolder) => folder.absolute('journal-checked.json');

/** A long journal of the user, opened once and gone on with. */
async function longSession(count = 2_000, by = key): Promise<SessionFolder> {
  const folder = await newSession();
  const { seal } = readSeals([], { key: by, session: folder.id });
  const records = Array.from({ length: count }, (_, n) => noted(`${n} ${'x'.repeat(200)}`));
  const lines = [opened(folder.id), ...records].map((record) => encodeSealed(record, seal));
  writeFileSync(journalOf(folder), Buffer.concat(lines));
  await goOn(folder, by);
  return folder;
}

async function goOn(folder: SessionFolder, by = key): Promise<void> {
  const journal = await openJournal(folder, { key: by });
  await journal.append(noted('next'));
  await journal.close();
}

/** Writes the text of the journal anew, as somebody who knows no key can. */
function forge(folder: SessionFolder, change: (text: string) => string): void {
  const text = readFileSync(journalOf(folder), 'utf8');
  writeFileSync(journalOf(folder), change(text));
}

/** With a checksum that fits. */
function otherText(line: string): string {
  return encodeRecord(noted(line.includes('"text":"7 ') ? 'not the user’s' : line)).toString();
}

test('of a long journal only what came since is checked again', async () => {
  const folder = await longSession(30_000);
  const cost = async () => {
    const before = process.threadCpuUsage();
    expect((await readJournal(folder, key)).origin).toBe('own');
    const { user } = process.threadCpuUsage(before);
    // The last text that was read is kept for the next reading of the same.
    await goOn(folder);
    return user;
  };
  const later = [await cost(), await cost(), await cost()];
  const first = [];
  for (let n = 0; n < 3; n += 1) {
    writeFileSync(checkedOf(folder), '{}');
    first.push(await cost());
  }
  expect(Math.min(...later)).toBeLessThan(Math.min(...first) / 2);
});

test('a part that was checked reads the same as all of it, and goes on under the same seals', async () => {
  const folder = await longSession();
  const known = await readJournal(folder, key);
  writeFileSync(checkedOf(folder), '{}');
  await goOn(folder);
  const whole = await readJournal(await sameAgain(folder), null);
  expect(known.records.map(textOf)).toEqual(whole.records.slice(0, -1).map(textOf));
  expect((await readJournal(folder, key)).origin).toBe('own');
});

function textOf(record: object): string {
  return 'text' in record ? String(record.text) : '';
}

async function sameAgain(folder: SessionFolder): Promise<SessionFolder> {
  // Another text is read in between, so that nothing is answered from memory.
  await readJournal(await newSession());
  return folder;
}

test('a record that is changed in the part that was checked is found and not trusted', async () => {
  const folder = await longSession();
  forge(folder, (text) =>
    text
      .split('\n')
      .map((line) => (line.includes('"text":"7 ') ? otherText(line).trimEnd() : line))
      .join('\n'),
  );
  expect((await readJournal(folder, key)).origin).toBe('foreign');
  const failure = await failureOf(openJournal(folder, { key }));
  expect(failure).toMatchObject({ reason: 'session-untrusted' });
});

test('each flipped bit in the part that was checked is found, also where the key is not known', async () => {
  const folder = await longSession();
  const text = readFileSync(journalOf(folder));
  for (let at = 11; at < text.length - 1_000; at += Math.floor(text.length / 40)) {
    const damaged = Buffer.from(text);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(journalOf(folder), damaged);
    for (const by of [key, null])
      expect({ at, ...(await failureOf(readJournal(folder, by))) }).toMatchObject({
        at,
        reason: 'session-unreadable',
        message: expect.stringContaining('conclave sessions repair'),
      });
  }
});

test('a note of what was checked holds for one key, one session and one text', async () => {
  const [folder, other] = [await longSession(), await longSession()];
  const theirs = await longSession(2_000, Buffer.from('s'.repeat(64)));
  // Whoever has another key can make both files for his own session, and copy them.
  for (const from of [theirs, other]) {
    forge(from, (text) => text.replaceAll(from.id, folder.id));
    for (const [file, to] of [
      [journalOf(from), journalOf(folder)],
      [checkedOf(from), checkedOf(folder)],
    ] as const)
      copyFileSync(file, to);
    const failure = await failureOf(readJournal(folder, key)).catch(async () => null);
    const origin = failure === null ? (await readJournal(folder, key)).origin : 'unreadable';
    expect(['foreign', 'unreadable']).toContain(origin);
  }
});

test.each([
  ['nothing', ''],
  ['no JSON', '{"bytes":'],
  ['another shape', '{"bytes":"all","bound":1}'],
  ['a length beyond the end', '{"bytes":99999999,"bound":"0"}'],
  ['a bound of no key', `{"bytes":300000,"bound":"${'0'.repeat(64)}"}`],
])('a note of what was checked that holds %s is as good as none', async (_, text) => {
  const folder = await longSession();
  writeFileSync(checkedOf(folder), text);
  expect((await readJournal(folder, key)).origin).toBe('own');
  await goOn(folder);
  expect((await readJournal(folder, key)).origin).toBe('own');
});

test('a long journal that is torn or cut goes on as a short one does', async () => {
  const folder = await longSession();
  const text = readFileSync(journalOf(folder));
  for (const cut of [text.length - 3, text.length - 400, 300_000, 1_000, 0]) {
    writeFileSync(journalOf(folder), text.subarray(0, cut));
    await goOn(folder);
    expect((await readJournal(folder, key)).origin).toBe('own');
  }
});

test('nothing is noted of a short journal, nor of one that is not the user’s', async () => {
  const short = await longSession(20);
  expect(existsSync(checkedOf(short))).toBe(false);
  const theirs = await longSession(2_000, Buffer.from('s'.repeat(64)));
  const note = readFileSync(checkedOf(theirs));
  expect(await failureOf(openJournal(theirs, { key }))).toMatchObject({
    reason: 'session-untrusted',
  });
  expect(readFileSync(checkedOf(theirs))).toEqual(note);
});
