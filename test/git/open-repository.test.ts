import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findChanges } from '../../src/git/base.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { Base } from '../../src/model/context.ts';
import { Stopped } from '../../src/model/failure.ts';
import { memorySnapshots, tempRepository } from './temp-repository.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the base names the commit and every uncommitted file with the hash of its content', async () => {
  await using repo = await tempRepository();
  const files = { 'a.ts': 'a', 'b.ts': 'b', 'gone.ts': 'g', 'ok.ts': 'ok' };
  const commit = await repo.commit('start', { '.gitignore': 'secret\n', ...files });
  await repo.write({ 'a.ts': 'a2', 'b.ts': 'b2', 'new/u.ts': 'u', secret: 'x' });
  await repo.write({ '.workflow/s.json': '{}' });
  repo.git('add', 'b.ts');
  await repo.remove('gone.ts');
  const { base, git } = await repo.open();
  expect(git).toBe(true);
  const changed = { 'a.ts': sha256('a2'), 'b.ts': sha256('b2'), 'new/u.ts': sha256('u') };
  expect(Base.parse(base)).toEqual({ commit, dirty: { ...changed, 'gone.ts': 'deleted' } });
});

test('the files are those of the base: committed and uncommitted ones without the deleted', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a', 'gone.ts': 'g', 'ä/ö x.ts': 'o' });
  await repo.write({ 'u.ts': 'u', '.workflow/x': '1' });
  await repo.remove('gone.ts');
  const repository = await repo.open();
  await repo.write({ 'later.ts': 'l' });
  expect(await repository.files()).toEqual(['a.ts', 'u.ts', 'ä/ö x.ts']);
  expect(await repository.exists('gone.ts')).toBe(false);
  expect(await repository.exists('later.ts')).toBe(false);
  expect(await repository.exists('ä/ö x.ts')).toBe(true);
});

test('what changed after the base was taken still reads as the base, also when a session goes on', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'clean.ts': 'clean', 'dirty.ts': 'old', 'removed.ts': 'removed' });
  await repo.write({ 'dirty.ts': 'dirty', 'untracked.ts': 'untracked' });
  const snapshots = memorySnapshots();
  const first = await repo.open(null, snapshots);
  await repo.write({ 'clean.ts': 'X', 'dirty.ts': 'X', 'untracked.ts': 'X' });
  await repo.remove('removed.ts');
  await repo.commit('a later commit', { 'clean.ts': 'Y' });
  const resumed = await repo.open(first.base, snapshots);
  for (const repository of [first, resumed]) {
    expect(await repository.read('clean.ts')).toBe('clean');
    expect(await repository.read('dirty.ts')).toBe('dirty');
    expect(await repository.read('untracked.ts')).toBe('untracked');
    expect(await repository.read('removed.ts')).toBe('removed');
  }
  expect(resumed.base).toEqual(first.base);
});

test('a changed uncommitted file without a snapshot, or with a forged one, reads as nothing', async () => {
  await using repo = await tempRepository();
  await repo.commit('start');
  await repo.write({ 'u.ts': 'then' });
  const { base } = await repo.open();
  expect(await (await repo.open(base)).read('u.ts')).toBe('then');
  await repo.write({ 'u.ts': 'now' });
  expect(await (await repo.open(base)).read('u.ts')).toBeNull();
  const forged = { save: async () => undefined, load: async () => Buffer.from('forged') };
  expect(await (await repo.open(base, forged)).read('u.ts')).toBeNull();
});

test('only text is kept; a binary file is only hashed', async () => {
  await using repo = await tempRepository();
  await repo.write({ 'bin.dat': Buffer.from([1, 0, 2]), 'small.txt': 's' });
  const snapshots = memorySnapshots();
  const repository = await repo.open(null, snapshots);
  expect([...snapshots.kept.keys()]).toEqual([sha256('s')]);
  expect(await repository.read('bin.dat')).toBeNull();
  expect(await repository.exists('bin.dat')).toBe(true);
});

test('uncommitted files of more than 1 MB are told by place and times, and hold nothing up', async () => {
  await using repo = await tempRepository();
  const large = 'x'.repeat(1024 * 1024 + 1);
  await repo.write({ 'huge.bin': '', 'large.txt': large, 'small.txt': 's' });
  await truncate(join(repo.root, 'huge.bin'), 2 ** 40);
  const repository = await repo.open();
  const stat = expect.stringMatching(/^stat /);
  const dirty = { 'huge.bin': stat, 'large.txt': stat, 'small.txt': sha256('s') };
  expect(repository.base.dirty).toEqual(dirty);
  expect(await repository.read('large.txt')).toBe(large);
  const later = await repo.open(repository.base);
  expect(await later.exists('huge.bin')).toBe(true);
  expect(await later.read('huge.bin')).toBeNull();
  await repo.write({ 'huge.bin': 'small by now' });
  expect(await later.read('huge.bin')).toBeNull();
});

