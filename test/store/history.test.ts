import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createHash } from 'node:crypto';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type ConversationKey, type History, openHistory } from '../../src/store/history.ts';
import { startFixture } from './child.ts';
import { failureOf, newRoot } from './room.ts';

const at = '2026-11-25T08:00:00.000Z';
const mine = { project: '/p', session: 'mine' };

async function newFile(): Promise<string> {
  return join(await newRoot(), 'data/history.db');
}

function turn(history: History, key: ConversationKey, question: string, answer: string): number {
  const number = history.begin(key, { tool: 'work', agent: 'claude', question, at, mark: 'm.' });
  const facts = '{}';
  const rest = { injected: '', role: '', memory: null, at };
  history.end(key, { number, state: 'answered', answer, facts, ...rest });
  return number;
}

const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

test.each([1, 99])(
  'a database of version %i is refused and stays as it is, byte by byte',
  async (version) => {
    const file = await newFile();
    await mkdir(join(file, '..'));
    const newer = new DatabaseSync(file);
    newer.exec(`CREATE TABLE things (a); PRAGMA user_version = ${version}`);
    newer.close();
    const before = await hashOf(file);
    expect(await failureOf(openHistory(file))).toMatchObject({ reason: 'history-other' });
    expect(await hashOf(file)).toBe(before);
  },
);

test.each([
  ['that is truncated', (file: string) => truncate(file, 9000)],
  ['that is something else', (file: string) => writeFile(file, 'not a database, but a note')],
])('a database %s is refused with what to do, and stays as it is', async (_, spoil) => {
  const file = await newFile();
  const history = await openHistory(file);
  for (let number = 0; number < 50; number += 1) turn(history, mine, 'q', 'a'.repeat(2000));
  history.close();
  await spoil(file);
  const before = await hashOf(file);
  expect(await failureOf(openHistory(file))).toMatchObject({ reason: 'history-unreadable' });
  expect(await hashOf(file)).toBe(before);
});

test('a database that another program holds is in use, and stays as it is', async () => {
  const file = await newFile();
  (await openHistory(file)).close();
  const before = await hashOf(file);
  const other = new DatabaseSync(file);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  expect(await failureOf(openHistory(file))).toEqual({ reason: 'history-busy', path: file });
  other.close();
  expect(await hashOf(file)).toBe(before);
});

test('a folder in its place is refused', async () => {
  const file = await newFile();
  await mkdir(file, { recursive: true });
  expect(await failureOf(openHistory(file))).toMatchObject({ reason: 'history-unreadable' });
});

test('processes that open a new database at once make its tables once', async () => {
  const file = await newFile();
  const children = Array.from({ length: 4 }, (_, n) =>
    startFixture('open-history.ts', [file, `s${n}`]),
  );
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual(['', '', '', '']);
  expect((await openHistory(file)).conversations('/p')).toHaveLength(4);
});

test('a new database that is opened by several at the same moment is in use for none of them', async () => {
  const folder = await newFile();
  const files = Array.from({ length: 60 }, (_, n) => `${folder}-${n}`);
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const script = new URL('../fixtures/store/open-together.ts', import.meta.url);
  const workerData = { files, workers: 4, ready };
  const workers = Array.from({ length: 4 }, () => new Worker(script, { workerData }));
  const told = await Promise.all(workers.map((worker) => once(worker, 'message')));
  expect(told.flat(2)).toEqual([]);
});

test('conversations of one name in two folders share nothing', async () => {
  const history = await openHistory(await newFile());
  const other = { ...mine, project: '/q/p' };
  turn(history, mine, 'apples', 'red');
  turn(history, other, 'pears', 'green');
  expect(history.turns(mine).map(({ question }) => question)).toEqual(['apples']);
  expect(history.search('/p', ['pears'], 5)).toEqual([]);
  expect(history.remove(other)).toBe(true);
  expect(history.turns(mine)).toHaveLength(1);
});

test('words that somebody searches for are never syntax', async () => {
  const history = await openHistory(await newFile());
  turn(history, mine, `o'brien said: NEAR (x-y) "quoted" foo:bar * AND`, 'yes');
  for (const word of [`a"b`, 'x-y', 'NEAR(', `o'brien`, 'foo:bar', 'AND', 'content:yes', '^yes'])
    expect(() => history.search('/p', [word], 5)).not.toThrow();
  for (const word of ['x-y', `o'brien`, 'foo:bar', 'AND'])
    expect(history.search('/p', [word], 5)).toHaveLength(1);
});

test('an open turn of a dead process is marked as broken off, with the mark of its processes', async () => {
  const history = await openHistory(await newFile());
  turn(history, mine, 'one', 'a');
  history.begin(mine, { tool: 'work', agent: 'claude', question: 'two', at, mark: '77-x.' });
  expect(history.breakOff(mine)).toEqual(['77-x.']);
  expect(history.breakOff(mine)).toEqual([]);
  expect(history.turns(mine).map(({ state }) => state)).toEqual(['answered', 'broken-off']);
});
