import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { copyPaths } from '../../src/store/copy-tree.ts';
import { newRoot } from './room.ts';

let from = '';
let to = '';
beforeEach(async () => {
  [from, to] = [await newRoot(), await newRoot()];
});

const copied = (...paths: string[]) => copyPaths({ from, to }, paths, new AbortController().signal);

const stampsIn = (root: string) =>
  ['deps', 'deps/bin', 'deps/bin/run', 'deps/key'].map((path) => {
    const { mode, mtimeMs } = lstatSync(join(root, path));
    return { path, mode, mtimeMs };
  });

test('a copy has the modes and times of files and folders, and is one of its own', async () => {
  mkdirSync(join(from, 'deps/bin'), { recursive: true });
  writeFileSync(join(from, 'deps/bin/run'), 'echo\n', { mode: 0o755 });
  writeFileSync(join(from, 'deps/key'), 'k', { mode: 0o400 });
  for (const path of ['deps/bin/run', 'deps/key', 'deps/bin', 'deps']) {
    utimesSync(join(from, path), 1_700_000_000, 1_700_000_001);
  }
  chmodSync(join(from, 'deps/bin'), 0o555);
  expect(await copied('deps/')).toBeNull();
  expect(stampsIn(to)).toEqual(stampsIn(from));
  writeFileSync(join(to, 'deps/bin/run'), 'changed');
  expect(readFileSync(join(from, 'deps/bin/run'), 'utf8')).toBe('echo\n');
  for (const root of [from, to]) chmodSync(join(root, 'deps/bin'), 0o755);
});

test('links are copied as links, also where they lead nowhere or to a folder', async () => {
  mkdirSync(join(from, 'deps/real'), { recursive: true });
  writeFileSync(join(from, 'deps/real/a'), 'a');
  symlinkSync('real', join(from, 'deps/folder'));
  symlinkSync('/nowhere/at all', join(from, 'deps/broken'));
  symlinkSync('deps', join(from, 'top'));
  expect(await copied('deps', 'top')).toBeNull();
  expect(['deps/folder', 'deps/broken', 'top'].map((path) => readlinkSync(join(to, path)))).toEqual(
    ['real', '/nowhere/at all', 'deps'],
  );
});

test('names that are odd, or no text at all, arrive', async () => {
  const names = ['-rf', 'two\nlines', 'a b', 'ü', '*', '\\'].map((name) => Buffer.from(name));
  const all = [...names, Buffer.from([0x66, 0xff, 0xfe])];
  mkdirSync(join(from, '-deps'));
  for (const name of all) writeFileSync(Buffer.concat([Buffer.from(`${from}/-deps/`), name]), name);
  expect(await copied('-deps')).toBeNull();
  const found = readdirSync(join(to, '-deps'), { encoding: 'latin1' });
  expect(found.toSorted()).toEqual(all.map((name) => name.toString('latin1')).toSorted());
});

test('sockets and pipes stay where they are', async () => {
  mkdirSync(join(from, 'run'));
  execFileSync('mkfifo', [join(from, 'run/pipe')]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(from, 'run/socket'), resolve));
  writeFileSync(join(from, 'run/file'), 'x');
  expect(await copied('run')).toBeNull();
  server.close();
  expect(readdirSync(join(to, 'run'))).toEqual(['file']);
});

test('what is there is replaced, and nothing is written through a link', async () => {
  const outside = await newRoot();
  writeFileSync(join(outside, 'precious'), 'mine');
  writeFileSync(join(from, '.env'), 'KEY=1');
  mkdirSync(join(from, 'local'));
  writeFileSync(join(from, 'local/new'), 'x');
  symlinkSync(join(outside, 'precious'), join(to, '.env'));
  symlinkSync(outside, join(to, 'local'));
  expect(await copied('.env')).toBeNull();
  expect(readFileSync(join(to, '.env'), 'utf8')).toBe('KEY=1');
  for (const path of ['local', 'local/new']) {
    expect(await copied(path)).toContain(`${path} cannot be copied: EEXIST`);
  }
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('mine');
  expect(readdirSync(outside)).toEqual(['precious']);
});

test('what is not there is told by its name', async () => {
  expect(await copied('absent/file')).toMatch(/^absent\/file cannot be copied: ENOENT/);
});

test('a copy of many files stops soon after it is told to', async () => {
  for (const at of Array.from({ length: 40 }).keys()) {
    mkdirSync(join(from, `deps/${at}`), { recursive: true });
    for (const file of Array.from({ length: 50 }).keys()) {
      writeFileSync(join(from, `deps/${at}/${file}`), 'x');
    }
  }
  const controller = new AbortController();
  const copying = copyPaths({ from, to }, ['deps'], controller.signal);
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(copying).rejects.toThrow('enough');
  expect(existsSync(join(to, 'deps/39'))).toBe(false);
});
