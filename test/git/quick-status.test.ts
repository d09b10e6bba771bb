import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gitFolders } from '../../src/git/git-folders.ts';
import { type StatusEntry, workTreeStatus } from '../../src/git/git-status.ts';
import { differingFiles } from '../../src/context/local/differing.ts';
import { indexAhead, indexOf, quickStatus, type Sparing } from '../../src/git/quick-status.ts';
import { date, editUnseen, names, racy, second } from './racy-repository.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();
/** The paths that were not found by looking at the disk are put into `asked`. */
function sparingOf(
  { root, scratch }: { readonly root: string; readonly scratch: string },
  asked: string[] = [],
): Sparing {
  return {
    scratch,
    async differing(files) {
      const found = await differingFiles(files, { root, found: Promise.resolve([]), signal });
      asked.push(...(found ?? []).map(({ path }) => path));
      return found;
    },
  };
}

async function statuses(
  { root, scratch }: { readonly root: string; readonly scratch: string },
  sparing = sparingOf({ root, scratch }),
) {
  const place = { root, signal };
  const folders = await gitFolders(place);
  if (folders === null) throw new Error('no repository');
  const quick = await quickStatus(place, { folders, sparing, index: indexOf(folders) });
  const plain = await workTreeStatus(place, { prefix: folders.prefix });
  if (!plain.ok) throw new Error(plain.failure.reason);
  return {
    quick: quick === null ? null : { ...quick, entries: sorted(quick.entries) },
    plain: { ...plain.value, entries: sorted(plain.value.entries) },
  };
}

function sorted(entries: readonly StatusEntry[]): readonly StatusEntry[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function pathsIn(status: { readonly entries: readonly StatusEntry[] } | null) {
  return status?.entries.map(({ path }) => path) ?? null;
}

test('an edit that no time tells, which git sees by the content alone, is seen', async () => {
  await using repo = await racy();
  await editUnseen(repo, 'src/f7.ts');
  const { quick, plain } = await statuses(repo);
  expect(pathsIn(plain)).toEqual(['src/f7.ts']);
  expect(quick).toEqual(plain);
  date(repo, '.git/index', second + 1);
  const later = await statuses(repo);
  // So far git is right to look: with a younger index it cannot know.
  expect(pathsIn(later.plain)).toEqual([]);
  expect(later.quick).toBeNull();
});

test('an index that was written in the last nanosecond of a second is of that second', async () => {
  await using repo = await racy();
  await editUnseen(repo, 'src/f7.ts');
  execFileSync('touch', ['-d', `@${second}.999999999`, join(repo.root, '.git/index')]);
  const { quick, plain } = await statuses(repo);
  expect(pathsIn(plain)).toEqual(['src/f7.ts']);
  expect(quick).toEqual(plain);
});

test('the index and the work tree are left alone, and no copy stays', async () => {
  await using repo = await racy();
  await repo.write({ 'src/new.ts': 'new\n' });
  const before = lookAt(repo.root);
  const { quick } = await statuses(repo);
  expect(pathsIn(quick)).toEqual(['src/new.ts']);
  expect(lookAt(repo.root)).toEqual(before);
  expect(readdirSync(repo.scratch)).toEqual([]);
});

function lookAt(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => {
    const { mtimeMs, ctimeMs, size } = statSync(join(root, path));
    return `${path} ${mtimeMs} ${ctimeMs} ${size}`;
  });
}

test('deleted, renamed, staged and executable files, links and modes are told as ever', async () => {
  await using repo = await racy();
  await repo.write({ 'src/f1.ts': 'staged\n', 'src/f2.ts': 'staged\n' });
  repo.git('add', 'src/f1.ts', 'src/f2.ts');
  await editUnseen(repo, 'src/f2.ts');
  await repo.remove('src/f3.ts', 'src/f4.ts');
  symlinkSync('f5.ts', join(repo.root, 'src/f4.ts'));
  repo.git('mv', 'src/f6.ts', 'src/moved.ts');
  chmodSync(join(repo.root, 'src/f8.ts'), 0o755);
  repo.git('rm', '-q', '--cached', 'src/f9.ts');
  repo.git('update-index', '--assume-unchanged', 'src/f10.ts');
  repo.git('update-index', '--skip-worktree', 'src/f11.ts');
  for (const name of ['src/f10.ts', 'src/f11.ts']) await editUnseen(repo, name);
  date(repo, '.git/index');
  const { quick, plain } = await statuses(repo);
  expect(quick).toEqual(plain);
  expect(pathsIn(plain)).toHaveLength(8);
});

