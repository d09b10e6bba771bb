import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareFingerprints } from '../../src/git/fingerprint.ts';
import { copyOf, memorySnapshots, tempRepository, type TempRepository } from './temp-repository.ts';

const date = 'export function parseDate(text: string) {\n  return text;\n}\n';
const { signal } = new AbortController();

/** A repository with a submodule at `lib/date`, which has one of its own at `deep`. */
async function makeNested() {
  const deep = await tempRepository();
  const inner = await tempRepository();
  const outer = await tempRepository();
  await deep.commit('Deep', { 'deep.ts': '// deep\n' });
  await inner.commit('Inner parses dates', { 'date.ts': date, 'other.ts': '// other\n' });
  addSubmodule(inner, { of: deep, at: 'deep' });
  await inner.commit('With deep');
  await outer.commit('Start', { 'a.ts': '// a\n' });
  addSubmodule(outer, { of: inner, at: 'lib/date' });
  return { deep, inner, outer };
}

let first: Awaited<ReturnType<typeof makeNested>>;
beforeAll(async () => {
  first = await makeNested();
});
afterAll(async () => {
  for (const repo of Object.values(first)) await repo[Symbol.asyncDispose]();
});

/** Copies of them, as git takes a second to make one: submodules are named by relative paths. */
async function nested() {
  const { deep, inner, outer } = first;
  const copies = {
    deep: await copyOf(deep),
    inner: await copyOf(inner),
    outer: await copyOf(outer),
  };
  return {
    ...copies,
    async [Symbol.asyncDispose]() {
      for (const repo of Object.values(copies)) await repo[Symbol.asyncDispose]();
    },
  };
}

const files = ['.gitmodules', 'a.ts', 'lib/date/.gitmodules', 'lib/date/date.ts'];
const all = [...files, 'lib/date/deep/deep.ts', 'lib/date/other.ts'];

test('the tracked files of submodules are listed and read, committed or not', async () => {
  await using made = await nested();
  const { outer } = made;
  const uncommitted = await outer.open();
  await outer.commit('With the submodule');
  const repository = await outer.open();
  expect(repository.base.dirty).toEqual({});
  for (const each of [uncommitted, repository]) {
    expect((await each.files()).filter((path) => path !== 'lib/date/deep')).toEqual(all);
    expect(await each.read('lib/date/date.ts')).toBe(date);
  }
});

test('what is changed in a submodule belongs to the base, whatever it becomes later', async () => {
  await using made = await nested();
  const { outer } = made;
  await outer.commit('With the submodule');
  await outer.write({
    'lib/date/other.ts': '// edited\n',
    'lib/date/new.ts': '// new\n',
    'lib/date/.workflow/s.json': '{}',
    'lib/date/deep/deep.ts': '// deeper\n',
  });
  await outer.remove('lib/date/.gitmodules');
  const snapshots = memorySnapshots();
  const repository = await outer.open(null, snapshots);
  expect(Object.keys(repository.base.dirty).toSorted()).toEqual([
    'lib/date/.gitmodules',
    'lib/date/deep/deep.ts',
    'lib/date/new.ts',
    'lib/date/other.ts',
  ]);
  await outer.write({ 'lib/date/other.ts': '// later\n', 'lib/date/date.ts': '// later\n' });
  for (const each of [repository, await outer.open(repository.base, snapshots)]) {
    expect(await each.read('lib/date/other.ts')).toBe('// edited\n');
    expect(await each.read('lib/date/deep/deep.ts')).toBe('// deeper\n');
    expect(await each.read('lib/date/date.ts')).toBe(date);
    expect(await each.exists('lib/date/.gitmodules')).toBe(false);
  }
});

test('a submodule at another commit is read as it is checked out', async () => {
  await using made = await nested();
  const { outer } = made;
  await outer.commit('With the submodule');
  await outer.write({ 'lib/date/other.ts': '// moved on\n' });
  outer.git('-C', 'lib/date', ...identity, 'commit', '-qam', 'Move on');
  const repository = await outer.open();
  expect(Object.keys(repository.base.dirty)).toEqual(['lib/date/other.ts']);
  expect(await repository.read('lib/date/other.ts')).toBe('// moved on\n');
});

