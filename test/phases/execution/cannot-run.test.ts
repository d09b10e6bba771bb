import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CheckRun } from '../../../src/model/check-record.ts';
import { missingPart, remedyFor } from '../../../src/phases/execution/cannot-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'conclave-cannot-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const failed = (output: string): CheckRun => ({
  check: 'npm run compile',
  kind: 'command',
  criterion: null,
  passed: false,
  note: 'exit code 2',
  output,
  ms: 1,
});
const missing = (output: string, ...paths: string[]) => {
  const files = paths.map((path) => ({ path, action: 'modify', change: 'x' }) as const);
  return missingPart(failed(output), [{ files }], { home: folder, cwd: folder });
};

test.each([
  "src/a.test.ts(8,29): error TS2591: Cannot find name 'node:test'. Do you need to install type definitions for node? Try `npm i --save-dev @types/node` and then add 'node' to the types field in your tsconfig.",
  "src/a.test.ts(3,1): error TS2582: Cannot find name 'describe'. Do you need to install type definitions for a test runner? Try `npm i --save-dev @types/jest` or `npm i --save-dev @types/mocha`.",
  "error TS2688: Cannot find type definition file for 'node'.",
  "src/a.ts(1,20): error TS2307: Cannot find module 'yargs' or its corresponding type declarations.",
  "ModuleNotFoundError: No module named 'yaml'",
])(
  'a compiler or a program of the whole machine that lacks what the project needs: %s',
  async (line) => {
    expect(await missing(`> tsc -p .\n${line}\n`, 'src/a.ts')).toMatchObject({ line, copy: null });
  },
);

test('what the tasks bring, or is of the project itself, is not missing', async () => {
  const own = "src/a.ts(1,20): error TS2307: Cannot find module './b.js'.";
  const types = "error TS2688: Cannot find type definition file for 'node'.";
  expect(await missing(own, 'src/a.ts')).toBeNull();
  for (const name of ['@/add.js', '~/add.js', '#util/add.js'])
    expect(await missing(`Cannot find module '${name}' from 'a.test.js'`, 'src/a.ts')).toBeNull();
  expect(await missing(types, 'package.json')).toBeNull();
});

test.each([
  [
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'Nothing answers on port 5432, where PostgreSQL usually does',
  ],
  ['connection to server at "127.0.0.1", port 5432 failed: Connection refused', 'PostgreSQL'],
  ['Error: listen EADDRINUSE: address already in use :::3000', 'Another program uses that port'],
  [
    '[ERROR] Plugin org.example:some-plugin:9.9 or one of its dependencies could not be resolved: Cannot access central in offline mode',
    'It has to be fetched first',
  ],
  [
    'failed to initialize build cache at /srv/cache: mkdir /srv/cache: read-only file system',
    'to their work tree and to caches only',
  ],
  // Node says so of a folder that cannot be made in a linked one, where checks may only read.
  [
    "Error: ENOENT: no such file or directory, mkdir '/srv/trees/one/node_modules/.vite-temp'",
    'let it run with --unconfined',
  ],
  [
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'Start Docker',
  ],
  ['docker: unknown command: docker compose', 'Install that plugin'],
])('what is outside of the project is named: %s', async (line, help) => {
  expect(await missing(`one\n${line}\n`, 'src/a.ts')).toMatchObject({
    line,
    help: expect.stringContaining(help),
  });
});

test('a service is named where its port stands in another line', async () => {
  const output =
    's.connect(("127.0.0.1", 6379))\nE ConnectionRefusedError: [Errno 111] Connection refused';
  const said = { line: expect.stringContaining('refused'), help: expect.stringContaining('Redis') };
  expect(await missing(output, 'src/a.py')).toMatchObject(said);
});

test('a program that is not there is to be installed, whatever the check is called', async () => {
  const run = {
    ...failed(''),
    kind: 'test' as const,
    note: 'go cannot be started: spawn go ENOENT',
  };
  const found = await missingPart(run, [], { home: folder, cwd: folder });
  expect(found).toMatchObject({ help: expect.stringContaining('go is not installed') });
});

test('what npx would fetch is a missing module', async () => {
  const line =
    'npm warn exec The following package was not found and will be installed: jest@30.5.2';
  expect(await missing(line, 'src/a.js')).toMatchObject({ line, copy: null, help: null });
});

test('a port that a task may open is no service that is missing', async () => {
  expect(await missing('Error: connect ECONNREFUSED 127.0.0.1:41873', 'server.js')).toBeNull();
});

test('a module of the same name as a folder of the task is missing, unless the task makes it', async () => {
  const line = "ModuleNotFoundError: No module named 'two'";
  mkdirSync(join(folder, 'packages/two'), { recursive: true });
  writeFileSync(join(folder, 'packages/two/core.py'), '');
  expect(await missing(line, 'packages/two/core.py')).toMatchObject({ line });
  expect(await missing(line, 'new/two/core.py')).toBeNull();
});

/** A user’s folder with these files, and a work tree without them. */
function apart(...files: readonly string[]) {
  const room = mkdtempSync(join(folder, 'apart-'));
  const [home, cwd] = [join(room, 'home'), join(room, 'tree')];
  for (const place of [home, cwd]) mkdirSync(place);
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), '');
  }
  return { home, cwd };
}

const everyPath = async () => true;
const build = {
  kind: 'build',
  value: 'npm run build',
  folder: '',
  language: 'javascript',
} as const;

test.each([
  [
    'dist/add.js',
    "Cannot find module 'TREE/dist/add.js' imported from TREE/a.test.js",
    'npm run build',
  ],
  [
    'build/CTestTestfile.cmake',
    'Failed to change working directory to "TREE/build" : No such file',
    'npm run build',
  ],
  [
    '.venv/bin/python',
    'bwrap: execvp .venv/bin/python: No such file or directory',
    'link = [".venv"]',
  ],
  ['.env', "ENOENT: no such file or directory, open '.env'", 'copy = [".env"]'],
  ['node_modules/pad/index.js', "Cannot find package 'pad' imported from TREE/a.js", 'Set setup'],
])(
  '%s of the user’s folder, which a work tree lacks, is named with what brings it',
  async (file, said, remedy) => {
    const { home, cwd } = apart(file, ...(file.startsWith('.venv/') ? ['.venv/pyvenv.cfg'] : []));
    const run = failed(said.replaceAll('TREE', cwd));
    const found = await missingPart(run, [], { home, cwd });
    const place = { home, cwd, buildFacts: [{ ...build, source: 'package.json' }] };
    const known = { place, setup: [], found: null, session: 'MCP-1', isIgnored: everyPath };
    expect(found).not.toBeNull();
    expect(await remedyFor(found ?? { copy: null, help: null }, known)).toContain(remedy);
  },
);

test('a folder that is only named by a word of the output is not missing', async () => {
  const { home, cwd } = apart('build/a.js', 'coverage/index.html');
  for (const said of [
    "AssertionError: the step 'build' was not found",
    '1 failed, see coverage/index.html',
  ]) {
    expect(await missingPart(failed(said), [], { home, cwd })).toBeNull();
  }
});
