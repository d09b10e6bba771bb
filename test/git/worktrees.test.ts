import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openWorktrees } from '../../src/git/git-worktrees.ts';
import { openRepository, type Snapshots } from '../../src/git/open-repository.ts';
import type { Repository } from '../../src/git/repository.ts';
import type { Worktrees } from '../../src/git/worktrees.ts';
import type { Base } from '../../src/model/context.ts';
import { canary } from './canary.ts';
import { headOf, memorySnapshots, tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();
const data = realpathSync(await mkdtemp(join(tmpdir(), 'conclave-data-')));
let opened = 0;

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(data, { recursive: true, force: true });
});

interface Opening {
  readonly session?: string;
  readonly base?: Base;
  readonly snapshots?: Snapshots;
  readonly folder?: string;
  readonly repository?: Repository;
  readonly runsHooks?: boolean;
}

async function open(repo: TempRepository, opening: Opening = {}): Promise<Worktrees> {
  const snapshots = opening.snapshots ?? memorySnapshots();
  return openWorktrees({
    session: opening.session ?? 'S-1',
    title: 'Print JSON',
    repository: opening.repository ?? (await repo.open(opening.base ?? null, snapshots)),
    snapshots,
    folder: opening.folder ?? join(data, String((opened += 1))),
    runsHooks: opening.runsHooks ?? false,
    signal,
  });
}

/** Makes the work tree of a task, writes files in it, and commits them. */
async function done(
  trees: Worktrees,
  task: { readonly name: string; readonly on?: readonly string[]; readonly files: Files },
): Promise<string> {
  const { commit: start } = await trees.start();
  const made = await trees.make(task.name, task.on ?? [start]);
  await put(made.path, task.files);
  const commit = await trees.commit(task.name, { parents: made.parents, message: task.name });
  return commit ?? made.head;
}

type Files = Readonly<Record<string, string | Buffer | null>>;

/** Null removes a file. */
async function put(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    if (content === null) await rm(join(root, path));
    else await writeFile(join(root, path), content);
  }
}

/** What must stay as it is before `apply`. */
function userState(repo: TempRepository): unknown {
  const stashes = join(repo.root, '.git/logs/refs/stash');
  return {
    index: readFileSync(join(repo.root, '.git/index')).toString('hex'),
    status: repo.git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=all'),
    head: readFileSync(join(repo.root, '.git/HEAD'), 'utf8'),
    main: headOf(repo.root) ?? repo.git('rev-parse', 'HEAD'),
    stash: existsSync(stashes) ? readFileSync(stashes, 'utf8') : '',
    config: readFileSync(join(repo.root, '.git/config'), 'utf8'),
  };
}

const textIn = (repo: TempRepository, path: string): string =>
  readFileSync(join(repo.root, path), 'utf8');

const branches = (repo: TempRepository): string =>
  repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/conclave');

test('a clean base is the start itself', async () => {
  await using repo = await tempRepository();
  const commit = await repo.commit('start', { 'a.txt': 'a\n' });
  expect(await (await open(repo)).start()).toEqual({ commit, carried: [] });
});

test('uncommitted files are carried in, and the same base gives the same commit', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', {
    'a.txt': 'a\n',
    'gone.txt': 'g\n',
    'x/run.sh': 'x\n',
    'same.txt': 's\n',
  });
  await repo.write({ 'a.txt': 'a2\n', 'new/ü.txt': 'ü\n', 'x/run.sh': 'x2\n' });
  await repo.write({
    'bin.dat': Buffer.from([0, 255, 1]),
    'large.txt': 'l'.repeat(1024 * 1024 + 1),
  });
  await chmod(join(repo.root, 'x/run.sh'), 0o755);
  await symlink('a.txt', join(repo.root, 'link'));
  await repo.remove('gone.txt');
  const snapshots = memorySnapshots();
  const repository = await repo.open(null, snapshots);
  const before = userState(repo);
  const trees = await open(repo, { repository, snapshots });
  const start = await trees.start();
  const carried = ['a.txt', 'bin.dat', 'gone.txt', 'large.txt', 'link', 'new/ü.txt', 'x/run.sh'];
  expect(start.carried.toSorted()).toEqual(carried);
  const { path, head } = await trees.make('T1', [start.commit]);
  expect(head).toBe(start.commit);
  expect(readdirSync(path).toSorted()).toEqual([
    '.git',
    'a.txt',
    'bin.dat',
    'large.txt',
    'link',
    'new',
    'same.txt',
    'x',
  ]);
  for (const name of ['a.txt', 'bin.dat', 'large.txt', 'new/ü.txt', 'x/run.sh', 'same.txt']) {
    expect(readFileSync(join(path, name))).toEqual(readFileSync(join(repo.root, name)));
  }
  expect((await lstat(join(path, 'x/run.sh'))).mode & 0o111).toBe(0o111);
  expect(await readlink(join(path, 'link'))).toBe('a.txt');
  expect(userState(repo)).toEqual(before);
  await repo.write({ 'a.txt': 'later\n', 'new/ü.txt': 'later\n' });
  const again = await open(repo, { base: repository.base, snapshots });
  expect(await again.start()).toEqual(start);
});

test('what a binary file held is kept nowhere, so that a later start names it', async () => {
  await using repo = await tempRepository();
  await repo.write({ 'bin.dat': Buffer.from([0, 1]) });
  const { base } = await repo.open();
  await repo.write({ 'bin.dat': Buffer.from([0, 2]) });
  const trees = await open(repo, { base });
  await expect(trees.start()).rejects.toThrow(/^bin\.dat had uncommitted changes/);
});

