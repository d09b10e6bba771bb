import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitTree } from '../../../src/git/commit-tree.ts';
import type { MarkedFile } from '../../../src/git/content-mark.ts';
import { differingFiles } from '../../../src/context/local/differing.ts';
import { earlyIndex } from '../../../src/context/local/early-index.ts';
import type { Committed } from '../../../src/git/open-repository.ts';
import { pastIds } from '../../../src/git/past-ids.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { indexRoom, searchEarly, searchIn, unhurried } from './search.ts';

const task = 'Parse the dates of invoices';
const files = {
  'src/date.ts': 'export function parseDate(text: string) {\n  return text;\n}\n',
  'src/invoice.ts': 'export class Invoice {\n  // dates are parsed here\n}\n',
  'src/other.ts': 'export const other = 1;\n',
};
const { signal } = new AbortController();

function unseen(marked: readonly MarkedFile[] = []) {
  return marked.map((file) => ({ ...file, seen: null }));
}

function committed(root: string, commit: string): Committed {
  const place = { root, signal };
  return { root, commit, files: commitTree(place, commit), past: pastIds(place, commit) };
}

test('what is committed is indexed while git looks for what is changed, and nothing is read twice', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await using reference = await indexRoom();
  await repo.commit('Parse the dates', files);
  await repo.write({ 'src/other.ts': 'export const parsedDates = 2;\n' });
  const first = await searchEarly(room.folder, { root: repo.root, task });
  expect(first.report).toMatchObject({ files: 3, filesRead: 3, commitsRead: 1 });
  expect(first.notes).toEqual([]);
  expect(first.files).toEqual((await reference.search(await repo.open(), task)).files);
  const second = await searchEarly(room.folder, { root: repo.root, task });
  expect(second.report).toMatchObject({ filesRead: 0, commitsRead: 0 });
  expect(second.files).toEqual(first.files);
});

test('a search finds what was begun for it, also where another commit was checked out meanwhile', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const commit = await repo.commit('Start', files);
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
  early.begin(committed(repo.root, commit));
  await repo.commit('Parse dates of invoices', { 'src/late.ts': 'export const date = 1;\n' });
  const repository = await repo.open();
  const { report, paths, notes } = await searchIn(room.folder, { repository, task, early });
  expect(report).toMatchObject({ files: 4, commits: 2 });
  expect(notes).toEqual([]);
  expect(paths).toContain('src/late.ts');
});

test('a huge file is proved by the disk, unless it is too large for that', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const large = 'parse dates\n'.repeat(100_000);
  const commit = await repo.commit('Start', { ...files, 'large.txt': large });
  await repo.write({ 'later.txt': large.repeat(4) });
  const last = await repo.commit('Add more', { 'src/other.ts': '// dates\n' });
  for (const [head, found] of [
    [commit, 'large.txt src/date.ts src/invoice.ts'],
    [last, 'src/other.ts'],
  ] as const) {
    const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
    early.begin(committed(repo.root, head));
    expect((await early.found()).map(({ path }) => path).join(' ')).toBe(found);
    await early.end();
  }
  const { report } = await room.search(await repo.open(), task);
  expect(report.skipped).toEqual({ huge: 2 });
});

test('where no past is known it is read in one go, and is the same', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Start', files);
  await repo.commit('Parse the dates', { 'src/date.ts': '// anew\n' });
  const commit = await repo.commit('Parse dates of invoices', { 'src/late.ts': '' });
  const past = await pastIds({ root: repo.root, signal }, commit);
  for (const read of [3, 0]) {
    const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
    early.begin({ ...committed(repo.root, commit), past: null });
    const begun = await early.take(repo.root, unhurried);
    const commits = await begun?.commits;
    expect(commits).toMatchObject({ ids: past, read });
    const places = commits?.parts.flatMap(({ numbers }) => [...numbers]);
    expect(places).toEqual([0, 1, 2]);
    await begun?.settled;
    begun?.index.close();
  }
});

test('nothing is written where the index is not wanted', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const commit = await repo.commit('Start', files);
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(false), signal });
  early.begin(committed(repo.root, commit));
  expect(await early.take(repo.root, unhurried)).toBeNull();
  await early.end();
  expect(globSync('**/*', { cwd: room.folder })).toEqual([]);
});

