import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimSession, openSessionFolder } from '../../src/store/session-folder.ts';
import { openStaging, stagingOf } from '../../src/store/staging.ts';
import { newRoot, newSession, someTime } from './room.ts';

async function room() {
  const session = await newSession();
  const path = join(await newRoot(), 'running/x');
  const apart = await openStaging(session, path);
  if (apart === null) throw new Error('there is a place for it');
  return { session, path, apart };
}

test('what is written apart is not in the session folder until it is moved in', async () => {
  const { session, path, apart } = await room();
  await apart.folder.writeJson('rounds/1/agents/codex/answer.json', { a: 1 });
  expect(apart.folder).toMatchObject({ id: session.id, relative: session.relative });
  expect(await session.list('')).toEqual(['staging.json']);
  await apart.moveIn();
  expect(await session.read('rounds/1/agents/codex/answer.json')).toContain('"a": 1');
  await apart.moveIn();
  await apart.close();
  await expect(readdir(path)).rejects.toThrow('ENOENT');
});

test('files of an earlier try are replaced, and others stay', async () => {
  const { session, apart } = await room();
  await session.write('rounds/1/agents/codex/answer.json', 'old');
  await session.write('rounds/1/agents/gemini/answer.json', 'theirs');
  await apart.folder.write('rounds/1/agents/codex/answer.json', 'new');
  await apart.moveIn();
  expect(await session.read('rounds/1/agents/codex/answer.json')).toBe('new');
  expect(await session.read('rounds/1/agents/gemini/answer.json')).toBe('theirs');
});

test('there is no such place inside the repository, or where it cannot be made', async () => {
  const session = await newSession();
  await session.write('journal.jsonl', '');
  const root = session.path.split('/.workflow')[0] ?? '';
  expect(await openStaging(session, join(root, 'home/.local/share/conclave/x'))).toBeNull();
  expect(await openStaging(session, join(session.path, 'journal.jsonl', 'x'))).toBeNull();
});

/** Stages an answer as a process does that is killed then. */
async function staged() {
  const root = await newRoot();
  const repo = join(root, 'repo');
  await mkdir(repo);
  const session = await claimSession({ root: repo, task: 'Add a cache', now: someTime });
  const place = join(root, 'data/conclave/running/one');
  const staging = await openStaging(session, place);
  await staging?.folder.write('rounds/1/agents/a/answer.json', '{}');
  return { root, repo, session, place };
}

describe('answers of a killed round', () => {
  test('are found after the repository was moved, and nothing is left at the old place', async () => {
    const { root, repo, session, place } = await staged();
    await rename(repo, join(root, 'moved'));
    const moved = await openSessionFolder(join(root, 'moved'), session.id);
    const other = join(root, 'data/conclave/running/two');
    const staging = await openStaging(moved, other);
    await staging?.moveIn();
    await staging?.close();
    expect(await moved.read('rounds/1/agents/a/answer.json')).toBe('{}');
    expect([existsSync(place), existsSync(other)]).toEqual([false, false]);
    expect(await moved.list('.')).toEqual(['rounds']);
  });

  test('are found with another data folder', async () => {
    const { root, session, place } = await staged();
    const staging = await openStaging(session, join(root, 'elsewhere/conclave/running/one'));
    await staging?.moveIn();
    await staging?.close();
    expect(await session.read('rounds/1/agents/a/answer.json')).toBe('{}');
    expect(existsSync(place)).toBe(false);
  });

  test('stay with their session, where a copy of that goes on', async () => {
    const { root, repo, session, place } = await staged();
    await cp(repo, join(root, 'copy'), { recursive: true });
    const copy = await openSessionFolder(join(root, 'copy'), session.id);
    const staging = await openStaging(copy, join(root, 'data/conclave/running/two'));
    await staging?.moveIn();
    expect(await copy.read('rounds/1/agents/a/answer.json')).toBeNull();
    expect(existsSync(join(place, 'rounds/1/agents/a/answer.json'))).toBe(true);
  });

  test('are not looked for in a folder that no session of ours made', async () => {
    const { root, session } = await staged();
    const foreign = join(root, 'running/x');
    await mkdir(join(foreign, 'rounds'), { recursive: true });
    await session.writeJson('staging.json', { path: foreign });
    expect(await stagingOf(session)).toBeNull();
    await openStaging(session, join(root, 'data/conclave/running/two'));
    expect(existsSync(join(foreign, 'rounds'))).toBe(true);
  });
});