test('line endings and a start in a folder below the top are as git has them', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', {
    '.gitattributes': '*.txt text eol=crlf\n',
    'sub/a.txt': 'a\n',
    'b.txt': 'b\n',
  });
  await repo.write({ 'sub/a.txt': 'a\r\nmore\r\n' });
  const inner = { ...repo, root: join(repo.root, 'sub') };
  const snapshots = memorySnapshots();
  const repository = await openRepository({ root: inner.root, base: null, snapshots, signal });
  const trees = await open(inner, { repository, snapshots });
  const { commit, carried } = await trees.start();
  expect(carried).toEqual(['a.txt']);
  expect(String(await trees.read(commit, 'a.txt'))).toBe('a\nmore\n');
  const made = await trees.make('T1', [commit]);
  expect(made.path.endsWith('/T1/sub')).toBe(true);
  expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('a\r\nmore\r\n');
  await put(made.path, { 'new.txt': 'n\r\n', '../b.txt': null });
  const next = await trees.commit('T1', { parents: made.parents, message: 'T1' });
  expect(await trees.changed(commit, next ?? '')).toEqual(['../b.txt', 'new.txt']);
  const other = await done(trees, { name: 'T2', files: { 'new.txt': 'other\r\n' } });
  expect((await trees.make('all', [next ?? '', other])).conflicts).toEqual(['new.txt']);
  expect(await trees.apply(next ?? '')).toMatchObject({ ok: true, files: ['../b.txt', 'new.txt'] });
  expect(existsSync(join(repo.root, 'b.txt'))).toBe(false);
  expect(readFileSync(join(inner.root, 'new.txt'), 'utf8')).toBe('n\r\n');
});

test('before the first commit, all files are carried in', async () => {
  await using repo = await tempRepository();
  await repo.write({ 'a.txt': 'a\n' });
  const trees = await open(repo);
  const commit = await done(trees, { name: 'T1', files: { 'a.txt': 'b\n' } });
  expect(await trees.apply(commit)).toMatchObject({ ok: true, how: 'files', files: ['a.txt'] });
  expect(textIn(repo, 'a.txt')).toBe('b\n');
});

test('what differs inside a submodule is not carried in', async () => {
  await using inner = await tempRepository();
  await inner.commit('inner', { 'i.txt': 'i\n' });
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  const commit = await repo.commit('sub');
  await repo.write({ 'sub/i.txt': 'changed\n' });
  const trees = await open(repo);
  expect(await trees.start()).toEqual({ commit, carried: [] });
  const made = await trees.make('T1', [commit]);
  const sub = join(made.path, 'sub');
  const { path: program, ran } = canary(repo);
  execFileSync('git', ['-C', sub, 'init', '-q']);
  execFileSync('git', ['-C', sub, 'fetch', '-q', inner.root]);
  execFileSync('git', ['-C', sub, 'reset', '-q', '--hard', 'FETCH_HEAD']);
  execFileSync('git', ['-C', sub, 'config', 'filter.x.clean', program]);
  await put(made.path, {
    'sub/.gitattributes': '* filter=x\n',
    'sub/i.txt': 'x\n',
    'a.txt': 'b\n',
  });
  await trees.diff(commit, { name: 'T1' });
  const next = await trees.commit('T1', { parents: made.parents, message: 'T1' });
  expect(await trees.changed(commit, next ?? '')).toEqual(['a.txt']);
  expect(ran()).toBe(false);
});

test('a task is one commit on its own branch, and the user sees nothing of it', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  await repo.write({ 'a.txt': 'staged\n' });
  repo.git('stash');
  const trees = await open(repo);
  const before = userState(repo);
  const made = await trees.make('T1', [start]);
  expect(made).toEqual({ path: made.path, head: start, conflicts: [], parents: [start] });
  expect(await trees.commit('T1', { parents: [start], message: 'none' })).toBeNull();
  await put(made.path, { 'a.txt': 'b\n', 'new/n.txt': 'n\n', ignored: 'i\n' });
  const diff = await trees.diff(start, { name: 'T1' });
  expect(diff).toContain('+++ b/new/n.txt\n');
  const commit =
    (await trees.commit('T1', { parents: [start], message: 'Do it\n\nTask: T1' })) ?? '';
  expect(await trees.diff(start, { commit })).toBe(diff);
  expect(await trees.tip('T1')).toEqual({ commit, message: 'Do it\n\nTask: T1' });
  expect(await trees.tip('T')).toBeNull();
  expect(await trees.changed(start, commit)).toEqual(['a.txt', 'new/n.txt']);
  expect(String(await trees.read(commit, 'new/n.txt'))).toBe('n\n');
  expect(await trees.read(start, 'new/n.txt')).toBeNull();
  expect(repo.git('log', '-1', '--format=%P', commit)).toBe(start);
  expect(
    execFileSync('git', ['-C', made.path, 'status', '--short', '--branch'], { encoding: 'utf8' }),
  ).toBe('## conclave/S-1.T1\n');
  expect(await trees.publish(commit)).toEqual({ branch: 'conclave/S-1', kept: [] });
  expect(branches(repo)).toBe('conclave/S-1\nconclave/S-1.T1');
  expect(userState(repo)).toEqual(before);
});

test('a second round is one commit of all on the start', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'a.txt': 'b\n' });
  await trees.commit('T1', { parents: [start], message: 'first' });
  await put(path, { 'b.txt': 'b\n' });
  const second = (await trees.commit('T1', { parents: [start], message: 'second' })) ?? '';
  expect(await trees.changed(start, second)).toEqual(['a.txt', 'b.txt']);
  expect(repo.git('rev-list', '--count', `${start}..${second}`)).toBe('1');
});

test('what a commit holds is one commit on the start, whatever its work tree holds by then', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n', 'in/b.txt': 'b\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'a.txt': 'b\n', 'in/b.txt': null, 'in/n.txt': 'n\n' });
  const commit = (await trees.commit('T1', { parents: [start], message: 'work' })) ?? '';
  await put(path, { 'a.txt': 'left by a check\n', 'left.txt': 'x\n' });
  const made = { commit, parent: start, message: 'Do it\n\nTask: T1' };
  const squashed = await trees.squash(made);
  expect(repo.git('log', '-1', '--format=%B', squashed)).toBe('Do it\n\nTask: T1');
  expect(await trees.diff(commit, { commit: squashed })).toBe('');
  expect(repo.git('log', '-1', '--format=%P', squashed)).toBe(start);
  expect(await trees.squash({ ...made, commit: start })).toBe(start);
  const asked = ['a.txt', 'in/b.txt', 'in/n.txt', 'left.txt'];
  expect(await trees.missing(commit, asked)).toEqual(['in/b.txt', 'left.txt']);
  expect(await trees.missing(commit, [])).toEqual([]);
});

