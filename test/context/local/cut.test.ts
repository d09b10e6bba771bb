import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { indexAllCommits, indexCommits } from '../../../src/context/local/commit-index.ts';
import { readCommits } from '../../../src/context/local/commit-log.ts';
import { addCommitted, indexFiles, nothingEarly } from '../../../src/context/local/file-index.ts';
import { openIndex } from '../../../src/context/local/open-index.ts';
import { localProvider, type IndexReport } from '../../../src/context/local/provider.ts';
import { commitTree } from '../../../src/git/commit-tree.ts';
import { pastIds } from '../../../src/git/past-ids.ts';
import type { SearchNote } from '../../../src/context/provider.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { indexRoom, unhurried } from './search.ts';

const { signal } = unhurried;
const over = AbortSignal.abort(new Error('enough'));
const hurried = { signal, enough: over };
const files = {
  'src/date.ts': 'export function parse() {}\n',
  'src/money.ts': 'export const dates = 1;\n',
};

/** So many files that say nothing of the task. */
function many(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return Object.fromEntries(
    numbers.map((number) => [`src/f${number}.ts`, `export const x${number} = 1;\n`]),
  );
}

test('a search whose time is over judges by names, says so, and the next one goes on', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  await repo.write({ ...files, ...many(70) });
  const repository = await repo.open();
  const reports: IndexReport[] = [];
  const notes: SearchNote[] = [];
  const slow = {
    ...repository,
    marks: async () => {
      await wait(200);
      return repository.marks();
    },
  };
  const onReport = (report: IndexReport): void => void reports.push(report);
  const found = await localProvider(slow, { folder: room.folder, onReport }).search(
    { root: repo.root, task: 'parse the dates', keywords: [] },
    { maxFiles: 10, timeoutMs: 100, signal, onNote: (note) => notes.push(note) },
  );
  expect(found).toMatchObject({ ok: true, value: [{ path: 'src/date.ts' }] });
  expect(reports).toMatchObject([{ files: 72, filesRead: 64, unread: 8, skipped: {} }]);
  expect(notes).toEqual([
    {
      text: 'There was no time to read everything: 8 of 72 files were judged without their contents; the next search goes on from there.',
      isWeaker: true,
    },
  ]);
  const next = await room.search(repository, 'parse the dates');
  expect(next.paths).toEqual(['src/date.ts', 'src/money.ts']);
  expect(next.report).toMatchObject({ filesRead: 8, unread: 0 });
  expect(next.notes).toEqual([]);
});

test('what was read before the time was over is kept', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const names = Array.from({ length: 140 }, (_, number) => `src/f${number}.ts`);
  const commit = await repo.commit(
    'Start',
    Object.fromEntries(names.map((name) => [name, `export const date = '${name}';\n`])),
  );
  const index = openIndex(room.folder);
  const { files: store } = index;
  const tree = await commitTree({ root: repo.root, signal }, commit);
  if (tree === null) throw new Error('there is no tree');
  const part = { ...tree, files: tree.files.slice(0, 25) };
  const early = await addCommitted(repo.root, { ...unhurried, tree: part, store });
  expect(early.read).toBe(25);
  const none = await addCommitted(repo.root, { ...hurried, tree, store });
  expect(none.read).toBe(0);
  const repository = await repo.open();
  const cut = await indexFiles(repository, { ...hurried, store, early });
  // Each search gets on, if only a little.
  expect(cut).toMatchObject({ read: 25 + 64, unread: 51 });
  expect(cut.documents.count).toBe(25 + 64);
  const whole = await indexFiles(repository, { ...unhurried, store, early: nothingEarly });
  expect(whole).toMatchObject({ read: 51, unread: 0 });
  index.close();
});

test('nothing of the index is thrown away when there is no time to read it anew', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Start', files);
  const index = openIndex(room.folder);
  const { files: store } = index;
  // One segment more than are kept: the next search would put the smallest together.
  for (let number = 0; number < 13; number++) {
    await repo.write({ [`src/more${number}.ts`]: `export const date = ${number};\n` });
    await indexFiles(await repo.open(), { ...unhurried, store, early: nothingEarly });
  }
  await repo.write(many(70));
  expect(store.segments).toHaveLength(13);
  const cut = await indexFiles(await repo.open(), { ...hurried, store, early: nothingEarly });
  expect(store.segments).toHaveLength(14);
  expect(cut.unread).toBeGreaterThan(0);
  expect(cut.documents.count + cut.unread).toBe(85);
  index.close();
});

test('searches without time reach the whole tree all the same, however many parts they write', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  await repo.write(many(1100));
  const repository = await repo.open();
  const index = openIndex(room.folder);
  const unread: number[] = [];
  for (let search = 0; search < 18; search++) {
    const found = await indexFiles(repository, {
      ...hurried,
      store: index.files,
      early: nothingEarly,
    });
    unread.push(found.unread);
  }
  expect(unread).toEqual(Array.from(unread, (_, search) => Math.max(0, 1100 - 64 * (search + 1))));
  expect(unread.at(-1)).toBe(0);
  index.close();
});

test('of past commits those count that git told in time, and the others are read by the next search', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  for (const name of 'abcd') await repo.commit(`Add ${name}`, { [`${name}.ts`]: '' });
  const head = repo.git('rev-parse', 'HEAD');
  const place = { root: repo.root, signal };
  const index = openIndex(room.folder);
  const { commits: store } = index;
  const none = await indexAllCommits(place, { head, store, enough: over });
  expect(none).toEqual({ ids: [], parts: [], read: 0, isCut: true });
  const ids = await pastIds(place, head);
  const some = await indexCommits(place, { ids: ids.slice(1), store, enough: unhurried.enough });
  expect(some).toMatchObject({ read: 3, isCut: false });
  const cut = await indexCommits(place, { ids, store, enough: over });
  expect(cut).toMatchObject({ ids: ids.slice(1), read: 0, isCut: true });
  const whole = await indexCommits(place, { ids, store, enough: unhurried.enough });
  expect(whole).toMatchObject({ ids, read: 1, isCut: false });
  index.close();
});

test('commits that git has told are used, however soon it is enough', async () => {
  await using repo = await tempRepository();
  /** So many that git tells them in several parts. */
  const long = 'words '.repeat(16_000);
  for (const name of 'abcdefghijkl') await repo.commit(`Add ${name}\n\n${long}`, { [name]: '' });
  const head = repo.git('rev-parse', 'HEAD');
  const ended = new AbortController();
  const given: string[] = [];
  const end = await readCommits(
    { root: repo.root, signal },
    { head, enough: ended.signal },
    (some) => {
      given.push(...some.map(({ subject }) => subject));
      ended.abort();
    },
  );
  expect(end).toBe('cut');
  expect(given.length).toBeGreaterThan(0);
  expect(given.length).toBeLessThan(12);
  const newest = Array.from('lkjihgfedcba', (name) => `Add ${name}`);
  expect(given).toEqual(newest.slice(0, given.length));
});
