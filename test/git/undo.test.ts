import { mkdtemp, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUndoTrees, type UndoTrees } from '../../src/git/undo.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();

async function openUndo({ root }: TempRepository): Promise<UndoTrees> {
  const folder = await mkdtemp(join(tmpdir(), 'undo-'));
  const trees = await openUndoTrees({ root, folder, signal });
  if (trees === null) throw new Error('there is no repository');
  return trees;
}

test('folders and links that took each other’s place are brought back', async () => {
  await using repo = await tempRepository();
  await repo.write({ lib: 'file\n', 'd/x.txt': 'x\n' });
  await symlink('d', join(repo.root, 'link'));
  await repo.commit('start');
  const trees = await openUndo(repo);
  const before = await trees.keep(await trees.see(), { name: 'one', message: 'one' });
  for (const path of ['lib', 'link', 'd']) await rm(join(repo.root, path), { recursive: true });
  await repo.write({ 'lib/a.txt': 'a\n', 'link/x.txt': 'l\n', d: 'file\n' });
  const { left } = await trees.restore({ before, after: await trees.tree() });
  expect(left).toEqual([]);
  expect(await readlink(join(repo.root, 'link'))).toBe('d');
  expect(await readFile(join(repo.root, 'd/x.txt'), 'utf8')).toBe('x\n');
  expect(await readFile(join(repo.root, 'lib'), 'utf8')).toBe('file\n');
});

test('a change of the same length at the time of the index is seen, and told without colours', async () => {
  await using repo = await tempRepository();
  repo.git('config', 'core.trustctime', 'false');
  repo.git('config', 'color.ui', 'always');
  const [file, then] = [join(repo.root, 'a.txt'), new Date('2020-01-01')];
  const write = async (text: string) => {
    await writeFile(file, text);
    await utimes(file, then, then);
  };
  await write('one\n');
  await repo.commit('start');
  await utimes(join(repo.root, '.git/index'), then, then);
  const trees = await openUndo(repo);
  const before = await trees.tree();
  await write('two\n');
  const { files, stat } = await trees.compare({ before, after: await trees.tree() });
  expect(files).toEqual(['a.txt']);
  expect(stat).toMatch(/^ a\.txt \| 2 \+-\n/);
});