test('the commit of a task asks git nothing twice', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  // What another execution was told is no answer: whether a test made the same commit, a clock decides.
  await done(await open(repo, { session: 'S-0' }), { name: 'T0', files: { 'a.txt': 'c\n' } });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'a.txt': 'b\n' });
  const asked = await loggedGit();
  const commit = (await trees.commit('T1', { parents: [start], message: 'work' })) ?? '';
  const own = ['ls-files', 'add', 'commit'];
  expect(asked()).toEqual(own);
  const since = (count: number) => asked().slice(count);
  expect(await trees.submodules('T1')).toEqual(new Map());
  await trees.clean('T1', commit);
  expect(since(own.length)).toEqual([]);
  trees.touch('T1');
  await trees.clean('T1', commit);
  expect(since(own.length)).toEqual(['ls-files']);
  await trees.diff(start, { commit });
  await trees.changed(start, commit);
  const squashed = await trees.squash({ commit, parent: start, message: 'Do it' });
  expect(await trees.changed(start, squashed)).toEqual(['a.txt']);
  expect(await trees.squash({ commit, parent: start, message: 'work' })).toBe(commit);
  await trees.reclaim(['T1']);
  await trees.reclaim();
  expect(since(own.length + 1)).toEqual(['diff-tree', 'commit-tree', 'update-ref']);
});

test('a work tree in which something ran is cleaned of whatever was left there', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'a.txt': 'b\n' });
  await mkdir(join(path, 'empty/in'), { recursive: true });
  const commit = (await trees.commit('T1', { parents: [start], message: 'work' })) ?? '';
  await trees.clean('T1', commit);
  expect(existsSync(join(path, 'empty'))).toBe(false);
  trees.touch('T1');
  const agent = (...args: readonly string[]) => execFileSync('git', ['-C', path, ...args]);
  await put(path, { ignored: 'i\n', 'a.txt': 'left by a check\n', 'more/m.txt': 'm\n' });
  agent('update-index', '--assume-unchanged', 'a.txt');
  agent('init', '-q', 'more');
  agent('init', '-q', 'more/deep');
  agent('checkout', '-q', '--detach');
  await trees.clean('T1', commit);
  expect(readdirSync(path).toSorted()).toEqual(['.git', '.gitignore', 'a.txt', 'ignored']);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('b\n');
  expect(agent('status', '--short', '--branch').toString()).toBe('## conclave/S-1.T1\n');
  expect(await trees.tip('T1')).toMatchObject({ commit });
});

test('what an agent hides from git is not there any more when its work is committed', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  execFileSync('git', ['-C', path, 'update-index', '--assume-unchanged', 'a.txt']);
  await put(path, { 'a.txt': 'hidden\n', 'b.txt': 'b\n' });
  const commit = (await trees.commit('T1', { parents: [start], message: 'work' })) ?? '';
  expect(await trees.changed(start, commit)).toEqual(['b.txt']);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
});

test('a merge without conflicts is the work tree of the next that begins there', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const first = await done(trees, { name: 'T1', files: { 'b.txt': 'b\n' } });
  const second = await done(trees, { name: 'T2', files: { 'c.txt': 'c\n' } });
  const { head, path } = await trees.make('all', [first, second]);
  const asked = await loggedGit();
  expect(await trees.make('all', [head])).toEqual({ path, head, conflicts: [], parents: [head] });
  expect(() => asked()).toThrow('ENOENT');
  await put(path, { 'a.txt': 'work of an agent\n' });
  await trees.make('all', [head]);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
  expect(await trees.changed(start, head)).toEqual(['b.txt', 'c.txt']);
});

test('a work tree that nobody needs is the next one, without what it held besides its commit', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  const trees = await open(repo);
  await trees.start();
  const { path } = await trees.make('T1', [start]);
  const inode = (await lstat(join(path, 'a.txt'))).ino;
  await put(path, { 'more/m.txt': 'm\n', ignored: 'i\n', '.git': 'gitdir: /elsewhere\n' });
  trees.touch('T1');
  trees.free('T1');
  const next = await trees.make('T2', [start]);
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(next.path).toSorted()).toEqual(['.git', '.gitignore', 'a.txt']);
  expect((await lstat(join(next.path, 'a.txt'))).ino).toBe(inode);
  const status = () =>
    execFileSync('git', ['-C', next.path, 'status', '-sb'], { encoding: 'utf8' });
  expect(status()).toBe('## conclave/S-1.T2\n');
  await put(next.path, { 'b.txt': 'b\n' });
  const commit = (await trees.commit('T2', { parents: [start], message: 'T2' })) ?? '';
  trees.free('T2');
  expect(await trees.publish(commit)).toEqual({ branch: 'conclave/S-1', kept: [] });
  expect(branches(repo)).toBe('conclave/S-1');
  expect(existsSync(next.path)).toBe(false);
});

test('a work tree leaves out what the one of the user leaves out', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a/a.txt': 'a\n', 'b/b.txt': 'b\n' });
  repo.git('sparse-checkout', 'set', 'a');
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  expect(readdirSync(path).toSorted()).toEqual(['.git', 'a']);
});

test('work outside of what the user checked out is committed like any other', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a/a.txt': 'a\n', 'b/b.txt': 'b\n' });
  repo.git('sparse-checkout', 'set', 'a');
  const trees = await open(repo);
  const files = { 'a/a.txt': 'a2\n', 'b/c.txt': 'c\n' };
  const commit = await done(trees, { name: 'T1', files });
  expect(await trees.changed(start, commit)).toEqual(['a/a.txt', 'b/c.txt']);
});

test('line ends that the settings convert are no reason to refuse work', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', {});
  repo.git('config', 'core.autocrlf', 'input');
  repo.git('config', 'core.safecrlf', 'true');
  await repo.write({ 'mine.txt': 'mine\r\n' });
  const trees = await open(repo);
  const commit = await done(trees, { name: 'T1', files: { 'new.txt': 'a\r\nb\r\n' } });
  expect((await trees.read(commit, 'new.txt'))?.toString()).toBe('a\nb\n');
});

test.each(['git', 'plain'] as const)('a file takes the place of a folder, %s', async (kind) => {
  await using repo = await tempRepository(kind);
  await repo.write({ 'lib/a.txt': 'a\n', 'b.txt': 'b\n' });
  if (kind === 'git') await repo.commit('start');
  const trees = await open(repo);
  const { path, head } = await trees.make('T1', [(await trees.start()).commit]);
  await rm(join(path, 'lib'), { recursive: true });
  await put(path, { lib: 'a file\n' });
  const commit = (await trees.commit('T1', { parents: [head], message: 'T1' })) ?? '';
  await repo.write({ 'lib/mine.txt': 'mine\n' });
  expect(await trees.apply(commit)).toMatchObject({ ok: false, files: ['lib'] });
  await repo.remove('lib/mine.txt');
  expect(await trees.apply(commit)).toMatchObject({ ok: true });
  expect(textIn(repo, 'lib')).toBe('a file\n');
});

