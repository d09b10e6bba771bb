import { readFile, readdir, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Stopped } from '../../src/model/failure.ts';
import { openJournal, readJournal } from '../../src/store/journal.ts';
import { lockSession } from '../../src/store/lock.ts';
import {
  claimSession,
  listSessionIds,
  openSessionFolder,
  removeSession,
  type SessionFolder,
} from '../../src/store/session-folder.ts';
import { failureOf, newRoot, someTime } from './room.ts';

/** A session whose real folder was moved out, with a link left in its place. */
async function linked(part: (id: string) => string) {
  const [root, outside] = [await newRoot(), await newRoot()];
  const folder = await claimSession({ root, task: 'x', now: someTime });
  await folder.write('rounds/1/answer.json', 'original');
  const path = join(root, part(folder.id));
  await rename(path, join(outside, 'moved'));
  await symlink(join(outside, 'moved'), path);
  return { root, folder, path, outside };
}

const below = (rest: string) => (id: string) => `.workflow/.multi-cli-plan/${id}${rest}`;
const parts = [
  ['.workflow', () => '.workflow'],
  ['the sessions folder', () => '.workflow/.multi-cli-plan'],
  ['the session folder', below('')],
  ['a folder inside', below('/rounds')],
  ['the file itself', below('/rounds/1/answer.json')],
] as const;

test.each(parts)('a link at %s is refused by name', async (_, part) => {
  const { folder, path } = await linked(part);
  const file = 'rounds/1/answer.json';
  const refused = { reason: 'link-refused', path };
  expect(await failureOf(folder.write(file, 'x'))).toEqual(refused);
  expect(await failureOf(folder.read(file))).toEqual(refused);
  expect(await failureOf(folder.remove(file))).toEqual(refused);
  expect(await readFile(folder.absolute(file), 'utf8')).toBe('original');
});

test.each(parts.slice(0, 3))('a link at %s stops all work on the session', async (_, part) => {
  const { root, folder, path, outside } = await linked(part);
  const before = await readdir(join(outside, 'moved'));
  const actions = [
    () => openSessionFolder(root, folder.id),
    () => removeSession(root, folder.id),
    () => openJournal(folder),
    () => readJournal(folder),
    () => lockSession(folder),
  ];
  for (const action of actions) {
    expect(await failureOf(action())).toEqual({ reason: 'link-refused', path });
  }
  expect(await readdir(join(outside, 'moved'))).toEqual(before);
});

test.each(parts.slice(0, 2))('a link at %s stops claiming and listing', async (_, part) => {
  const { root, path } = await linked(part);
  const refused = { reason: 'link-refused', path };
  expect(await failureOf(claimSession({ root, task: 'y', now: someTime }))).toEqual(refused);
  expect(await failureOf(listSessionIds(root))).toEqual(refused);
});

test.each([
  ['journal.jsonl', openJournal],
  ['journal.jsonl', readJournal],
  ['lock.sqlite', lockSession],
  ['owner.json', lockSession],
])('a link at %s is refused', async (name, action: (folder: SessionFolder) => Promise<unknown>) => {
  const [root, outside] = [await newRoot(), await newRoot()];
  const folder = await claimSession({ root, task: 'x', now: someTime });
  const path = folder.absolute(name);
  await symlink(join(outside, 'new'), path);
  expect(await failureOf(action(folder))).toEqual({ reason: 'link-refused', path });
  expect(await readdir(outside)).toEqual([]);
});

test('links above the repository are the user’s own', async () => {
  const [real, outside] = [await newRoot(), await newRoot()];
  const root = join(outside, 'project');
  await symlink(real, root);
  const folder = await claimSession({ root, task: 'x', now: someTime });
  await folder.write('plan.json', '{}');
  expect(await readFile(join(real, folder.relative, 'plan.json'), 'utf8')).toBe('{}');
});

test('a folder that is swapped for a link during the writes never sends one outside', async () => {
  const [root, outside] = [await newRoot(), await newRoot()];
  const folder = await claimSession({ root, task: 'x', now: someTime });
  const aside = join(root, 'aside');
  const swaps = { wanted: true, done: 0 };
  const swapping = (async () => {
    for (; swaps.wanted; swaps.done += 1) {
      await rename(folder.path, aside);
      await symlink(outside, folder.path);
      await unlink(folder.path);
      await rename(aside, folder.path);
    }
  })();
  const ends: string[] = [];
  while (ends.length < 300 || swaps.done < 50)
    ends.push(await endOf(folder.write('rounds/1/answer.json', `${ends.length}`)));
  swaps.wanted = false;
  await swapping;
  expect(ends).toContain('written');
  expect(ends.filter((end) => end !== 'written').length).toBeGreaterThan(0);
  expect(await readdir(outside)).toEqual([]);
});

async function endOf(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return 'written';
  } catch (error) {
    if (error instanceof Stopped) return error.failure.reason;
    throw error;
  }
}
