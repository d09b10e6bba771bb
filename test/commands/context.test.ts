import { spawn } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { BuildFact, ContextAnswers, ProviderFall, RelevantFile } from '../../src/model/context.ts';
import { contextPage } from '../../src/commands/context-command.ts';
import { builtCli } from '../helpers/built.ts';
import { codebaseContext } from '../helpers/codebase-context.ts';
import { type Rig, ended, makeRig, program } from '../helpers/rig.ts';

let rig: Rig;
const outside = join(tmpdir(), `conclave-outside-${process.pid}.ts`);
beforeAll(async () => {
  builtCli();
  rig = makeRig();
  const key = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4)].join('');
  rig.write('package.json', '{ "scripts": { "test": "node --test" } }\n');
  rig.write(
    'src/greeting.ts',
    `import { other } from './other.ts';\nexport function greetVisitor() {\n  return "${key}";\n}\n`,
  );
  rig.write('src/other.ts', 'export const other = 1;\n');
  rig.write('test/greeting.test.ts', "import '../src/greeting.ts'; // greetVisitor\n");
  writeFileSync(outside, 'export function greetVisitor() {}\n');
  symlinkSync(outside, join(rig.repo, 'src/linked.ts'));
  await rig.git('init', '-q');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', 'Add greeting');
});
afterAll(() => {
  rig.remove();
  rmSync(outside);
});

const Found = z.strictObject({
  task: z.string(),
  keywords: z.array(z.string()),
  standing: z.string(),
  files: z.array(RelevantFile),
  detected_patterns: z.array(z.string()),
  architecture_insights: z.array(z.string()),
  build_facts: z.array(BuildFact),
  query_answers: ContextAnswers,
  project_facts: z.array(z.unknown()),
  provider: z.string(),
  degraded: z.boolean(),
  falls: z.array(ProviderFall),
  notes: z.array(z.string()),
  duration_ms: z.number(),
  searched: z.looseObject({ files: z.int(), skipped: z.record(z.string(), z.int()) }).nullable(),
});

test('shows the ranked files with reasons, then what is known around them, within 80 columns', async () => {
  const { code, stdout } = await rig.conclave('context', 'Change', 'greetVisitor');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ 1 +\d+\.\d\d {2}src\/greeting\.ts:1-\d+\n {12}\S/);
  expect(stdout).toContain('\nTests\n');
  expect(stdout).toContain('\n  src/greeting.ts is tested by test/greeting.test.ts.\n');
  expect(stdout).toContain('\nBuild and test\n');
  expect(stdout).toContain('  test: npm test (package.json)\n');
  expect(stdout).toMatch(/\d files by \w+ in \d+\.\d s/);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('prints everything as one document with --json', async () => {
  const { stdout } = await rig.conclave('context', '--json', 'greetVisitor');
  const found = Found.parse(JSON.parse(stdout));
  expect(found.files[0]?.path).toBe('src/greeting.ts');
  expect(found.build_facts).toContainEqual({
    kind: 'test',
    value: 'npm test',
    folder: '',
    language: 'javascript',
    source: 'package.json',
  });
});

test('prints the paths alone, best first, from a sub-folder too, and none outside', async () => {
  const { stdout } = await rig.conclave(
    'context',
    '-C',
    'src',
    '--format',
    'paths',
    'greetVisitor',
  );
  const paths = stdout.trimEnd().split('\n');
  expect(paths[0]).toBe('src/greeting.ts');
  expect(paths).toContain('test/greeting.test.ts');
  expect(paths).not.toContain('src/linked.ts');
});

test('prints no path that is not one: a name of two lines or with control characters is left out', async () => {
  const odd = ['src/two\nlines.ts', 'src/red\u001b[31m.ts'];
  for (const path of odd) rig.write(path, 'export function paintOddly() {}\n');
  rig.write('src/täb\t1.ts', 'paintOddly();\n');
  const { code, stdout, stderr } = await rig.conclave('context', '--format', 'paths', 'paintOddly');
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'src/täb\t1.ts\n',
    stderr:
      'conclave: Left out: 2 files with names that no line can show as they are; --json does.\n',
  });
  const whole = await rig.conclave('context', '--json', 'paintOddly');
  const paths = Found.parse(JSON.parse(whole.stdout)).files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(odd));
});

test('reads the task from standard input', async () => {
  const env = { PATH: process.env['PATH'], HOME: rig.home };
  const child = spawn(process.execPath, [program, 'context', '--format', 'paths', '-'], {
    cwd: rig.repo,
    env,
  });
  child.stdin.end('Change greetVisitor\n');
  const { code, stdout } = await ended(child);
  expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: 'src/greeting.ts' });
});

test('what was looked at is told, with what was left out', () => {
  const looked = {
    files: 200_001,
    commits: 0,
    skipped: { binary: 2, unreadable: 1 },
    unlisted: 1,
    refused: 2,
    unread: 7,
  };
  const found = codebaseContext({ provider: 'search', duration_ms: 1000 });
  expect(contextPage({ ...found, looked }, 300).at(-1)).toBe(
    '0 files by search in 1.0 s; looked at 200001 files (without 2 binary, 1 unreadable and 7 unread)' +
      ', but not into 2 folders that cannot be read, nor into 1 folder: too many files without git',
  );
  const page = contextPage({ ...found, provider: 'none', looked: null }, 120);
  expect(page).toEqual(['No file matches this task.', '', 'searched for 1.0 s']);
});