test.each(['git', 'plain'] as const)('a folder takes the place of a link, %s', async (kind) => {
  await using repo = await tempRepository(kind);
  await repo.write({ 'src/a.txt': 'a\n' });
  await symlink('src', join(repo.root, 'lib'));
  if (kind === 'git') await repo.commit('start');
  const trees = await open(repo);
  const commit = await done(trees, { name: 'T1', files: { lib: null, 'lib/a.txt': 'own\n' } });
  expect(await trees.apply(commit)).toMatchObject({ ok: true });
  expect([textIn(repo, 'lib/a.txt'), textIn(repo, 'src/a.txt')]).toEqual(['own\n', 'a\n']);
});

test.each([true, false])(
  'a link in the place of a folder stays, carried: %s',
  async (isCarried) => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'a/x.txt': 'x\n', 'b/x.txt': 'b\n', 'c.txt': 'c\n' });
    await rm(join(repo.root, 'a'), { recursive: true });
    await symlink('b', join(repo.root, 'a'));
    const trees = await open(repo);
    const { carried } = await trees.start(() => isCarried);
    expect(carried.toSorted()).toEqual(isCarried ? ['a', 'a/x.txt'] : ['a/x.txt']);
    const commit = await done(trees, { name: 'T1', files: { 'c.txt': 'c2\n' } });
    expect(await trees.apply(commit)).toMatchObject({ ok: true });
    expect(await readlink(join(repo.root, 'a'))).toBe('b');
  },
);

test('a work tree whose index somebody else wrote is not used again', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  execFileSync('git', ['-C', path, 'update-index', '--assume-unchanged', 'a.txt']);
  trees.touch('T1');
  trees.free('T1');
  const { path: next } = await trees.make('T2', [start]);
  const listed = execFileSync('git', ['-C', next, 'ls-files', '-v'], { encoding: 'utf8' });
  expect(listed).toBe('H a.txt\n');
  expect(existsSync(path)).toBe(false);
});

test('a work tree that may hold submodules is not used again', async () => {
  await using library = await tempRepository();
  await library.commit('start', { 'l.txt': 'l\n' });
  await using repo = await tempRepository();
  await repo.commit('first', { 'a.txt': 'a\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib');
  const start = await repo.commit('start', {});
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'lib/left.txt': 'left\n' });
  trees.free('T1');
  const { path: next } = await trees.make('T2', [start]);
  expect(readdirSync(join(next, 'lib'))).toEqual([]);
});

test('two commits are merged without a work tree, or the files in conflict are named', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const first = await done(trees, { name: 'T1', files: { 'a.txt': 'b\n' } });
  const second = await done(trees, { name: 'T2', files: { 'c.txt': 'c\n' } });
  const other = await done(trees, { name: 'T3', files: { 'a.txt': 'x\n' } });
  const { commit, conflicts } = await trees.merge('all', [first, second], 'Merge it');
  expect(conflicts).toEqual([]);
  expect(await trees.changed(start, commit ?? '')).toEqual(['a.txt', 'c.txt']);
  expect(repo.git('log', '-1', '--format=%s %P', commit ?? '')).toBe(`Merge it ${first} ${second}`);
  expect(await trees.merge('all', [first, other])).toEqual({ commit: null, conflicts: ['a.txt'] });
  expect(existsSync(trees.path('all'))).toBe(false);
});

/** Has git log its commands from now on, in this test. */
async function loggedGit(): Promise<() => readonly string[]> {
  const bin = await mkdtemp(join(data, 'bin-'));
  const log = join(bin, 'log');
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\necho "$@" >> '${log}'\nexec '${git}' "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  return () =>
    [...readFileSync(log, 'utf8').matchAll(/ -C \S+ (\S+)/g)].map(([, said = '']) => said);
}

test('whatever an agent does with git in its work tree, its files are what counts', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  const agent = (...args: readonly string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      stdio: 'pipe',
    });
  agent('switch', '-qc', 'elsewhere');
  await put(path, { 'a.txt': 'b\n' });
  agent('commit', '-qam', 'my own');
  agent('checkout', '-q', '--detach');
  await put(path, { 'new/n.txt': 'n\n', 'new/deep/d.txt': 'd\n' });
  agent('init', '-q', 'new');
  agent('init', '-q', 'new/deep');
  await writeFile(join(repo.root, '.git/worktrees/S-1.T1/index.lock'), '');
  const commit = (await trees.commit('T1', { parents: [start], message: 'T1' })) ?? '';
  expect(await trees.changed(start, commit)).toEqual(['a.txt', 'new/deep/d.txt', 'new/n.txt']);
  expect(repo.git('log', '-1', '--format=%P', commit)).toBe(start);
  expect(await trees.tip('T1')).toMatchObject({ commit });
  expect(agent('status', '--short', '--branch').toString()).toBe('## conclave/S-1.T1\n');
});

test('tasks side by side do not meet the locks of git', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  const names = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'];
  const commits = await Promise.all(
    names.map((name) => done(trees, { name, files: { [`${name}.txt`]: name } })),
  );
  const all = await trees.make('all', [start, ...commits], 'Merge it');
  expect(await trees.changed(start, all.head)).toEqual(names.map((name) => `${name}.txt`));
  expect(
    repo.git('log', '--first-parent', '--reverse', '--format=%s', `${start}..${all.head}`),
  ).toBe(names.map(() => 'Merge it').join('\n'));
});

