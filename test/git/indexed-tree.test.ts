import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexedTree } from '../../src/git/indexed-tree.ts';
import { treeEntries } from '../../src/git/commit-tree.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();

function inIndex(repo: TempRepository, prefix = '') {
  const bytes = readFileSync(join(repo.root, '.git/index'));
  return indexedTree(
    { bytes, idBytes: 20 },
    { tree: repo.git('rev-parse', 'HEAD^{tree}'), prefix },
  );
}

function asListed({ root }: TempRepository, prefix = '') {
  return treeEntries({ root: join(root, prefix), signal }, 'HEAD');
}

/** Files whose order by bytes is not that by letters, names that no JSON can hold, and a link. */
async function filled(): Promise<TempRepository> {
  const repo = await tempRepository();
  const names = ['a.ts', 'a/b.ts', 'a-b.ts', 'dir/Z.ts', 'dir/ä b.ts', 'dir/\u{1f600}.ts', 'ｚ.ts'];
  await repo.write(Object.fromEntries([...names, '.workflow/x'].map((name) => [name, name])));
  symlinkSync('a.ts', join(repo.root, 'dir/link'));
  writeFileSync(Buffer.from(`${repo.root}/dir/\xff.ts`, 'latin1'), '');
  await repo.commit('Start');
  return repo;
}

test.each([2, 4])('git’s index has what git lists of the commit (version %i)', async (version) => {
  await using repo = await filled();
  repo.git('update-index', '--force-write-index', '--index-version', String(version));
  expect(inIndex(repo)?.files).toHaveLength(8);
  expect(inIndex(repo)).toEqual(await asListed(repo));
  expect(inIndex(repo, 'dir/')?.files).toHaveLength(4);
  expect(inIndex(repo, 'dir/')).toEqual(await asListed(repo, 'dir/'));
});

test('a submodule is told with its commit', async () => {
  await using inner = await tempRepository();
  await using repo = await filled();
  const commit = await inner.commit('Inner', { 'a.ts': 'a\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.root, 'sub');
  await repo.commit('Add a submodule');
  expect(inIndex(repo)?.submodules).toEqual([{ path: 'sub', commit }]);
  expect(inIndex(repo)).toEqual(await asListed(repo));
});

test('changes of the work tree are none of the index', async () => {
  await using repo = await filled();
  await repo.write({ 'a.ts': 'changed\n', 'new.ts': 'new\n' });
  await repo.remove('a/b.ts');
  expect(inIndex(repo)).toEqual(await asListed(repo));
});

const deeds: readonly (readonly [string, (repo: TempRepository) => void])[] = [
  ['a change is staged', (repo) => void repo.git('rm', '-q', '--cached', 'a.ts')],
  ['a file is to be added', (repo) => void repo.git('add', '--intent-to-add', 'new.ts')],
  ['only HEAD is at another commit', (repo) => void repo.git('reset', '-q', '--soft', 'HEAD~')],
  [
    'both sides of a merge are open',
    (repo) => {
      repo.git('checkout', '-q', 'HEAD~', '-b', 'other');
      repo.git('rm', '-q', 'a.ts');
      repo.git('commit', '-qm', 'Remove');
      expect(() => repo.git('merge', '-q', 'main')).toThrow('merge');
    },
  ],
];

test.each(deeds)('git is asked where %s', async (_, deed) => {
  await using repo = await filled();
  await repo.commit('Change', { 'a.ts': 'changed\n' });
  expect(inIndex(repo)).not.toBeNull();
  await repo.write({ 'new.ts': 'new\n' });
  deed(repo);
  expect(inIndex(repo)).toBeNull();
});

test('git is asked where folders are left out of the index, or it ends too soon', async () => {
  await using repo = await filled();
  const bytes = readFileSync(join(repo.root, '.git/index'));
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  for (const end of [0, 11, 40, 100, bytes.length - 40]) {
    expect(
      indexedTree({ bytes: bytes.subarray(0, end), idBytes: 20 }, { tree, prefix: '' }),
    ).toBeNull();
  }
  repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
  expect(readFileSync(join(repo.root, '.git/index')).includes('sdir')).toBe(true);
  expect(inIndex(repo)).toBeNull();
});