test('files that the disk has in another form than git are left to git', async () => {
  await using repo = await racy();
  await repo.write({ '.gitattributes': 'src/f1*.ts text eol=crlf\n', 'large.txt': 'x' });
  const crlf = names.filter((name) => name.startsWith('src/f1'));
  repo.git('add', '.');
  for (const name of crlf) await repo.remove(name);
  symlinkSync('f0.ts', join(repo.root, 'src/link.ts'));
  repo.git('add', 'src/link.ts', '.gitattributes');
  repo.git('checkout', '--', 'src');
  for (const name of crlf) date(repo, name);
  repo.git('update-index', '--refresh');
  await editUnseen(repo, 'src/f0.ts');
  date(repo, '.git/index');
  const asked: string[] = [];
  const { quick, plain } = await statuses(repo, sparingOf(repo, asked));
  expect(quick).toEqual(plain);
  expect(pathsIn(plain)).toEqual(['.gitattributes', 'large.txt', 'src/f0.ts', 'src/link.ts']);
  expect(asked.toSorted()).toEqual(['src/f0.ts', ...crlf].toSorted());
});

test('files that are as git saw them are not read, in whatever form, and an edit since is seen', async () => {
  await using repo = await racy();
  const crlf = names.filter((name) => name.startsWith('src/f1'));
  await repo.write({ '.gitattributes': 'src/f1*.ts text eol=crlf\n' });
  for (const name of crlf) await repo.remove(name);
  await repo.commit('In another form');
  repo.git('checkout', '-q', 'HEAD~', '--', 'src');
  await repo.commit('Both forms');
  const soon = Math.ceil(Date.now() / 1000) + 60;
  for (const name of names) date(repo, name, soon);
  repo.git('update-index', '--refresh');
  date(repo, '.git/index', soon);
  const none: string[] = [];
  const first = await statuses(repo, sparingOf(repo, none));
  expect(pathsIn(first.quick)).toEqual([]);
  expect(first.quick).toEqual(first.plain);
  expect(none).toEqual([]);
  for (const [name, word] of [
    ['src/f2.ts', 'two'],
    ['src/f3.ts', 'one'],
  ] as const) {
    await repo.write({ [name]: `${word} ${name}\n` });
    date(repo, name, soon);
  }
  const edited = await statuses(repo);
  expect(pathsIn(edited.plain)).toEqual(['src/f2.ts']);
  expect(edited.quick).toEqual(edited.plain);
  renameSync(join(repo.root, 'src'), join(repo.root, 'elsewhere'));
  symlinkSync('elsewhere', join(repo.root, 'src'));
  const linked = await statuses(repo);
  expect(linked.quick ?? linked.plain).toEqual(linked.plain);
});

test('where most files have another form, git is asked as ever', async () => {
  await using repo = await racy();
  const many = Array.from({ length: 70 }, (_, number) => `many/f${number}.txt`);
  await repo.write({ '.gitattributes': '*.txt text eol=crlf\n' });
  await repo.write(Object.fromEntries(many.map((name) => [name, `${name}\r\n`])));
  await repo.commit('In another form');
  date(repo, '.git/index', 1);
  const { quick, plain } = await statuses(repo);
  expect(quick).toBeNull();
  expect(pathsIn(plain)).toEqual([]);
});

test('a linked work tree has an index of its own, and a folder in it its own paths', async () => {
  await using repo = await racy();
  const linked = join(repo.scratch, 'linked');
  repo.git('worktree', 'add', '-q', '--detach', linked);
  const room = { root: join(linked, 'src'), scratch: join(repo.scratch, 'copies') };
  const tree = { ...repo, root: linked };
  for (const name of names) date(tree, name);
  repo.git('-C', linked, 'update-index', '--refresh');
  utimesSync(repo.git('-C', linked, 'rev-parse', '--git-path', 'index'), second, second);
  writeFileSync(join(linked, 'src/f3.ts'), 'two src/f3.ts\n');
  date(tree, 'src/f3.ts');
  writeFileSync(join(linked, 'outside.ts'), '');
  const { quick, plain } = await statuses(room);
  expect(quick).toEqual(plain);
  expect(pathsIn(plain)).toEqual(['f3.ts']);
});