test('a conflict leaves both sides in the files, and the resolution is a commit of the merge', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const trees = await open(repo);
  const first = await done(trees, { name: 'T1', files: { 'a.txt': 'one\n' } });
  const second = await done(trees, { name: 'T2', files: { 'a.txt': 'two\n', 'b.txt': 'two\n' } });
  const third = await done(trees, { name: 'T3', files: { 'c.txt': 'three\n' } });
  const made = await trees.make('all', [first, second, third]);
  expect(made).toMatchObject({ head: first, conflicts: ['a.txt'], parents: [first, second] });
  const conflict = readFileSync(join(made.path, 'a.txt'), 'utf8');
  expect(conflict).toMatch(/^<{7} HEAD\none\n={7}\ntwo\n>{7} /);
  await put(made.path, { 'a.txt': 'one and two\n' });
  const { parents } = made;
  const resolved = (await trees.commit('all', { parents, message: 'Merge T2' })) ?? '';
  expect(repo.git('log', '-1', '--format=%P', resolved)).toBe(`${first} ${second}`);
  expect(existsSync(join(repo.root, '.git/worktrees/S-1.all/MERGE_HEAD'))).toBe(false);
  const rest = await trees.make('all', [resolved, third]);
  expect(rest.conflicts).toEqual([]);
  expect(await trees.changed(start, rest.head)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(String(await trees.read(rest.head, 'a.txt'))).toBe('one and two\n');
});

const hooks = 'post-checkout pre-commit post-commit post-merge reference-transaction'.split(' ');

const lines = (first: string, last: string): string => `${first}\n2\n3\n4\n5\n${last}\n`;

const programKeys =
  'filter.x.clean filter.x.smudge filter.x.process merge.x.driver core.fsmonitor gpg.program diff.x.textconv diff.external';

test('no program starts that only the repository names, and no hook', async () => {
  await using repo = await tempRepository();
  const attributes = { '.gitattributes': '*.txt filter=x diff=x merge=x\n' };
  await repo.commit('start', { ...attributes, 'a.txt': lines('1', '6') });
  await repo.write({ 'u.txt': 'uncommitted\n' });
  const repository = await repo.open();
  const { path, ran } = canary(repo);
  await mkdir(join(repo.root, '.git/hooks'));
  for (const hook of hooks) await symlink(path, join(repo.root, '.git/hooks', hook));
  for (const key of programKeys.split(' ')) repo.git('config', key, path);
  repo.git('config', 'commit.gpgsign', 'true');
  const trees = await open(repo, { repository });
  const first = await done(trees, { name: 'T1', files: { 'a.txt': lines('one', '6') } });
  const second = await done(trees, { name: 'T2', files: { 'a.txt': lines('1', 'six') } });
  const { head, conflicts } = await trees.make('all', [first, second]);
  expect(conflicts).toEqual([]);
  expect(String(await trees.read(head, 'a.txt'))).toBe(lines('one', 'six'));
  await trees.diff(first, { name: 'all' });
  expect(await trees.apply(head)).toMatchObject({ ok: true });
  await trees.discard();
  expect(ran()).toBe(false);
});

test('nor one that an agent names by a git folder of its own', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', {
    'a.txt': 'a\n',
    '.gitattributes': '*.txt filter=x\n',
  });
  const { path: program, ran } = canary(repo);
  const trees = await open(repo);
  const { path } = await trees.make('T1', [start]);
  await put(path, { 'a.txt': 'b\n', '.git': null });
  execFileSync('git', ['-C', path, 'init', '-q']);
  execFileSync('git', ['-C', path, 'config', 'filter.x.clean', program]);
  await trees.diff(start, { name: 'T1' });
  const commit = (await trees.commit('T1', { parents: [start], message: 'T1' })) ?? '';
  expect(await trees.changed(start, commit)).toEqual(['a.txt']);
  expect(ran()).toBe(false);
});

test('a surrounding git hook leads to no other repository, and an author is always named', async () => {
  await using repo = await tempRepository();
  await using other = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n' });
  vi.stubEnv('GIT_DIR', join(other.root, '.git'));
  vi.stubEnv('GIT_INDEX_FILE', join(other.root, '.git/index'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  const trees = await open(repo);
  const commit = await done(trees, { name: 'T1', files: { 'a.txt': 'b\n' } });
  vi.unstubAllEnvs();
  expect(repo.git('log', '-1', '--format=%an <%ae>', commit)).toBe('Conclave <conclave@localhost>');
  repo.git('config', 'user.name', 'Ada');
  await trees.discard();
  const named = await open(repo);
  const second = await done(named, { name: 'T1', files: { 'a.txt': 'c\n' } });
  expect(repo.git('log', '-1', '--format=%an', second)).toBe('Ada');
});

test('what a killed process left is remade, or reclaimed, and nothing of another session', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const folder = join(data, 'killed');
  const other = await open(repo, { session: 'S-10' });
  await done(other, { name: 'T1', files: { 'a.txt': 'other\n' } });
  const left = await open(repo, { folder });
  const kept = await done(left, { name: 'T0', files: { 'a.txt': 'b\n' } });
  await left.publish(kept);
  const dirty = await left.make('T1', [start]);
  await put(dirty.path, { 'a.txt': 'dirty\n', 'more.txt': 'm\n' });
  repo.git('worktree', 'lock', dirty.path);
  const gone = await left.make('T2', [start]);
  await rm(gone.path, { recursive: true });
  const unlinked = await left.make('T3', [start]);
  await rm(join(repo.root, '.git/worktrees/S-1.T3'), { recursive: true });
  await writeFile(join(repo.root, '.git/refs/heads/conclave/S-1.T1.lock'), '');
  const trees = await open(repo, { folder });
  for (const name of ['T1', 'T2', 'T3']) {
    const made = await trees.make(name, [start]);
    expect(readdirSync(made.path).toSorted()).toEqual(['.git', 'a.txt']);
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('a\n');
  }
  expect(unlinked.path).toBe(join(folder, 'trees/T3'));
  await trees.reclaim(['T1']);
  expect(existsSync(dirty.path)).toBe(false);
  expect(existsSync(gone.path)).toBe(true);
  await trees.reclaim();
  await trees.reclaim();
  expect(branches(repo)).toBe('conclave/S-1\nconclave/S-10.T1');
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
  expect(existsSync(join(folder, 'trees'))).toBe(false);
  await trees.discard();
  await trees.discard();
  expect(branches(repo)).toBe('conclave/S-10.T1');
  expect(existsSync(folder)).toBe(false);
});

test('a branch that the user looks at is not moved or removed', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', { 'a.txt': 'a\n' });
  const trees = await open(repo);
  await trees.publish(start);
  repo.git('switch', '-q', 'conclave/S-1');
  const commit = await done(trees, { name: 'T1', files: { 'a.txt': 'b\n' } });
  const refusal = `The branch conclave/S-1 is checked out in ${repo.root}; switch to another one there.`;
  await expect(trees.publish(commit)).rejects.toThrow(refusal);
  await expect(trees.discard()).rejects.toThrow(refusal);
  repo.git('switch', '-q', 'main');
  await trees.discard();
  expect(branches(repo)).toBe('');
});