test('a repository without a commit has only uncommitted files, or none', async () => {
  await using repo = await tempRepository();
  const empty = await repo.open();
  expect(empty).toMatchObject({ git: true, base: { commit: null, dirty: {} } });
  expect(await empty.files()).toEqual([]);
  await repo.write({ 'a.ts': 'a' });
  const repository = await repo.open();
  expect(repository.base).toEqual({ commit: null, dirty: { 'a.ts': sha256('a') } });
  expect(await repository.files()).toEqual(['a.ts']);
  expect(await repository.read('a.ts')).toBe('a');
});

test('a folder inside a repository sees only itself, with paths of its own', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'top.ts': 't', 'app/src/a.ts': 'a', 'app/b.ts': 'b' });
  await repo.write({ 'app/b.ts': 'b2', 'app/new.ts': 'n', 'top.ts': 't2' });
  const signal = new AbortController().signal;
  const root = join(repo.root, 'app');
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  expect(repository.base.dirty).toEqual({ 'b.ts': sha256('b2'), 'new.ts': sha256('n') });
  expect(await repository.files()).toEqual(['b.ts', 'new.ts', 'src/a.ts']);
  expect(await repository.read('src/a.ts')).toBe('a');
  expect(await repository.read('../top.ts')).toBeNull();
});

test('a folder that the repository around it ignores is read without git', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { '.gitignore': 'lab/\n' });
  await repo.write({ 'lab/x.ts': 'x' });
  const signal = new AbortController().signal;
  const root = join(repo.root, 'lab');
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  expect(repository).toMatchObject({ git: false, base: { commit: null, dirty: {} } });
  expect(await repository.files()).toEqual(['x.ts']);
});

test('without git the files are walked, built and hidden folders left out', async () => {
  await using repo = await tempRepository('plain');
  const skipped = 'node_modules dist build target .venv vendor .hidden .workflow'.split(' ');
  await repo.write({ 'src/a.ts': 'a', '.editorconfig': 'e' });
  await repo.write(Object.fromEntries(skipped.map((folder) => [`${folder}/x.js`, 'x'])));
  const repository = await repo.open();
  expect(repository).toMatchObject({ git: false, base: { commit: null, dirty: {} } });
  expect(await repository.files()).toEqual(['.editorconfig', 'src/a.ts']);
  expect(await repository.read('src/a.ts')).toBe('a');
  expect(await repository.exists('src')).toBe(false);
  expect(await repository.exists('nope')).toBe(false);
});

