import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempRepository } from '../../git/temp-repository.ts';
import { indexRoom, searchEarly, searchIn } from './search.ts';

const task = 'Parse the dates of invoices';
const files = {
  'src/date.ts': 'export function parseDate(text: string) {\n  return text;\n}\n',
  'src/invoice.ts': 'export class Invoice {\n  // dates are parsed here\n}\n',
  'src/other.ts': 'export const other = 1;\n',
};

test.each(['git', 'plain'] as const)('only changed contents are read again (%s)', async (kind) => {
  await using repo = await tempRepository(kind);
  await using room = await indexRoom();
  await repo.write(files);
  if (kind === 'git') await repo.commit('Start');
  const first = await room.search(await repo.open(), task);
  expect(first.report).toMatchObject({ files: 3, filesRead: 3 });
  const second = await room.search(await repo.open(), task);
  expect(second.report).toMatchObject({ files: 3, filesRead: 0, commitsRead: 0 });
  expect(second.files).toEqual(first.files);
  await repo.write({ 'src/other.ts': 'export const parsedDates = 2;\n' });
  const third = await room.search(await repo.open(), task);
  expect(third.report.filesRead).toBe(1);
  expect(third.files.find(({ path }) => path === 'src/other.ts')?.symbols).toEqual(['parsedDates']);
});

test('only new commits are read again, and a moved file is not', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Start', files);
  await room.search(await repo.open(), task);
  repo.git('mv', 'src/date.ts', 'src/day.ts');
  await repo.commit('Move');
  const { report, paths } = await room.search(await repo.open(), task);
  expect(report).toMatchObject({ filesRead: 0, commits: 2, commitsRead: 1 });
  expect(paths).toContain('src/day.ts');
  expect(paths).not.toContain('src/date.ts');
});

test('the index does not grow without end where everything changes', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  for (let turn = 0; turn < 30; turn += 1) {
    await repo.write({ 'a.ts': `export const a${turn} = 1;\n`, 'b.ts': `const b = ${turn};\n` });
    await room.search(await repo.open(), 'Change a');
  }
  expect(segmentsIn(room.folder).length).toBeLessThan(10);
});

test('many small parts are put together, by a search that has little else to read', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const search = () => searchEarly(room.folder, { root: repo.root, task });
  for (let turn = 0; turn < 12; turn++) {
    await repo.commit(`Add ${turn}`, { [`src/${turn}.ts`]: `export const name${turn} = 1;\n` });
    await search();
  }
  const many = Array.from({ length: 100 }, (_, at) => [`many/${at}.ts`, `let a${at} = 1;\n`]);
  await repo.commit('Add many', Object.fromEntries(many));
  expect((await search()).report).toMatchObject({ files: 112, filesRead: 100 });
  expect(segmentsIn(room.folder).length).toBe(26);
  await repo.commit('Add one', { 'src/last.ts': 'export const last = 1;\n' });
  const { report } = await search();
  expect(report.filesRead).toBeGreaterThan(5);
  expect(segmentsIn(room.folder).length).toBeLessThan(18);
  expect((await search()).report).toMatchObject({ files: 113, filesRead: 0 });
});

test('an index that is damaged anywhere gives the same files, and says that it was discarded', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Parse the dates', files);
  const repository = await repo.open();
  const { files: right } = await room.search(repository, task);
  const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(), async ({ at, cut }, which) => {
      const segments = segmentsIn(room.folder);
      const path = segments[which % segments.length] ?? '';
      const place = Math.floor(at * (statSync(path).size - 1));
      if (cut) truncateSync(path, place);
      else flip(path, place);
      const found = await room.search(repository, task);
      expect(found.files).toEqual(right);
      const again = await room.search(repository, task);
      expect(again.notes).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('an index of another version is discarded with a note', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  await repo.write(files);
  const { files: right } = await room.search(await repo.open(), task);
  for (const path of segmentsIn(room.folder)) flip(path, 16);
  const { files: found, notes } = await room.search(await repo.open(), task);
  expect(found).toEqual(right);
  expect(notes).toEqual([
    'A part of the search index was discarded and is built again: it is of another version.',
  ]);
});

test.each([
  ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdirSync(join(path, 'inner'), { recursive: true })],
  ['a link to itself', (path: string) => symlinkSync(path, path)],
])('%s in the place of a part of the index is discarded', async (_, make) => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Parse the dates', files);
  const { files: right } = await room.search(await repo.open(), task);
  for (const path of segmentsIn(room.folder)) {
    rmSync(path);
    make(path);
  }
  const { files: found, notes } = await room.search(await repo.open(), task);
  expect(found).toEqual(right);
  expect(notes).toEqual([
    'A part of the search index was discarded and is built again: it is no plain file.',
  ]);
  expect((await room.search(await repo.open(), task)).notes).toEqual([]);
});