test('apply moves the branch forward, or merges where it went on', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const trees = await open(repo);
  const commit = await done(trees, { name: 'T1', files: { 'a.txt': 'A\n', 'new.txt': 'n\n' } });
  await repo.write({ 'c.txt': 'uncommitted\n', 'own.txt': 'mine\n' });
  repo.git('add', 'own.txt');
  const home = { ok: true, how: 'merged', branch: 'main', backup: null };
  const files = ['a.txt', 'new.txt'];
  expect(await trees.apply(commit)).toEqual({ ...home, files });
  expect(repo.git('rev-parse', 'main')).toBe(commit);
  expect(repo.git('status', '--porcelain')).toBe('M c.txt\nA  own.txt');
  repo.git('reset', '-q', '--hard', 'HEAD^');
  const moved = await repo.commit('moved on', { 'b.txt': 'B\n' });
  await repo.write({ 'c.txt': 'uncommitted\n' });
  expect(await trees.apply(commit)).toEqual({ ...home, files });
  expect(repo.git('log', '-1', '--format=%P %s')).toBe(
    `${moved} ${commit} Merge "Print JSON" into main`,
  );
  expect(await trees.apply(commit)).toEqual({ ...home, files });
  expect(repo.git('log', '-1', '--format=%P')).toBe(`${moved} ${commit}`);
  expect([textIn(repo, 'a.txt'), textIn(repo, 'b.txt')]).toEqual(['A\n', 'B\n']);
  expect(textIn(repo, 'c.txt')).toBe('uncommitted\n');
  expect(branches(repo)).toBe('conclave/S-1.T1');
  repo.git('checkout', '-q', '--detach', moved);
  expect(await trees.apply(commit)).toEqual({ ...home, branch: null, files });
});

/** The first line of the last commits, each with the mark of the hook on its message. */
const hookedLog = (repo: TempRepository, most: number) =>
  repo.git('log', '-n', String(most), '--format=%s%(trailers:key=Seen,separator=)').split('\n');

test.each([
  ['merge', 1, ['Merge "Print JSON" into mainSeen: yes']],
  ['squash', 1, ['Print JSONSeen: yes']],
  ['linear', 2, ['T2Seen: yes', 'T1Seen: yes']],
] as const)(
  'a %s runs the hooks of the user where the settings say so, and one that refuses leaves all as it is',
  async (how, most, log) => {
    await using repo = await tempRepository();
    await repo.commit('start', { 'a.txt': 'a\n' });
    await mkdir(join(repo.root, '.git/hooks'), { recursive: true });
    const hook = '#!/bin/sh\nprintf "\\n\\nSeen: yes\\n" >> "$1"\n';
    const refusing = '#!/bin/sh\necho "no such ticket" >&2\nexit 1\n';
    const set = async (text: string) => {
      await writeFile(join(repo.root, '.git/hooks/commit-msg'), text);
      await chmod(join(repo.root, '.git/hooks/commit-msg'), 0o755);
    };
    await set(refusing);
    const quiet = await open(repo);
    const first = await done(quiet, { name: 'T1', files: { 'b.txt': 'b\n' } });
    const commit = await done(quiet, { name: 'T2', on: [first], files: { 'c.txt': 'c\n' } });
    const trees = await open(repo, { runsHooks: true });
    const before = userState(repo);
    expect(await trees.apply(commit, how)).toEqual({
      ok: false,
      why: 'your hooks or your signature refuse a commit: no such ticket',
      files: [],
    });
    expect(userState(repo)).toEqual(before);
    await set(hook);
    expect(await trees.apply(commit, how)).toMatchObject({ ok: true, how: 'merged' });
    expect(hookedLog(repo, most)).toEqual(log);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(branches(repo)).toBe('conclave/S-1.T1\nconclave/S-1.T2');
  },
);

test('apply changes nothing where it would overwrite, conflict, or meet an unfinished merge', async () => {
  await using repo = await tempRepository();
  const start = await repo.commit('start', {
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    '.gitignore': 'ignored.txt\n',
  });
  const trees = await open(repo);
  const made = await trees.make('T1', [start]);
  await put(made.path, {
    'a.txt': 'A\n',
    'b.txt': null,
    'new.txt': 'n\n',
    'ignored.txt': 'n\n',
    '.gitignore': '',
  });
  const commit = (await trees.commit('T1', { parents: [start], message: 'T1' })) ?? '';
  const refused = async (files: readonly string[], why = /would be overwritten/) => {
    const before = userState(repo);
    const applied = await trees.apply(commit);
    expect(applied).toMatchObject({ ok: false, files });
    expect('why' in applied ? applied.why : '').toMatch(why);
    expect(userState(repo)).toEqual(before);
  };
  await repo.write({ 'a.txt': 'uncommitted\n', 'new.txt': 'mine\n' });
  await repo.remove('b.txt');
  await refused(['a.txt', 'b.txt', 'new.txt']);
  repo.git('reset', '-q', '--hard');
  await repo.remove('new.txt');
  await repo.write({ 'ignored.txt': 'mine\n' });
  await refused(['ignored.txt']);
  expect(textIn(repo, 'ignored.txt')).toBe('mine\n');
  await repo.remove('ignored.txt');
  await repo.commit('conflicting', { 'a.txt': 'other\n' });
  await refused(['a.txt'], /conflict/);
  expect(branches(repo)).toBe('conclave/S-1.T1');
  await repo.write({ '.git/MERGE_HEAD': `${start}\n` });
  await refused([], /MERGE_HEAD/);
});

const ten = (...changed: readonly (readonly [line: number, text: string])[]) =>
  Array.from(
    { length: 10 },
    (_, at) => `${changed.find(([line]) => line === at)?.[1] ?? at}\n`,
  ).join('');