test('each write in a submodule is noticed, also where it had uncommitted changes before', async () => {
  await using made = await nested();
  const { outer } = made;
  await outer.commit('With the submodule');
  await outer.write({ 'lib/date/other.ts': '// edited\n' });
  const repository = await outer.open();
  const before = await repository.fingerprint(signal);
  await outer.write({ 'lib/date/other.ts': '// edited again\n', 'lib/date/deep/new.ts': '' });
  const changed = compareFingerprints(before, await repository.fingerprint(signal));
  expect(changed).toEqual(['lib/date', 'lib/date/deep/new.ts', 'lib/date/other.ts']);
});

test('a submodule that is not checked out, or became a link, is left out', async () => {
  await using made = await nested();
  await using clone = await tempRepository('plain');
  const { outer } = made;
  await outer.commit('With the submodule');
  execFileSync('git', ['clone', '-q', outer.root, clone.root]);
  const without = ['.gitmodules', 'a.ts'];
  expect(await (await clone.open()).files()).toEqual(without);
  const { base } = await outer.open();
  const filesNow = async () => (await outer.open(base)).files();
  expect(await filesNow()).toEqual(all);
  renameSync(join(outer.root, 'lib/date'), join(outer.root, 'date'));
  symlinkSync('../date', join(outer.root, 'lib/date'));
  expect(await filesNow()).toEqual(without);
  renameSync(join(outer.root, 'date'), join(outer.root, 'other'));
  rmSync(join(outer.root, 'lib'), { recursive: true });
  await outer.write({ 'moved/x': '' });
  renameSync(join(outer.root, 'other'), join(outer.root, 'moved/date'));
  symlinkSync('moved', join(outer.root, 'lib'));
  expect(await filesNow()).toEqual(without);
});

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];

function addSubmodule(
  repo: TempRepository,
  { of, at }: { readonly of: TempRepository; readonly at: string },
): void {
  const submodule = ['-c', 'protocol.file.allow=always', 'submodule'];
  repo.git(...submodule, 'add', '-q', of.root, at);
  repo.git(...submodule, 'update', '--init', '--recursive', '-q');
}

test('a file of a submodule cannot be committed here, and neither can an ignored one', async () => {
  await using made = await nested();
  const { outer } = made;
  await outer.commit('With the submodule', { '.gitignore': 'dist/\n*.log\n' });
  await outer.write({ 'kept.log': 'x' });
  outer.git('add', '-f', 'kept.log');
  await outer.commit('A tracked log');
  const repository = await outer.open();
  const paths = [
    'a.ts',
    'lib/new.ts',
    'lib/date/date.ts',
    'lib/date/deep/new.ts',
    'dist/x.json',
    './b.log',
    'kept.log',
    '../out',
  ];
  expect([...(await repository.uncommittable(paths))]).toEqual([
    ['lib/date/date.ts', 'submodule'],
    ['lib/date/deep/new.ts', 'submodule'],
    ['dist/x.json', 'ignored'],
    ['./b.log', 'ignored'],
  ]);
  expect(await repository.uncommittable([])).toEqual(new Map());
  await outer.write({ '.gitignore': '' });
  expect([...(await repository.uncommittable(paths)).values()]).toEqual(['submodule', 'submodule']);
});

test('a file is judged anew once a rule about it, or what is tracked, has changed', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', 'in/.gitignore': '*.log\n' });
  const repository = await repo.open(null, memorySnapshots());
  const judge = async () => [...(await repository.uncommittable(['in/a.log', 'b.log'])).keys()];
  expect(await judge()).toEqual(['in/a.log']);
  await repo.write({ '.gitignore': '*.log\n', 'in/.gitignore': '!*.log\n' });
  expect(await judge()).toEqual(['b.log']);
  await repo.write({ 'b.log': 'b\n' });
  repo.git('add', '-f', 'b.log');
  expect(await judge()).toEqual([]);
});