test('what nobody takes ends, and leaves an index that can be used', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const commit = await repo.commit('Parse the dates', files);
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
  early.begin(committed(repo.root, commit));
  await early.end();
  expect(globSync('**/*.tmp', { cwd: room.folder })).toEqual([]);
  const { notes, paths } = await room.search(await repo.open(), task);
  expect(paths[0]).toBe('src/date.ts');
  expect(notes).toEqual([]);
});

test('what was read as it is committed is known, and the disk is asked about the rest', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const commit = await repo.commit('Parse the dates', files);
  await repo.write({ 'src/other.ts': 'export const other = 2;\n' });
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
  expect(await early.found()).toEqual([]);
  early.begin(committed(repo.root, commit));
  const found = await early.found();
  expect(found.map(({ path }) => path)).toEqual(['src/date.ts', 'src/invoice.ts']);
  await early.end();
  await repo.write({ 'src/date.ts': 'changed later\n' });
  const tree = await commitTree({ root: repo.root, signal }, commit);
  const differing = await differingFiles(unseen(tree?.files), {
    root: repo.root,
    found: Promise.resolve(found.slice(0, 1)),
    signal,
  });
  expect(differing?.map(({ path }) => path)).toEqual(['src/other.ts']);
  const otherwise = { root: repo.root, found: Promise.resolve(tree?.files ?? []), signal };
  const staged = unseen([{ path: 'src/date.ts', mark: found[1]?.mark ?? 'blob ' }]);
  expect(await differingFiles(staged, otherwise)).toEqual(staged);
  const never = new Promise<readonly []>(() => undefined);
  expect(await differingFiles(staged, { ...otherwise, found: never, waitMs: 1 })).toBeNull();
});

test('a file with the line ends of another system is read from the disk, and counts as differing', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Parse the dates', { ...files, '.gitattributes': 'src/date.ts eol=crlf\n' });
  rmSync(join(repo.root, 'src/date.ts'));
  repo.git('checkout', 'src/date.ts');
  expect(readFileSync(join(repo.root, 'src/date.ts'), 'utf8')).toContain('\r\n');
  const commit = repo.git('rev-parse', 'HEAD');
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
  early.begin(committed(repo.root, commit));
  const found = await early.found();
  expect(found.map(({ path }) => path)).not.toContain('src/date.ts');
  const repository = await repo.open();
  expect(repository.base.dirty).toEqual({});
  const begun = await early.take(repo.root, unhurried);
  expect((await begun?.files)?.read).toBe(4);
  await begun?.settled;
  begun?.index.close();
  const tree = await commitTree({ root: repo.root, signal }, commit);
  const all = { root: repo.root, found: Promise.resolve(found), signal };
  const differing = await differingFiles(unseen(tree?.files), all);
  expect(differing?.map(({ path }) => path)).toEqual(['src/date.ts']);
  const { paths, report } = await room.search(repository, task);
  expect(paths[0]).toBe('src/date.ts');
  expect(report.filesRead).toBe(0);
});

test('what was begun for a folder that cannot be written is left, and the search still answers', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Parse the dates', files);
  const blocked = join(room.folder, 'file');
  writeFileSync(blocked, '');
  const { paths, notes } = await searchEarly(blocked, { root: repo.root, task });
  expect(paths[0]).toBe('src/date.ts');
  expect(notes.join()).toMatch(/^The search index cannot be kept in .*\.$/);
});

test('a search that is given up gives up what was begun for it', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const commit = await repo.commit('Start', files);
  const early = earlyIndex({ folder: room.folder, allowed: Promise.resolve(true), signal });
  const tree = await commitTree({ root: repo.root, signal }, commit);
  const { promise, resolve } = Promise.withResolvers<typeof tree>();
  early.begin({ ...committed(repo.root, commit), files: promise });
  const search = new AbortController();
  const begun = await early.take(repo.root, { ...unhurried, signal: search.signal });
  search.abort(new Error('too late'));
  resolve(tree);
  await expect(begun?.files).rejects.toThrow('too late');
});
