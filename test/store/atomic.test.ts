import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepTemporary, writeAtomic } from '../../src/store/atomic.ts';
import { failureOf, newRoot } from './room.ts';

const leftOver = '.plan.json.0123456789abcdef.tmp';

test('a file is replaced whole, for its owner only, and nothing else is left', async () => {
  const root = await newRoot();
  const path = join(root, 'plan.json');
  await writeAtomic(path, 'old and longer');
  await writeAtomic(path, new TextEncoder().encode('new'));
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(root)).toEqual(['plan.json']);
});

test('many writers at once leave one whole content', async () => {
  const root = await newRoot();
  const path = join(root, 'state.json');
  const texts = Array.from({ length: 40 }, (_, index) => `${index}`.repeat(5000));
  await Promise.all(texts.map((text) => writeAtomic(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(root)).toEqual(['state.json']);
});

test('a failed write names the path and the errno and leaves no temporary file', async () => {
  const root = await newRoot();
  const path = join(root, 'taken');
  await mkdir(path);
  await writeFile(join(path, 'inside'), '');
  expect(await failureOf(writeAtomic(path, 'x'))).toEqual({
    reason: 'cannot-write',
    path,
    code: 'EISDIR',
  });
  expect(await readdir(root)).toEqual(['taken']);
  const nowhere = join(root, 'missing', 'file');
  const failure = await failureOf(writeAtomic(nowhere, 'x'));
  expect(failure).toEqual({ reason: 'cannot-write', path: nowhere, code: 'ENOENT' });
});

test('the sweep removes temporary files below a folder and nothing else', async () => {
  const root = await newRoot();
  const other = await newRoot();
  await mkdir(join(root, 'rounds', '1'), { recursive: true });
  for (const folder of [root, join(root, 'rounds', '1'), other])
    await writeFile(join(folder, leftOver), '');
  for (const name of ['plan.json', 'a.tmp', '.plan.json.tmp'])
    await writeFile(join(root, name), '');
  await symlink(other, join(root, 'link'));
  expect(await sweepTemporary(root)).toBe(2);
  expect(await readdir(root)).toEqual(['.plan.json.tmp', 'a.tmp', 'link', 'plan.json', 'rounds']);
  expect(await readdir(other)).toEqual([leftOver]);
  expect(await sweepTemporary(join(root, 'missing'))).toBe(0);
});