/** A repository with uncommitted changes of `a.txt` (line 1), `b.txt` (all of it) and a new `u.txt`, and work on them. */
async function carriedWork(repo: TempRepository) {
  const base = await repo.commit('start', { 'a.txt': ten(), 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const mine = { 'a.txt': ten([1, 'mine']), 'b.txt': 'mine\n', 'u.txt': 'TOKEN\n' };
  await repo.write(mine);
  const trees = await open(repo);
  const { commit: start, carried } = await trees.start();
  const files = {
    'a.txt': ten([1, 'mine'], [8, 'task']),
    'b.txt': 'task\n',
    'c.txt': 'C\n',
    'new.txt': 'n\n',
  };
  const commit = await done(trees, { name: 'T1', files });
  return { trees, base, mine, start: { commit: start, carried }, files, commit };
}

test('the published branch has the work of tasks, and nothing of what is uncommitted', async () => {
  await using repo = await tempRepository();
  const { trees, base, commit, start } = await carriedWork(repo);
  const before = repo.git('status', '--porcelain');
  const published = await trees.publish(commit, start);
  expect(published).toEqual({ branch: 'conclave/S-1', kept: ['b.txt'] });
  expect(repo.git('log', '--format=%P %s', 'conclave/S-1', '-1')).toBe(`${base} T1`);
  const names = repo.git('diff', '--name-only', base, 'conclave/S-1').split('\n');
  expect(names).toEqual(['a.txt', 'c.txt', 'new.txt']);
  expect(`${repo.git('show', 'conclave/S-1:a.txt')}\n`).toBe(ten([8, 'task']));
  expect(repo.git('log', '--branches=conclave/S-1', '--format=%h', '--', 'u.txt')).toBe('');
  repo.git('gc', '--quiet', '--prune=now');
  expect(repo.git('cat-file', '-t', commit)).toBe('commit');
  expect(repo.git('status', '--porcelain')).toBe(before);
  await trees.discard();
  expect(repo.git('for-each-ref', 'refs/conclave')).toBe('');
});

test('a carried file that a task renames takes no uncommitted line to the branch', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': ten() });
  await repo.write({ 'a.txt': ten([1, 'mine']) });
  const trees = await open(repo);
  const files = { 'a.txt': null, 'moved.txt': ten([1, 'mine'], [8, 'task']) };
  const commit = await done(trees, { name: 'T1', files });
  await trees.publish(commit);
  expect(`${repo.git('show', 'conclave/S-1:moved.txt')}\n`).toBe(ten([8, 'task']));
  expect(await trees.apply(commit)).toMatchObject({ ok: true, how: 'merged' });
  expect(existsSync(join(repo.root, 'a.txt'))).toBe(false);
  expect(textIn(repo, 'moved.txt')).toBe(ten([1, 'mine'], [8, 'task']));
});

test('work on carried files comes home by a merge, and what is uncommitted stays uncommitted', async () => {
  await using repo = await tempRepository();
  const { trees, commit, mine } = await carriedWork(repo);
  // The user went on, elsewhere in the file; and has staged one as it is.
  await repo.write({ 'a.txt': ten([1, 'mine'], [4, 'later']) });
  repo.git('add', 'u.txt');
  const applied = await trees.apply(commit);
  expect(applied).toMatchObject({ ok: true, how: 'merged', branch: 'main' });
  expect(applied).toMatchObject({ uncommitted: ['a.txt', 'b.txt'] });
  expect(textIn(repo, 'a.txt')).toBe(ten([1, 'mine'], [4, 'later'], [8, 'task']));
  expect(`${repo.git('show', 'HEAD:a.txt')}\n`).toBe(ten([8, 'task']));
  expect(textIn(repo, 'b.txt')).toBe('task\n');
  expect(repo.git('show', 'HEAD:b.txt')).toBe('b');
  expect(textIn(repo, 'u.txt')).toBe('TOKEN\n');
  expect(repo.git('status', '--porcelain')).toBe('M a.txt\n M b.txt\nA  u.txt');
  const backup = 'backup' in applied ? (applied.backup ?? '') : '';
  expect(readFileSync(join(backup, 'b.txt'), 'utf8')).toBe(mine['b.txt']);
  // Done again, as after a kill, it changes nothing.
  const before = userState(repo);
  expect(await trees.apply(commit)).toMatchObject({ ok: true });
  expect(userState(repo)).toEqual(before);
});

test('work on carried files is refused where these changed in the same place, with both versions', async () => {
  await using repo = await tempRepository();
  const { trees, commit, files } = await carriedWork(repo);
  for (const changed of [ten([1, 'mine'], [8, 'moved']), null]) {
    await put(repo.root, { 'a.txt': changed });
    const before = userState(repo);
    const applied = await trees.apply(commit);
    expect(applied).toMatchObject({ ok: false, files: ['a.txt'] });
    const [, versions = ''] = /are in (.+)\)$/.exec('why' in applied ? applied.why : '') ?? [];
    expect(readFileSync(join(versions, 'a.txt'), 'utf8')).toBe(files['a.txt']);
    expect(userState(repo)).toEqual(before);
  }
});

test('what is staged and nowhere else is not lost when work on carried files comes home', async () => {
  await using repo = await tempRepository();
  const { trees, commit } = await carriedWork(repo);
  await repo.write({ 'a.txt': 'staged\n' });
  repo.git('add', 'a.txt');
  await repo.write({ 'a.txt': ten([1, 'mine']) });
  const before = userState(repo);
  expect(await trees.apply(commit)).toMatchObject({ ok: false, files: ['a.txt'] });
  expect(userState(repo)).toEqual(before);
});

test('a file in the way of carried work stops it before anything is written', async () => {
  await using repo = await tempRepository();
  const { trees, commit } = await carriedWork(repo);
  await repo.write({ 'new.txt': 'mine\n', 'c.txt': 'mine\n' });
  const before = userState(repo);
  expect(await trees.apply(commit)).toMatchObject({ ok: false, files: ['c.txt', 'new.txt'] });
  expect(userState(repo)).toEqual(before);
});

test('where the branch moved on, carried work is checked with the files as they will be at home', async () => {
  await using repo = await tempRepository();
  const { trees, commit, mine } = await carriedWork(repo);
  repo.git('stash', '--quiet', '--include-untracked');
  const moved = await repo.commit('moved on', { 'd.txt': 'd\n' });
  repo.git('stash', 'pop', '--quiet');
  const onto = await trees.onto(commit);
  expect(onto).toMatchObject({ isMoved: true, conflicts: [] });
  const at = onto?.commit ?? '';
  expect(`${repo.git('show', `${at}:a.txt`)}\n`).toBe(ten([1, 'mine'], [8, 'task']));
  expect(repo.git('show', `${at}:u.txt`)).toBe('TOKEN');
  expect(repo.git('show', `${at}:d.txt`)).toBe('d');
  expect(await trees.apply(commit)).toMatchObject({ ok: true, how: 'merged' });
  expect(repo.git('log', '-1', '--format=%P')).toContain(moved);
  expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('u.txt');
  expect(textIn(repo, 'u.txt')).toBe(mine['u.txt']);
});

