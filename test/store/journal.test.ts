import { spawnSync } from 'node:child_process';
import { readFile, stat, utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { failureText } from '../../src/model/failure.ts';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { anybody, failureOf, finished, newSession, noted, opened, started } from './room.ts';
import { voided, withJournal, write } from './room.ts';

test('records come back as they were appended, one line each, for their owner only', async () => {
  const folder = await newSession();
  const records = [
    opened(folder.id),
    started('round-1/propose/codex', 'round-1'),
    finished('round-1/propose/codex', { text: 'two\nlines "quoted" \u2028 ü 😀 \u0000' }),
    voided('round-1/propose/codex'),
    noted(''),
  ];
  await write(folder, records);
  expect((await stat(folder.absolute('journal.jsonl'))).mode & 0o777).toBe(0o600);
  const text = await readFile(folder.absolute('journal.jsonl'), 'utf8');
  expect(text.split('\n')).toHaveLength(records.length + 1);
  expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({
    v: formatVersion,
    type: 'started',
  });
  await withJournal(folder, async (journal) => {
    expect(journal.records).toEqual(records);
    expect(journal.notes).toEqual([]);
    expect(journal.bytes).toBe(Buffer.byteLength(text));
    expect(journal.session).toBe(folder.id);
  });
});

test('a journal that is not there is new to open and empty to read', async () => {
  const folder = await newSession();
  expect(await readJournal(folder)).toEqual({
    records: [],
    notes: [],
    bytes: 0,
    origin: 'own',
  });
  expect(await folder.list('')).toEqual([]);
  await withJournal(folder, async (journal) => expect(journal.records).toEqual([]));
});

test('appends that are made at once are written one after the other', async () => {
  const folder = await newSession();
  const records = Array.from({ length: 200 }, (_, index) => noted('x'.repeat(index * 40)));
  await withJournal(folder, async (journal) => {
    await Promise.all(records.map((record) => journal.append(record)));
    expect(journal.bytes).toBe((await stat(folder.absolute('journal.jsonl'))).size);
  });
  expect((await readJournal(folder)).records).toEqual(records);
});

test('closing waits for what is being written, and later appends are bugs', async () => {
  const folder = await newSession();
  const journal = await openJournal(folder, anybody);
  const writing = Promise.all([journal.append(noted('a')), journal.append(finished('b'))]);
  await journal.close();
  await journal.close();
  await writing;
  expect((await readJournal(folder)).records).toHaveLength(2);
  await expect(journal.append(noted('late'))).rejects.toThrow('is closed');
});

test('a record that could not be read again is refused and spoils nothing', async () => {
  const folder = await newSession();
  await withJournal(folder, async (journal) => {
    await expect(journal.append({ ...noted('x'), at: 'today' })).rejects.toThrow('datetime');
    await expect(journal.append(finished('x', 1n))).rejects.toThrow(TypeError);
    await journal.append(noted('good'));
  });
  expect((await readJournal(folder)).records).toEqual([noted('good')]);
});

test('reading and opening without damage change nothing on the disk', async () => {
  const folder = await newSession();
  await write(folder, [opened(folder.id), noted('x')]);
  const path = folder.absolute('journal.jsonl');
  await utimes(path, 1000, 1000);
  const before = await stat(path);
  await readJournal(folder);
  await write(folder, []);
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
});

const lineOf = (v: number) => `${JSON.stringify({ v, type: 'invented', at: 'later' })}\n`;

test('a journal of another format says so, and what to do with it', async () => {
  const folder = await newSession();
  const remedies = [
    [
      formatVersion - 1,
      `start the task again with conclave plan, or remove the session: conclave sessions rm ${folder.id}`,
    ],
    [formatVersion + 1, 'update conclave to open it'],
  ] as const;
  for (const [found, remedy] of remedies) {
    const failure = {
      reason: 'other-format',
      session: folder.id,
      found,
      known: formatVersion,
    } as const;
    expect(failureText(failure)).toBe(
      `Session ${folder.id} is of format ${found}, and this conclave reads format ${formatVersion} only: ${remedy}.`,
    );
  }
  const texts = [formatVersion - 1, formatVersion + 1].flatMap((v) => [
    lineOf(v),
    lineOf(v).trimEnd(),
    lineOf(v) + lineOf(7),
  ]);
  for (const text of texts) {
    await folder.write('journal.jsonl', text);
    const failure = await failureOf(openJournal(folder));
    expect(failure).toMatchObject({
      reason: 'other-format',
      session: folder.id,
      known: formatVersion,
    });
    expect(await failureOf(readJournal(folder))).toEqual(failure);
    expect(await folder.read('journal.jsonl')).toBe(text);
  }
});

test.each(['mkdir', 'mkfifo'])('what %s puts in place of the journal is named', async (program) => {
  const folder = await newSession();
  spawnSync(program, [folder.absolute('journal.jsonl')]);
  for (const open of [openJournal, readJournal]) {
    expect(await failureOf(open(folder))).toMatchObject({
      message: expect.stringContaining('is not a regular file; remove it'),
    });
  }
});
