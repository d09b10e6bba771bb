import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { racyEntries } from '../../src/git/racy-entries.ts';
import { isAsSeen } from '../../src/git/seen-file.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const second = 1_700_000_000;

function racyIn({ root }: TempRepository, written = second, idBytes = 20) {
  const bytes = readFileSync(join(root, '.git/index'));
  return racyEntries({ bytes, written, idBytes });
}

/** Two files and a link of the second, an older and a younger file. */
async function filled(): Promise<TempRepository> {
  const repo = await tempRepository();
  const files = ['dir/a.ts', 'dir/ä b.ts', 'dir/old.ts', 'younger.ts'];
  await repo.write(Object.fromEntries(files.map((name) => [name, `${name}\n`])));
  symlinkSync('dir/a.ts', join(repo.root, 'link'));
  for (const name of files) {
    const at = second + (name === 'dir/old.ts' ? -1 : 0) + (name === 'younger.ts' ? 5 : 0);
    utimesSync(join(repo.root, name), at, at);
  }
  await repo.commit('Start');
  return repo;
}

test.each([2, 3, 4])(
  'tells the entries that are not older than the index (version %i)',
  async (version) => {
    await using repo = await filled();
    repo.git('update-index', '--force-write-index', '--index-version', String(version));
    // Only with such a flag there is anything of version 3 to be written.
    if (version === 3) repo.git('update-index', '--skip-worktree', 'dir/old.ts');
    expect(readFileSync(join(repo.root, '.git/index')).readUInt32BE(4)).toBe(version);
    const id = (path: string): string => `blob ${repo.git('rev-parse', `HEAD:${path}`)}`;
    const entry = { link: false, changed: second, seen: null };
    const entries = racyIn(repo);
    expect(entries?.find(({ path }) => path === 'link')).toMatchObject({
      mark: id('link'),
      link: true,
    });
    expect(entries?.filter(({ path }) => path !== 'link')).toEqual([
      { ...entry, path: 'dir/a.ts', mark: id('dir/a.ts') },
      { ...entry, path: 'dir/ä b.ts', mark: id('dir/ä b.ts') },
      { ...entry, path: 'younger.ts', mark: id('younger.ts'), changed: second + 5 },
    ]);
    expect(racyIn(repo, 4_000_000_000)).toEqual([]);
  },
);

test('tells what git saw of a file, unless a change soon after may look the same', async () => {
  await using repo = await filled();
  const { ctimeMs, mtimeMs, ino, size } = statSync(join(repo.root, 'dir/a.ts'));
  const seenAt = (written: number) => {
    const soon = racyIn(repo, written)?.find(({ path }) => path === 'dir/a.ts');
    return soon?.seen;
  };
  // Of this second in the index, as time has gone on since.
  const bytes = readFileSync(join(repo.root, '.git/index'));
  const at = bytes.indexOf('dir/a.ts') - 62;
  expect(seenAt(second)).toBeNull();
  bytes.writeUInt32BE(4_000_000_000, at + 8);
  writeFileSync(join(repo.root, '.git/index'), bytes);
  const seen = seenAt(4_000_000_000);
  const inode = ino % 2 ** 32;
  expect(seen).toEqual({ changedMs: ctimeMs, modifiedMs: 4_000_000_000_000, inode, size });
  const right = { changedMs: ctimeMs, modifiedMs: mtimeMs, inode, size };
  expect(isAsSeen(join(repo.root, 'dir/a.ts'), right)).toBe(true);
  for (const wrong of ['changedMs', 'modifiedMs', 'inode', 'size'] as const) {
    const other = { ...right, [wrong]: right[wrong] + 1 };
    expect(isAsSeen(join(repo.root, 'dir/a.ts'), other), wrong).toBe(false);
  }
  expect(isAsSeen(join(repo.root, 'none.ts'), right)).toBe(false);
  bytes.writeUInt32BE(0, at + 4);
  writeFileSync(join(repo.root, '.git/index'), bytes);
  expect(seenAt(4_000_000_000)).toBeNull();
});

test('reads the longer ids of a repository with sha256', async () => {
  await using repo = await tempRepository('plain');
  execFileSync('git', ['init', '-q', '--object-format=sha256', repo.root]);
  await repo.commit('Start', { 'a.ts': 'a\n' });
  const mark = `blob ${repo.git('rev-parse', 'HEAD:a.ts')}`;
  expect(racyIn(repo, second, 32)).toMatchObject([{ path: 'a.ts', mark }]);
  expect(racyIn(repo)).toBeNull();
});

test.each([2, 4])(
  'steps over long names, conflicts and submodules (version %i)',
  async (version) => {
    await using repo = await filled();
    const id = repo.git('rev-parse', 'HEAD:dir/a.ts');
    const long = 'l'.repeat(200).concat('/').repeat(24).concat('x');
    repo.git('update-index', '--index-version', String(version));
    repo.git('update-index', '--add', '--cacheinfo', `100644,${id},${long}`);
    repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},sub`);
    const conflict = [1, 2, 3].map((stage) => `100644 ${id} ${stage}\tconflict.ts\n`).join('');
    execFileSync('git', ['-C', repo.root, 'update-index', '--index-info'], { input: conflict });
    expect(long.length).toBeGreaterThan(4095);
    const names = racyIn(repo)?.map(({ path }) => path);
    expect(names).toEqual(['dir/a.ts', 'dir/ä b.ts', 'link', 'younger.ts']);
    const all = ['dir/a.ts', 'dir/old.ts', 'dir/ä b.ts', 'link', long, 'younger.ts'];
    expect(racyIn(repo, 0)?.map(({ path }) => path)).toEqual(all);
  },
);

test('cannot tell of an index that has more than names, ids and times', async () => {
  await using cached = await filled();
  cached.git('update-index', '--force-untracked-cache');
  expect(racyIn(cached)).toBeNull();
  await using split = await filled();
  split.git('update-index', '--split-index');
  expect(racyIn(split)).toBeNull();
  await using sparse = await filled();
  sparse.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'none');
  expect(racyIn(sparse)).toBeNull();
});

test('cannot tell of a name that is not UTF-8, unless it is of an older file', async () => {
  await using repo = await filled();
  const id = repo.git('rev-parse', 'HEAD:dir/a.ts');
  const input = Buffer.from(`100644 ${id} 0\tcaf\xe9\n`, 'latin1');
  execFileSync('git', ['-C', repo.root, 'update-index', '--index-info'], { input });
  expect(racyIn(repo)).toHaveLength(4);
  expect(racyIn(repo, 0)).toBeNull();
});

test.each([2, 4])('cannot tell of an index that is cut anywhere (version %i)', async (version) => {
  await using repo = await filled();
  repo.git('update-index', '--force-write-index', '--index-version', String(version));
  const whole = readFileSync(join(repo.root, '.git/index'));
  const told = Array.from({ length: whole.length }, (_, end) =>
    racyEntries({ bytes: whole.subarray(0, end), written: 0, idBytes: 20 }),
  );
  // Without its last part, which is trees that are known, it is whole but for its checksum.
  const few = told.filter((entries) => entries !== null);
  expect(few.length).toBeLessThanOrEqual(1);
  for (const entries of few) expect(entries).toHaveLength(5);
  expect(racyIn(repo, 0)).toHaveLength(5);
});