// Root may read everything.
test.skipIf(process.getuid?.() === 0)('a part that may not be read is discarded', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Parse the dates', files);
  const { files: right } = await room.search(await repo.open(), task);
  for (const path of segmentsIn(room.folder)) chmodSync(path, 0);
  const { files: found, notes } = await room.search(await repo.open(), task);
  expect(found).toEqual(right);
  expect(notes).toEqual([
    'A part of the search index was discarded and is built again: it may not be read.',
  ]);
  expect((await room.search(await repo.open(), task)).notes).toEqual([]);
});

test.each(['*/files', '*/commits', '*'])(
  'a file or a link in the place of the folder %s of the index is discarded',
  async (pattern) => {
    await using repo = await tempRepository();
    await using room = await indexRoom();
    await repo.commit('Parse the dates', files);
    const { files: right } = await room.search(await repo.open(), task);
    const [folder = ''] = globSync(pattern, { cwd: room.folder });
    const path = join(room.folder, folder);
    const make = [() => writeFileSync(path, ''), () => symlinkSync('nowhere', path)];
    for (const replace of make) {
      rmSync(path, { recursive: true });
      replace();
      const { files: found, notes } = await room.search(await repo.open(), task);
      expect(found).toEqual(right);
      expect(notes).toEqual([
        'A part of the search index was discarded and is built again: it is no folder.',
      ]);
      expect((await room.search(await repo.open(), task)).notes).toEqual([]);
    }
  },
);

test('ten searches at once find the same and leave a sound index', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Start', files);
  const repository = await repo.open();
  const all = await Promise.all(Array.from({ length: 10 }, () => room.search(repository, task)));
  for (const { files: found } of all) expect(found).toEqual(all[0]?.files);
  const { report, notes } = await room.search(repository, task);
  expect(report.filesRead).toBe(0);
  expect(notes).toEqual([]);
});

test('what a process left that is gone is deleted, and what another one just wrote is not', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  await repo.commit('Start', files);
  for (const name of ['left.tmp', 'new.tmp', 'other']) writeFileSync(join(room.folder, name), '');
  mkdirSync(join(room.folder, 'folder.tmp/inner'), { recursive: true });
  for (const name of ['left.tmp', 'folder.tmp', 'other']) utimesSync(join(room.folder, name), 1, 1);
  await room.search(await repo.open(), task);
  expect(globSync('*', { cwd: room.folder }).toSorted().slice(1)).toEqual(['new.tmp', 'other']);
});

test('without a folder that can be written, the search still answers and says so', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  await repo.write(files);
  const blocked = join(room.folder, 'file');
  writeFileSync(blocked, '');
  const { paths, notes } = await searchIn(blocked, { repository: await repo.open(), task });
  expect(paths).toContain('src/date.ts');
  expect(notes.join()).toMatch(
    /^The search index cannot be kept in .*\((?:ENOTDIR|EEXIST)\); each search reads everything again\.$/,
  );
});

test('a file that became a link out of the tree while it was read is left out', async () => {
  await using repo = await tempRepository('plain');
  await using room = await indexRoom();
  await repo.write({ ...files, 'src/hidden.ts': 'export const parseDates = 1;\n' });
  const repository = await repo.open();
  const marks = await repository.marks();
  rmSync(join(repo.root, 'src/hidden.ts'));
  await symlink('/etc/passwd', join(repo.root, 'src/hidden.ts'));
  const stale = { ...repository, marks: async () => marks };
  const { report } = await room.search(stale, task);
  expect(report.filesRead).toBe(3);
});

function segmentsIn(folder: string): readonly string[] {
  return globSync('**/*.seg', { cwd: folder })
    .toSorted()
    .map((name) => join(folder, name));
}

function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] = (bytes[place] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}