test.each(['git', 'plain'] as const)('no path leads out of the root (%s)', async (kind) => {
  await using repo = await tempRepository(kind);
  const outside = `${repo.root}-outside`;
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await repo.write({ 'in/real.txt': 'real' });
  await symlink(join(outside, 'secret.txt'), join(repo.root, 'out.txt'));
  await symlink(outside, join(repo.root, 'out'));
  await symlink('in/real.txt', join(repo.root, 'alias.txt'));
  await symlink('loop-b', join(repo.root, 'loop-a'));
  await symlink('loop-a', join(repo.root, 'loop-b'));
  try {
    const uncommitted = await repo.open();
    if (kind === 'git') await repo.commit('start');
    for (const repository of [uncommitted, await repo.open()]) {
      const bad =
        'out.txt out/secret.txt loop-a /etc/passwd ../x in/../in/real.txt . .git/HEAD C:\\x';
      for (const path of [...bad.split(' '), `${repo.root}/in/real.txt`, '', 'a\0b']) {
        const found = [await repository.read(path), await repository.exists(path)];
        expect([path, ...found]).toEqual([path, null, false]);
      }
      expect(await repository.read('alias.txt')).toBe('real');
      expect(await repository.read('./in//real.txt')).toBe('real');
      expect(await repository.files()).toContain('in/real.txt');
      expect(await repository.files()).not.toContain('out.txt');
    }
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('a folder that became a link out of the root after the base is not followed', async () => {
  await using repo = await tempRepository();
  const outside = `${repo.root}-outside`;
  await repo.commit('start', { 'dir/a.txt': 'inside' });
  const repository = await repo.open();
  await mkdir(outside);
  try {
    await writeFile(join(outside, 'a.txt'), 'outside');
    await rm(join(repo.root, 'dir'), { recursive: true });
    await symlink(outside, join(repo.root, 'dir'));
    expect(await repository.read('dir/a.txt')).toBe('inside');
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('a name that is not UTF-8 or holds a line break stops nothing', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a', 'two\nlines.ts': 'two' });
  await writeFile(Buffer.concat([Buffer.from(`${repo.root}/caf`), Buffer.from([0xe9])]), 'x');
  await repo.write({ 'with\ttab.ts': 'tab' });
  const repository = await repo.open();
  expect(await repository.files()).toEqual(['a.ts', 'two\nlines.ts', 'with\ttab.ts']);
  expect(await repository.read('two\nlines.ts')).toBe('two');
  await repo.commit('the odd name too');
  expect(await (await repo.open()).files()).toEqual(['a.ts', 'two\nlines.ts', 'with\ttab.ts']);
});

test('a repository inside the repository is neither read nor hashed', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a' });
  await repo.write({ 'nested/b.ts': 'b' });
  repo.git('-C', 'nested', 'init', '-q');
  repo.git('-C', 'nested', 'add', '.');
  repo.git('-C', 'nested', 'commit', '-qm', 'inner');
  const repository = await repo.open();
  expect(repository.base.dirty).toEqual({});
  expect(await repository.files()).toEqual(['a.ts']);
});

test('a session whose commit is gone ends with a sentence, not with wrong contents', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a' });
  const gone = { commit: '0123456789012345678901234567890123456789', dirty: {} };
  await expect(repo.open(gone)).rejects.toThrow(/0123456789.* is no longer in this repository/);
  await using plain = await tempRepository('plain');
  await expect(plain.open(gone)).rejects.toBeInstanceOf(Stopped);
});

test('a root that is no folder, and a repository that git cannot read, say so', async () => {
  const signal = new AbortController().signal;
  const root = join(tmpdir(), 'conclave-no-such-folder');
  await expect(openRepository({ root, base: null, snapshots: null, signal })).rejects.toThrow(
    /no folder/,
  );
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a' });
  await repo.write({ '.git/index': 'damaged' });
  await expect(repo.open()).rejects.toThrow(/git cannot read .*repair/);
});

test('a repository that git refuses is never read as if there were no git', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a', 'part/b.ts': 'b' });
  await using away = await tempRepository('plain');
  const refusals: readonly (readonly [Record<string, string>, RegExp])[] = [
    [
      { '.git/config': `[core]\nrepositoryformatversion = 0\nworktree = ${away.root}\n` },
      /a repository at .*, but no work tree; run/,
    ],
    [{ '.git/config': '[core]\nrepositoryformatversion = 99\n' }, /found 99; repair the repo/],
    [{ '.git/config': '[broken\n' }, /bad config line 1 in file .*config; repair the repository/],
  ];
  for (const [files, said] of refusals) {
    await repo.write(files);
    await expect(repo.open()).rejects.toThrow(said);
  }
  await away.write({ '.git': 'gitdir: /no/such/folder', 'a.ts': 'a' });
  await expect(away.open()).rejects.toThrow(/not a git repository: .no.such.folder; repair/);
  await rm(join(away.root, '.git'));
  expect(await (await away.open()).files()).toEqual(['a.ts']);
});

test('a missing git is told where there is a repository, and no loss where there is none', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'part/b.ts': 'b' });
  await using plain = await tempRepository('plain');
  await plain.write({ 'a.ts': 'a' });
  vi.stubEnv('PATH', join(plain.root, 'no-programs'));
  try {
    await expect(repo.open()).rejects.toThrow(/in a git repository, but git is not installed/);
    expect(await (await plain.open()).files()).toEqual(['a.ts']);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('opening and reading write nothing into .git and start no program that its settings name', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': 'a' });
  // The index knows the file by another time, so that a look at it would note the new one.
  await utimes(join(repo.root, 'a.ts'), 1_000, 1_000);
  const ran = join(repo.root, 'ran');
  await repo.write({ 'monitor.sh': `#!/bin/sh\ntouch ${ran}\n` });
  await chmod(join(repo.root, 'monitor.sh'), 0o755);
  repo.git('config', 'core.fsmonitor', join(repo.root, 'monitor.sh'));
  const before = repo.git('-c', 'core.fsmonitor=false', 'hash-object', '.git/index');
  await rm(ran, { force: true });
  const repository = await repo.open();
  await repository.read('a.ts');
  const { signal } = new AbortController();
  await repository.fingerprint(signal);
  await findChanges(repository, signal);
  expect(repo.git('-c', 'core.fsmonitor=false', 'hash-object', '.git/index')).toBe(before);
  expect(await repository.exists('ran')).toBe(false);
  expect(Object.keys(repository.base.dirty)).toEqual(['monitor.sh']);
});

test('an aborted signal stops the opening', async () => {
  await using repo = await tempRepository();
  const signal = AbortSignal.abort(new Error('stop'));
  const opening = openRepository({ root: repo.root, base: null, snapshots: null, signal });
  await expect(opening).rejects.toThrow('stop');
});

test('the past is read once: the latest commits first, without merges and deleted files', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '1', 'gone.ts': '1' });
  await repo.remove('gone.ts');
  const id = await repo.commit('Fix\u001b[31m it\n\nWith a body.', { 'a.ts': '2', 'ö b.ts': '1' });
  const repository = await repo.open();
  await repo.commit('Later', { 'a.ts': '3' });
  const commits = await repository.log();
  expect(commits).toMatchObject([
    { id, subject: 'Fix [31m it', body: 'With a body.\n', isRoot: false },
    { subject: 'Start', isRoot: true },
  ]);
  expect(commits?.[0]?.files).toEqual([
    { path: 'a.ts', status: 'modified' },
    { path: 'ö b.ts', status: 'added' },
  ]);
  expect(repository.log()).toBe(repository.log());
});

test('there is no past without a commit, and none without git', async () => {
  await using repo = await tempRepository();
  expect(await (await repo.open()).log()).toBeNull();
  await using plain = await tempRepository('plain');
  expect(await (await plain.open()).log()).toBeNull();
});
