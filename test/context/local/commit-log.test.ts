import { expect, test } from 'vitest';
import {
  type ReadCommit,
  readCommits,
  type WantedCommits,
} from '../../../src/context/local/commit-log.ts';
import { unhurried } from './search.ts';
import { tempRepository, type TempRepository } from '../../git/temp-repository.ts';

const { signal, enough } = unhurried;

async function readFrom(repo: TempRepository, wanted: WantedCommits) {
  const given: (readonly ReadCommit[])[] = [];
  const place = { root: repo.root, signal };
  const end = await readCommits(place, { ...wanted, enough }, (some) => given.push(some));
  return { end, given };
}

/** About 90 KB of words beyond ASCII, so that parts end within a letter. */
const long = 'größte Änderung '.repeat(5000).trim();

test('commits are given on while git writes more, each once and whole, in the order of the ids', async () => {
  await using repo = await tempRepository();
  const ids: string[] = [];
  for (const name of 'abcdefgh') {
    ids.push(await repo.commit(`Add ${name}\n\n${long}`, { [`src/${name}.ts`]: name }));
  }
  const newest = ids.toReversed();
  const { end, given } = await readFrom(repo, { ids: newest });
  expect(end).toBe('whole');
  expect(given.length).toBeGreaterThan(1);
  const commits = given.flat();
  expect(commits.map(({ subject }) => subject.slice(-1)).join('')).toBe('hgfedcba');
  expect(commits.every(({ body }) => body.trim() === long)).toBe(true);
  expect(commits).toMatchObject(
    newest.map((id, at) => ({ id, files: at === 7 ? [] : [`src/${'hgfedcba'[at]}.ts`] })),
  );
  const head = await readFrom(repo, { head: newest[0] ?? '' });
  expect(head.given.flat()).toEqual(commits);
});

test('a commit of any size is read, and says nothing of its files where they are too many', async () => {
  await using repo = await tempRepository();
  const first = await repo.commit('Start', { 'a.ts': '' });
  const names = Array.from({ length: 1500 }, (_, at) => `src/${'long-name-'.repeat(18)}${at}.ts`);
  const wide = await repo.commit('Move all', Object.fromEntries(names.map((name) => [name, ''])));
  const last = await repo.commit('Mend it', { 'a.ts': 'x' });
  const { given } = await readFrom(repo, { ids: [last, wide, first] });
  expect(given.flat()).toMatchObject([
    { subject: 'Mend it', files: ['a.ts'] },
    { subject: 'Move all', files: [] },
    { subject: 'Start', files: [] },
  ]);
});

test('a commit that git does not have is a failure, and what an error interrupts is thrown', async () => {
  await using repo = await tempRepository();
  const id = await repo.commit('Start', { 'a.ts': '' });
  expect((await readFrom(repo, { ids: [id, 'f'.repeat(40)] })).end).toBe('failed');
  const failing = readCommits({ root: repo.root, signal }, { ids: [id], enough }, () => {
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  const ids: string[] = [];
  for (const name of 'abcd') ids.push(await repo.commit(`Add ${name}\n\n${long}`));
  const early = readCommits({ root: repo.root, signal }, { ids, enough }, () => {
    throw new Error('no room at all');
  });
  await expect(early).rejects.toThrow('no room at all');
});

test('a message and a name that end like what stands before a commit do not end it', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '' });
  await repo.commit('Add invoice\x01', { 'b.ts': '' });
  await repo.commit('\x01', { 'c\x01': '' });
  const head = await repo.commit(`Tell it\n\n${long}\x01`, { 'c\x01': 'x', 'd.ts': '' });
  const { end, given } = await readFrom(repo, { head });
  expect(end).toBe('whole');
  expect(given.flat().map(({ subject }) => subject)).toEqual([
    'Tell it',
    '\x01',
    'Add invoice\x01',
    'Start',
  ]);
  expect(given.flat().map(({ files }) => files)).toEqual([
    ['c\x01', 'd.ts'],
    ['c\x01'],
    ['b.ts'],
    [],
  ]);
});
