import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import stringWidth from 'string-width';
import { beforeAll, expect, test } from 'vitest';
import { builtCli } from '../helpers/built.ts';
import { narrowLetters } from '../tools/lighter-packages.ts';

const root = new URL('../..', import.meta.url).pathname;

let chunks: readonly { readonly name: string; readonly text: string }[];
beforeAll(() => {
  const folder = join(builtCli(), '../chunks');
  chunks = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
});

test('what is published runs a whole session without any package beside it', async () => {
  const base = mkdtempSync(join(tmpdir(), 'conclave-published-'));
  try {
    for (const part of ['dist', 'schemas', 'templates', 'package.json']) {
      cpSync(join(root, part), join(base, 'package', part), { recursive: true });
    }
    const repo = join(base, 'repo');
    cpSync(join(root, 'src/model'), join(repo, 'model'), { recursive: true });
    writeFileSync(join(repo, 'README.md'), '# Model\n');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(base, 'package/dist/cli.js'), '-y', '--tools', 'local', 'Add a field to the receipt'],
      { cwd: repo, env: { PATH: process.env['PATH'], HOME: base } },
    );
    expect(stdout).toContain('The draft is approved.');
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

test('whoever installs what is published has no script to agree to', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const run = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(run.filter((name) => name in scripts)).toEqual([]);
});

test('only the chunks that a terminal needs bring React and Ink along', () => {
  expect(chunks.length).toBeGreaterThan(10);
  const marks = /react\.element|reconciler|yoga-layout/i;
  const found = chunks.filter(({ text }) => marks.test(text)).map(({ name }) => name);
  expect(found).toHaveLength(1);
  const bringing = new Set(found);
  // A set that grows is walked to its new end.
  for (const name of bringing)
    for (const user of chunks) if (user.text.includes(`from"./${name}"`)) bringing.add(user.name);
  const entered = [...bringing].filter((name) =>
    chunks.some(({ text }) => text.includes(`import("./${name}")`)),
  );
  // The planning screens, the chat and the questions of commands.
  expect(entered.map((name) => name.replace(/-.*/, '')).toSorted()).toEqual([
    'chat',
    'open',
    'question',
  ]);
  expect(bringing).not.toContain('cli.js');
});

test('a command that asks no model behind an API loads nothing of what it takes to ask one', async () => {
  const base = mkdtempSync(join(tmpdir(), 'conclave-start-'));
  try {
    for (const part of ['dist', 'schemas', 'templates', 'package.json']) {
      cpSync(join(root, part), join(base, part), { recursive: true });
    }
    const users = chunks.filter(({ text }) => text.includes('AI_APICallError'));
    expect(users.length).toBeGreaterThan(0);
    for (const { name, text } of users) {
      const alarm = 'process.stderr.write("the SDK was loaded\\n");';
      writeFileSync(join(base, 'dist/chunks', name), alarm + text);
    }
    mkdirSync(join(base, '.config/conclave'), { recursive: true });
    writeFileSync(
      join(base, '.config/conclave/config.toml'),
      '[agents.grok]\nprovider = "compatible"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n',
    );
    const said = async (...words: readonly string[]) => {
      const env = { PATH: process.env['PATH'], HOME: base, XDG_CONFIG_HOME: join(base, '.config') };
      const args = [join(base, 'dist/cli.js'), ...words];
      const run = promisify(execFile)(process.execPath, args, { cwd: base, env });
      const { stdout, stderr } = await run.catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      return stdout + stderr;
    };
    for (const command of ['agents', 'help', 'doctor', 'sessions', 'login grok']) {
      expect(await said(...command.split(' '))).not.toContain('the SDK was loaded');
    }
    expect(await said('consult', '--agent', 'grok', 'Why?')).toContain('the SDK was loaded');
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

test('the list of commands is told from three files, without the table of settings', () => {
  const start = chunks.find(({ name }) => /^command-line-\w{8}\.mjs$/.test(name));
  const loaded = new Set(start === undefined ? [] : [start]);
  // A set that grows is walked to its new end.
  for (const { text } of loaded)
    for (const one of chunks)
      if (new RegExp(`(?:from|import)"\\./${one.name}"`).test(text)) loaded.add(one);
  expect(loaded.size).toBe(3);
  for (const { text } of loaded) expect(text).not.toContain('workflow.fallback_chain');
});

test('no file makes V8 keep two bytes for each of its letters', () => {
  for (const { name, text } of chunks)
    expect([name, /[^\0-\u00ff]/.test(text)]).toEqual([name, false]);
});

test('what draws the screens fetches nothing to begin with', async () => {
  const [drawing] = chunks.filter(({ text }) => text.includes('yoga'));
  const path = JSON.stringify(join(builtCli(), '../chunks', drawing?.name ?? ''));
  const script = `globalThis.fetch = () => console.log('fetched'); await import(${path});`;
  const args = ['--input-type=module', '--eval', script];
  expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('');
});

test('each letter that the build takes for narrow has one column, alone and beside others', () => {
  const narrow = new RegExp(`^[${narrowLetters}]$`);
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const letters = all.filter((letter) => narrow.test(letter));
  expect(letters.length).toBeGreaterThan(1_000);
  // The Chinese letter is none of them, so that each is looked up.
  expect(letters.filter((one) => stringWidth(`中${one}中${one}${one}`) !== 7)).toEqual([]);
});
