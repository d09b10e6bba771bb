import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, makeFolderNow } from '../../src/store/make-folder.ts';
import { newRoot } from './room.ts';

const ways = [
  ['later', makeFolder],
  ['at once', async (path: string) => makeFolderNow(path)],
] as const;

test.each(ways)('a folder is made with those above it, once or again, %s', async (_, make) => {
  const root = await newRoot();
  const path = join(root, 'a/b/c');
  await Promise.all([make(path), make(path), make(join(root, 'a/b/d'))]);
  await make(path);
  expect((await stat(path)).isDirectory()).toBe(true);
  mkdirSync(join(root, 'real'));
  symlinkSync('real', join(root, 'link'));
  await make(join(root, 'link/below'));
  expect((await stat(join(root, 'real/below'))).isDirectory()).toBe(true);
});

test.each(ways)(
  'what the system refuses in the middle ends with its reason, %s',
  async (_, make) => {
    const root = await newRoot();
    writeFileSync(join(root, 'file'), '');
    symlinkSync('nowhere', join(root, 'loose'));
    const refused = {
      '/proc/none/a/b': 'ENOENT',
      'file/a/b': 'ENOTDIR',
      file: 'EEXIST',
      loose: 'EEXIST',
    };
    for (const [path, code] of Object.entries(refused))
      await expect(make(path.startsWith('/') ? path : join(root, path))).rejects.toMatchObject({
        code,
      });
  },
);

test('folders beside each other are made at once, though nothing of the way is there', async () => {
  const root = await newRoot();
  for (let round = 0; round < 100; round += 1) {
    const names = Array.from({ length: 20 }, (_, n) => join(root, `${round}/a/b/${n}`));
    await expect(Promise.all(names.map((name) => makeFolder(name)))).resolves.toHaveLength(20);
  }
});
