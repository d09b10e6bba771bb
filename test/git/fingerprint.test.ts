import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compareFingerprints } from '../../src/git/fingerprint.ts';
import type { Repository } from '../../src/git/repository.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();

/** What is seen to have changed over `act`. */
async function changesOver(
  repository: Repository,
  act: () => Promise<unknown> | string,
): Promise<readonly string[]> {
  const before = await repository.fingerprint(signal);
  await act();
  return compareFingerprints(before, await repository.fingerprint(signal));
}

async function filled(kind: 'git' | 'plain'): Promise<TempRepository> {
  const repo = await tempRepository(kind);
  const files = { 'a.ts': 'a', 'b/c.ts': 'c', 'd.ts': 'd' };
  if (kind === 'git') await repo.commit('start', files);
  else await repo.write(files);
  return repo;
}

test.each(['git', 'plain'] as const)(
  'a change, a new file and a deletion are seen (%s)',
  async (kind) => {
    await using repo = await filled(kind);
    const repository = await repo.open();
    expect(await changesOver(repository, async () => undefined)).toEqual([]);
    const seen = await changesOver(repository, async () => {
      await repo.write({ 'a.ts': 'A', 'new/é.ts': 'n' });
      await repo.remove('d.ts');
    });
    expect(seen).toEqual(['a.ts', 'd.ts', 'new/é.ts']);
    expect(await changesOver(repository, () => repo.write({ 'a.ts': 'B' }))).toEqual(['a.ts']);
    expect(await changesOver(repository, () => repo.write({ '.workflow/x': '1' }))).toEqual([]);
  },
);

test('a commit, a branch, a stash, settings and a hook are seen', async () => {
  await using repo = await filled('git');
  const repository = await repo.open();
  const seen = (act: () => Promise<unknown> | string) => changesOver(repository, act);
  const heads = '.git/refs/heads';
  expect(await seen(() => repo.commit('more', { 'a.ts': '2' }))).toEqual([
    '.git/HEAD',
    `${heads}/main`,
  ]);
  expect(await seen(() => repo.git('branch', 'feature/x'))).toEqual([`${heads}/feature/x`]);
  expect(await seen(() => repo.git('config', 'core.pager', 'cat'))).toEqual(['.git/config']);
  const hook = '.git/hooks/pre-commit';
  expect(await seen(() => repo.write({ [hook]: '#!/bin/sh\n' }))).toEqual([hook]);
  await repo.write({ 'a.ts': '3' });
  expect(await seen(() => repo.git('stash', '-q'))).toEqual(['.git/refs/stash', 'a.ts']);
});

test('staging, packing references, tags and remote branches are no change', async () => {
  await using repo = await filled('git');
  await repo.write({ 'a.ts': '2' });
  const repository = await repo.open();
  const seen = await changesOver(repository, async () => {
    repo.git('add', '-A');
    repo.git('tag', 'v1');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.git('pack-refs', '--all');
  });
  expect(seen).toEqual([]);
});

test('branches that are kept in tables are seen, and those of an execution are no change', async () => {
  await using repo = await filled('git');
  const repository = await repo.open();
  await repo.write({ '.git/reftable/tables.list': 'one\n' });
  const written = (branch: string) =>
    changesOver(repository, async () => {
      repo.git('branch', branch);
      repo.git('pack-refs', '--all');
      await repo.write({ '.git/reftable/tables.list': `${branch}\n` });
    });
  expect(await written('conclave/S')).toEqual([]);
  expect(await written('feature/x')).toEqual(['.git/refs/heads/feature/x']);
});

test('a write to a file whose name is not UTF-8 is seen', async () => {
  await using repo = await filled('git');
  const repository = await repo.open();
  const odd = Buffer.concat([Buffer.from(`${repo.root}/caf`), Buffer.from([0xe9])]);
  expect(await changesOver(repository, () => writeFile(odd, '1'))).toEqual(['caf\\xE9']);
  expect(await changesOver(repository, () => writeFile(odd, '22'))).toEqual(['caf\\xE9']);
});

test('a linked work tree is watched with its own HEAD', async () => {
  await using repo = await filled('git');
  await using other = await tempRepository('plain');
  repo.git('worktree', 'add', '-q', '-b', 'side', `${other.root}/tree`);
  const { openRepository } = await import('../../src/git/open-repository.ts');
  const root = `${other.root}/tree`;
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  expect(
    await changesOver(repository, () => repo.git('-C', root, 'checkout', '-q', '--detach')),
  ).toEqual(['.git/HEAD']);
});

test('what git did not show before is seen: an empty folder filled, a file put back, a new folder', async () => {
  await using repo = await filled('git');
  await repo.write({ 'empty/gone': '' });
  await repo.remove('empty/gone');
  const repository = await repo.open();
  const seen = (act: () => Promise<unknown>) => changesOver(repository, act);
  expect(await seen(async () => undefined)).toEqual([]);
  expect(await seen(() => repo.write({ 'empty/x': '1' }))).toEqual(['empty/x']);
  expect(await seen(() => repo.write({ 'new/deep/y': '1' }))).toEqual(['new/deep/y']);
  expect(await seen(() => repo.remove('a.ts'))).toEqual(['a.ts']);
  expect(await seen(() => repo.write({ 'new/deep/z': '2' }))).toEqual(['new/deep/z']);
});

test('rules of what is ignored and converted are seen where only git looks at them', async () => {
  await using repo = await filled('git');
  const repository = await repo.open();
  for (const name of ['exclude', 'attributes']) {
    const path = `.git/info/${name}`;
    expect(await changesOver(repository, () => repo.write({ [path]: '*.env\n' }))).toEqual([path]);
  }
});