test('carried changes that the user committed meanwhile are not taken back', async () => {
  await using repo = await tempRepository();
  const { trees, commit } = await carriedWork(repo);
  await repo.commit('mine');
  expect(await trees.apply(commit, 'linear')).toMatchObject({ ok: true });
  expect(`${repo.git('show', 'HEAD:a.txt')}\n`).toBe(ten([1, 'mine'], [8, 'task']));
  expect(repo.git('show', 'HEAD:u.txt')).toBe('TOKEN');
  expect(textIn(repo, 'b.txt')).toBe('task\n');
});

test('without git, the folder at the start is what tasks begin from, and apply writes files', async () => {
  await using folder = await tempRepository('plain');
  await folder.write({
    'a.txt': 'a\n',
    'sub/b.txt': 'b\n',
    '.gitignore': 'secret\n',
    secret: 's\n',
  });
  await folder.write({ '.workflow/x': 'x', 'node_modules/m/i.js': 'm' });
  const place = join(data, 'plain');
  const trees = await open(folder, { folder: place });
  const { commit: start, carried } = await trees.start();
  expect(carried).toEqual([]);
  const made = await trees.make('T1', [start]);
  expect(readdirSync(made.path).toSorted()).toEqual(['.git', '.gitignore', 'a.txt', 'sub']);
  await put(made.path, { 'a.txt': 'A\n', 'sub/b.txt': null, 'n/new.txt': 'n\n' });
  const commit = (await trees.commit('T1', { parents: [start], message: 'T1' })) ?? '';
  await folder.write({ 'a.txt': 'mine\n' });
  const again = await open(folder, { folder: place });
  expect(await again.start()).toEqual({ commit: start, carried });
  expect(await again.apply(commit)).toMatchObject({ ok: false, files: ['a.txt'] });
  expect(existsSync(join(folder.root, 'sub/b.txt'))).toBe(true);
  await folder.write({ 'a.txt': 'a\n', 'other.txt': 'later\n' });
  const applied = await again.apply(commit);
  expect(applied).toMatchObject({
    ok: true,
    how: 'files',
    files: ['a.txt', 'n/new.txt', 'sub/b.txt'],
  });
  expect([textIn(folder, 'a.txt'), textIn(folder, 'n/new.txt')]).toEqual(['A\n', 'n\n']);
  expect(existsSync(join(folder.root, 'sub/b.txt'))).toBe(false);
  expect(existsSync(join(folder.root, '.git'))).toBe(false);
  await again.discard();
  expect(readdirSync(place)).toEqual(['backup']);
  expect(readFileSync(join(place, 'backup/1/sub/b.txt'), 'utf8')).toBe('b\n');
});

test('a folder of repositories, and a machine without git, are refused in a sentence', async () => {
  await using folder = await tempRepository('plain');
  folder.git('init', '-q', 'inner');
  const trees = await open(folder);
  await expect(trees.start()).rejects.toThrow(
    /is not a git repository, but contains some: inner\//,
  );
  vi.stubEnv('PATH', '/nowhere');
  await expect(open(folder)).rejects.toThrow('Execution needs git; install it.');
});

test('a data folder inside the repository is refused', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n' });
  const opening = open(repo, { folder: join(repo.root, 'data') });
  await expect(opening).rejects.toThrow(/is inside the repository; set XDG_DATA_HOME/);
});

test('what is changed in submodules is told as patches: edits, commits, nested ones, and where none is checked out', async () => {
  await using inner = await tempRepository();
  await using outer = await tempRepository();
  await using repo = await tempRepository();
  await inner.commit('inner', { 'i.txt': 'i\n' });
  await outer.commit('outer', { 'o.txt': 'o\n' });
  add(outer, inner, 'deep');
  await outer.commit('with inner');
  add(repo, outer, 'libs/outer');
  const commit = await repo.commit('with outer');
  const trees = await open(repo);
  const { path } = await trees.make('T1', [commit]);

  const absent = await trees.submodules('T1');
  expect([...absent.keys()]).toEqual(['libs/outer']);
  await put(path, { 'libs/outer/new.txt': 'n\n' });
  expect(await trees.submoduleChanges('T1', absent)).toEqual([
    { path: 'libs/outer', patch: expect.stringContaining('+n') },
  ]);
  await rm(join(path, 'libs/outer/new.txt'));
  expect(await trees.submoduleChanges('T1', null)).toEqual([]);

  const git = (...args: readonly string[]) => execFileSync('git', ['-C', path, ...args]);
  git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'update',
    '--init',
    '--recursive',
  );
  const before = await trees.submodules('T1');
  expect([...before.keys()]).toEqual(['libs/outer', 'libs/outer/deep']);
  expect(await trees.submoduleChanges('T1', before)).toEqual([]);
  expect(await trees.submoduleChanges('T1', null)).toEqual([]);
  await put(path, { 'libs/outer/o.txt': 'o2\n', 'libs/outer/deep/i.txt': 'i2\n' });
  git('-C', 'libs/outer/deep', ...identity, 'commit', '-qam', 'mine');
  for (const since of [before, null]) {
    expect(await trees.submoduleChanges('T1', since)).toEqual([
      { path: 'libs/outer', patch: expect.stringContaining('+o2') },
      { path: 'libs/outer/deep', patch: expect.stringContaining('+i2') },
    ]);
  }
});

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];

const add = (to: TempRepository, from: TempRepository, path: string) =>
  to.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from.root, path);

test('the work tree and the branch of an apply that was killed are gone at the next start', async () => {
  await using repo = await tempRepository('git');
  const start = await repo.commit('start', { 'a.ts': 'a' });
  const folder = join(data, 'killed-apply');
  const trees = await open(repo, { folder });
  await trees.make('_apply', [start]);
  expect(repo.git('branch', '--list', 'conclave/*')).toContain('._apply');
  await open(repo, { folder });
  expect(repo.git('branch', '--list', 'conclave/*')).toBe('');
  expect(readdirSync(join(folder, 'trees'))).toEqual([]);
  expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});
