import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaging } from '../../src/store/staging.ts';
import { newRoot, newSession } from './room.ts';

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
  expect(await session.list('')).toEqual([]);
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