test('changes in a submodule are told as ever, and a link in its place is left to git', async () => {
  await using repo = await racy();
  await using inner = await tempRepository();
  await inner.commit('Inner', { 'a.ts': 'a\n' });
  const allowed = ['-c', 'protocol.file.allow=always'];
  repo.git(...allowed, 'submodule', 'add', '-q', inner.root, 'sub');
  await repo.commit('With a submodule');
  await repo.write({ 'sub/a.ts': 'b\n' });
  date(repo, '.git/index');
  const { quick, plain } = await statuses(repo);
  expect(quick).toEqual(plain);
  expect(quick?.entries).toMatchObject([{ path: 'sub', submodule: 'S.M.' }]);
  await rm(join(repo.root, 'sub'), { recursive: true });
  symlinkSync(inner.root, join(repo.root, 'sub'));
  const place = { root: repo.root, signal };
  const folders = await gitFolders(place);
  expect(
    folders &&
      (await quickStatus(place, { folders, sparing: sparingOf(repo), index: indexOf(folders) })),
  ).toBeNull();
});

test('what changes the index meanwhile, or deletes the copy, leads to a plain answer', async () => {
  await using repo = await racy();
  const during = (deed: () => void): Sparing => ({
    ...sparingOf(repo),
    async differing() {
      deed();
      return [];
    },
  });
  const staged = during(() => repo.git('update-index', '--assume-unchanged', 'src/f1.ts'));
  expect((await statuses(repo, staged)).quick).toBeNull();
  date(repo, '.git/index');
  const swept = during(() => {
    for (const name of readdirSync(repo.scratch)) unlinkSync(join(repo.scratch, name));
  });
  expect((await statuses(repo, swept)).quick).toBeNull();
});

test('a pipe in the place of the index is not waited for', async () => {
  await using repo = await racy();
  await repo.remove('.git/index');
  execFileSync('mkfifo', [join(repo.root, '.git/index')]);
  expect(indexAhead(repo.root)).toBeNull();
});

test('a copy that cannot be made stops nothing', async () => {
  await using repo = await racy();
  await repo.write({ file: '' });
  expect((await statuses({ ...repo, scratch: join(repo.root, 'file') })).quick).toBeNull();
});

test('an aborted signal leaves no copy', async () => {
  await using repo = await racy();
  const ended = new AbortController();
  const place = { root: repo.root, signal: ended.signal };
  const folders = await gitFolders(place);
  const sparing: Sparing = {
    scratch: repo.scratch,
    async differing(files) {
      expect(readdirSync(repo.scratch)).toHaveLength(1);
      ended.abort(new Error('stop'));
      return files;
    },
  };
  if (folders === null) throw new Error('no repository');
  await expect(quickStatus(place, { folders, sparing, index: indexOf(folders) })).rejects.toThrow(
    'stop',
  );
  expect(readdirSync(repo.scratch)).toEqual([]);
});

const some = fc.constantFrom(...names.slice(0, 4), 'src/new.ts');
const time = fc.constantFrom(second - 1, second, second + 1);
type Deed = (repo: TempRepository) => void | Promise<void>;
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc
    .tuple(some, fc.constantFrom('one', 'two', 'longer'))
    .map(([name, word]): Deed => async (repo) => {
      await repo.write({ [name]: `${word} ${name}\n` });
      date(repo, name);
    }),
  fc.tuple(some, time).map(([name, at]): Deed => (repo) => {
    if (statSync(join(repo.root, name), { throwIfNoEntry: false })) date(repo, name, at);
  }),
  some.map(
    (name): Deed =>
      ({ root }) =>
        rm(join(root, name), { force: true }),
  ),
  fc.constant<Deed>((repo) => void repo.git('add', '-A', '--', 'src')),
  fc.constant<Deed>((repo) => void repo.git('commit', '-qm', 'More', '--allow-empty')),
  fc.constant<Deed>((repo) => void repo.git('update-index', '-q', '--refresh', '--really-refresh')),
  time.map(
    (at): Deed =>
      (repo) =>
        date(repo, '.git/index', at),
  ),
);

test('whatever is done, the answer is that of git', async () => {
  let taken = 0;
  const deeds = fc.array(deed, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(deeds, async (all) => {
      await using repo = await racy();
      for (const one of all) {
        try {
          await one(repo);
        } catch {
          // A refresh says so where something is changed.
          continue;
        }
      }
      const { quick, plain } = await statuses(repo);
      if (quick === null) return;
      taken++;
      expect(quick).toEqual(plain);
    }),
    { numRuns: 10 },
  );
  expect(taken).toBeGreaterThan(0);
});
