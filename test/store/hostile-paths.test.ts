import { readdir, truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { failureText } from '../../src/model/failure.ts';
import { openSessionFolder, removeSession } from '../../src/store/session-folder.ts';
import { readSession } from '../../src/app/read-session.ts';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { forkSession } from '../../src/store/fork.ts';
import { failureOf, newRoot, newSession, someTime } from './room.ts';

const climbs = ['..', '../x', 'a/../../x', '/etc/passwd', 'a/..', '..\\x', 'a\\b', 'a\0b', '\0'];
const words = ['', '.', ' ', 'a b', 'a/b', '-rf', '_x', '.hidden', 'x.', 'x ', 'x\n', '\nx'];
const tricks = [
  '..%2f',
  '%2e%2e',
  'a:b',
  'C:\\x',
  '~',
  '~root',
  '$HOME',
  'x;ls',
  '*',
  'x\u001b[31m',
];
const unicode = ['．．', '‥', 'ａ', 'x\u202e', '\ufeffx', 'é', 'x\u0000', '__proto__', '\ud800'];
const ids = [...climbs, ...words, ...tricks, ...unicode, 'a'.repeat(129), 'a'.repeat(4096)];

test.each(ids)('the id %j is refused with one clear sentence', async (id) => {
  const root = await newRoot();
  const actions = [
    openSessionFolder(root, id),
    removeSession(root, id),
    forkSession({ root, id, at: 'decision-1', now: someTime, key: null }),
  ];
  for (const action of actions) {
    const failure = await failureOf(action);
    expect(failure.reason).toBe('usage');
    expect(failureText(failure)).toMatch(/^\P{C}{20,260}$/u);
  }
  expect(await readdir(root)).toEqual([]);
});

test.each([...climbs, '', '.', './', '././'])('the path %j names no file inside', async (path) => {
  const folder = await newSession();
  for (const action of [folder.read(path), folder.remove(path), folder.write(path, 'x')])
    expect((await failureOf(action)).reason).toBe('usage');
  if (!climbs.includes(path)) return;
  expect((await failureOf(folder.list(path))).reason).toBe('usage');
  expect(() => folder.absolute(path)).toThrow('must stay inside the session folder');
});

test('strange but harmless names stay inside', async () => {
  const folder = await newSession();
  const names = ['...', 'CON', 'a b', '%2e%2e', 'x.', 'ü', '-rf', '..x', 'x..'];
  for (const name of names) await folder.write(`.task/${name}`, name);
  expect(await folder.list('.task')).toEqual(names.toSorted());
});

test.each([600e6, 3e9])('a file of %d bytes is named, and not read', async (bytes) => {
  const folder = await newSession();
  for (const name of ['journal.jsonl', 'session-state.json']) {
    await writeFile(folder.absolute(name), '');
    // It takes no place on the disk.
    await truncate(folder.absolute(name), bytes);
  }
  const reads = [folder.read('session-state.json'), readJournal(folder), openJournal(folder)];
  for (const failure of await Promise.all(reads.map(failureOf))) {
    expect(failure.reason).toBe('session-unreadable');
    expect(failureText(failure)).toMatch(/(?:journal\.jsonl|session-state\.json) is larger than/);
  }
  const root = folder.path.slice(0, -folder.relative.length);
  expect((await readSession(root, folder.id)).fault?.failure.reason).toBe('session-unreadable');
});
