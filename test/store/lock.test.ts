import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { lockSession } from '../../src/store/lock.ts';
import { claimSession } from '../../src/store/session-folder.ts';
import { startFixture } from './child.ts';
import { failureOf, newRoot, newSession, someTime } from './room.ts';

async function lockedByChild() {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  const child = startFixture('hold-lock.ts', [root, folder.id]);
  expect((await child.lines.next()).value).toBe('"locked"');
  return { root, folder, child };
}

test('the second process does not wait, and is told the first one’s pid, host and start', async () => {
  const { folder, child } = await lockedByChild();
  const failure = await failureOf(lockSession(folder));
  expect(failure).toEqual({
    reason: 'session-busy',
    session: folder.id,
    pid: child.process.pid,
    host: hostname(),
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

test('a release frees the lock for the next one and leaves nothing but the empty file', async () => {
  const { folder, child } = await lockedByChild();
  child.process.stdin.end();
  expect(await child.ended()).toBe('');
  expect(await folder.list('')).toEqual(['lock.sqlite']);
  expect(await folder.read('lock.sqlite')).toBe('');
  const lock = await lockSession(folder);
  await lock.release();
  await lock.release();
  expect(await folder.list('')).toEqual(['lock.sqlite']);
});

test('a killed owner’s lock is free at once, without a warning or a file of SQLite', async () => {
  const { folder, child } = await lockedByChild();
  child.process.kill('SIGKILL');
  expect(await child.ended()).toBe('');
  expect(await folder.list('')).toEqual(['lock.sqlite', 'owner.json']);
  const lock = await lockSession(folder);
  expect(JSON.parse((await folder.read('owner.json')) ?? '')).toMatchObject({ pid: process.pid });
  await lock.release();
});

test('a stopped owner keeps its lock', async () => {
  const { folder, child } = await lockedByChild();
  child.process.kill('SIGSTOP');
  expect((await failureOf(lockSession(folder))).reason).toBe('session-busy');
});

test('of many at once exactly one gets it', async () => {
  const folder = await newSession();
  for (let round = 0; round < 5; round += 1) {
    const tries = Array.from({ length: 8 }, () => lockSession(folder));
    const ends = await Promise.allSettled(tries);
    const winners = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    expect(winners).toHaveLength(1);
    const losers = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(losers).toMatchObject(losers.map(() => ({ failure: { reason: 'session-busy' } })));
    await winners[0]?.release();
  }
});

test('a second try in the owner’s process does not loosen the lock', async () => {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  const lock = await lockSession(folder);
  expect((await failureOf(lockSession(folder))).reason).toBe('session-busy');
  const child = startFixture('hold-lock.ts', [root, folder.id]);
  expect((await child.lines.next()).value).toContain(`"pid":${process.pid}`);
  await lock.release();
});

test('an owner that is dead, or no name at all, is not named', async () => {
  const { folder, child } = await lockedByChild();
  const dead = startFixture('hold-lock.ts', []);
  await dead.ended();
  const since = '2026-11-21T08:00:00.000Z';
  const gone = JSON.stringify({ pid: dead.process.pid, host: hostname(), since });
  const hostile = JSON.stringify({ pid: 1, host: '\u001b[31m', since });
  for (const owner of [gone, hostile, '{']) {
    await writeFile(folder.absolute('owner.json'), owner);
    const failure = await failureOf(lockSession(folder));
    expect(failure).toMatchObject({ reason: 'session-busy', pid: null, host: null, since: null });
  }
  child.process.stdin.end();
});

test('an owner on another machine is named as it wrote itself', async () => {
  const { folder } = await lockedByChild();
  const owner = { pid: 1, host: 'elsewhere', since: '2026-11-21T08:00:00.000Z' };
  await writeFile(folder.absolute('owner.json'), JSON.stringify(owner));
  expect(await failureOf(lockSession(folder))).toMatchObject(owner);
});

test('a lock file that is damaged, or no file, is named', async () => {
  const [damaged, piped] = [await newSession(), await newSession()];
  await writeFile(damaged.absolute('lock.sqlite'), 'no database '.repeat(100));
  spawnSync('mkfifo', [piped.absolute('lock.sqlite')]);
  for (const [folder, what] of [
    [damaged, 'lock.sqlite is damaged'],
    [piped, 'lock.sqlite is not a regular file'],
  ] as const) {
    expect(await failureOf(lockSession(folder))).toMatchObject({
      reason: 'session-unreadable',
      session: folder.id,
      message: expect.stringContaining(what),
    });
  }
});

test('a lock whose owner cannot be written is given back', async () => {
  const folder = await newSession();
  await mkdir(folder.absolute('owner.json'));
  const path = folder.absolute('owner.json');
  const failure = { reason: 'cannot-write', path, code: 'EISDIR' };
  expect(await failureOf(lockSession(folder))).toEqual(failure);
  await folder.remove('owner.json');
  await (await lockSession(folder)).release();
});
