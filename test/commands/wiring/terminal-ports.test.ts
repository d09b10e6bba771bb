import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import {
  codeAround,
  editText,
  openFile,
  probeAgents,
  repositoryFiles,
  wordsAt,
} from '../../../src/commands/wiring/terminal-ports.ts';
import type { AgentState } from '../../../src/faces/tui/ports.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { fake } from '../../agents/agent-room.ts';
import type { Rig } from '../../helpers/rig.ts';
import { testRig, todoRig } from '../../helpers/test-rig.ts';
import { makePlace } from '../../app/settings/place.ts';

test('an agent that is not logged in is shown with its version first, then with the remedy', async () => {
  const others = adapters.filter(({ name }) => name !== 'claude');
  const off = others.map(({ name }) => `[agents.${name}]\nenabled = false\n`).join('');
  const place = makePlace(`[agents.claude]\npath = ${JSON.stringify(fake('help'))}\n${off}`);
  const shown = new Map<string, AgentState>();
  const settings = await place.load();
  const workplace = { root: place.repo, environment: process.env, settings };
  await probeAgents(workplace, (standings) => {
    for (const one of standings) if (one.name === 'claude') shown.set(one.state, one);
  });
  expect([...shown.values()].map(({ state, version, remedy }) => [state, version, remedy])).toEqual(
    [
      ['looking', null, null],
      ['ready', '4.5.6', null],
      ['not-logged-in', '4.5.6', 'Log in: claude auth login.'],
    ],
  );
});

function repositoryOf(rig: Rig): Promise<Repository> {
  const { signal } = new AbortController();
  return openRepository({ root: rig.repo, base: null, snapshots: null, signal });
}

describe('the files of a repository', () => {
  test('are those of git and the new ones, not the ignored ones, each once', async () => {
    const rig = await todoRig();
    rig.write('.gitignore', 'built/\n');
    rig.write('built/out.js', 'x\n');
    rig.write('new file.ts', 'x\n');
    rig.write('src/evil\u001b[2J.ts', 'x\n');
    expect([...(await repositoryFiles(rig.repo))].toSorted()).toEqual([
      '.gitignore',
      'README.md',
      'new file.ts',
      'package.json',
      'src/cli.js',
      'src/commands/add.js',
      'src/commands/list.js',
      'src/store.js',
      'test/list.test.js',
    ]);
  });

  test('are found without git, too', async () => {
    const rig = testRig();
    rig.write('src/a.ts', 'x\n');
    expect(await repositoryFiles(rig.repo)).toEqual(['src/a.ts']);
  });
});

describe('the code around a place', () => {
  test('is that of the base, also where the file has changed since', async () => {
    const rig = await todoRig();
    const repository = await repositoryOf(rig);
    rig.write('src/commands/list.js', 'changed\n');
    const code = await codeAround(repository, { path: 'src/commands/list.js', line: 4 });
    expect(code).toMatchObject({ path: 'src/commands/list.js', start: 1 });
    expect(code?.lines[3]).toBe('export function listTodos(args) {');
  });

  test('is there for a line behind the end, and bounded in a long file', async () => {
    const rig = testRig();
    rig.write(
      'long.txt',
      Array.from({ length: 500 }, (_, n) => `${n + 1} ${'x'.repeat(900)}`).join('\n'),
    );
    const repository = await repositoryOf(rig);
    const middle = await codeAround(repository, { path: 'long.txt', line: 300 });
    expect(middle?.start).toBe(293);
    expect(middle?.lines).toHaveLength(67);
    expect(middle?.lines[7]).toMatch(/^300 x{496}$/);
    expect((await codeAround(repository, { path: 'long.txt', line: 9999 }))?.start).toBe(493);
  });

  test.each(['no.txt', '../outside.txt', '/etc/passwd'])('is nothing for %s', async (path) => {
    const rig = testRig();
    rig.write('../outside.txt', 'secret\n');
    const repository = await repositoryOf(rig);
    expect(await codeAround(repository, { path, line: 1 })).toBeNull();
    expect(await codeAround(null, { path, line: 1 })).toBeNull();
  });
});

const script = new URL('../../fixtures/editor/told.mjs', import.meta.url).pathname;
const file = { name: '.task/TASK-001.json', text: '{"a": 1}' };
const editor = (words: string) => ({ VISUAL: `"${process.execPath}" ${script} ${words}` });

describe('an editor', () => {
  test('gets a private file with the text, and what it leaves comes back', async () => {
    const edited = await editText(file, editor(`save 'two words' three`));
    if (!edited.ok) throw new Error(edited.why);
    const [first = '', second] = edited.text.split('\n');
    const [, mode, path = ''] = /^two words\|three (\d+) (.*)$/.exec(first) ?? [];
    expect(mode).toBe('600');
    expect(path).toMatch(/TASK-001\.json$/);
    expect(second).toBe('{"a": 1}');
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    [
      'is not there',
      { EDITOR: 'no-such-editor' },
      /"no-such-editor" could not be started; to set another: export EDITOR=nano\. Nothing/,
    ],
    [
      'stands in a folder with a blank, without quotes',
      { EDITOR: '/opt/my editor/edit' },
      /"\/opt\/my editor\/edit" could not be started; .* A path with a blank needs quotes around it\. Nothing/,
    ],
    ['ends with an error', editor('fail'), /ended with exit code 3\. Nothing was changed\.$/],
    [
      'is killed',
      editor('killed'),
      /ended (?:by SIGTERM|with exit code 143)\. Nothing was changed\.$/,
    ],
  ])('that %s leaves the text as it was and says why', async (_, environment, why) => {
    const edited = await editText(file, environment);
    expect(edited).toEqual({ ok: false, why: expect.stringMatching(why) });
  });
});

test('VISUAL goes before EDITOR, an empty one is none, and both are shell commands', async () => {
  const own = editor(`save "two words"`).VISUAL;
  for (const environment of [
    { VISUAL: own, EDITOR: 'false' },
    { VISUAL: ' ', EDITOR: own },
  ]) {
    expect(await editText(file, environment)).toMatchObject({
      ok: true,
      text: expect.stringContaining('two words 600'),
    });
  }
});

describe('a file of the project', () => {
  test('is opened in place, and stays', async () => {
    const root = mkdtempSync(join(tmpdir(), 'conclave-open-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, 'a.js'), 'one\n');
    expect(await openFile({ root, path: 'a.js', line: 1 }, editor('save'))).toBeNull();
    expect(readFileSync(join(root, 'a.js'), 'utf8')).toContain('one');
    for (const path of ['b.js', '../a.js', '.']) {
      const why = `${path} is not a file of the project any more.`;
      expect(await openFile({ root, path, line: 1 }, editor('save'))).toBe(why);
    }
  });

  test.each([
    ['vi', ['+7', '/a.js']],
    ['/usr/bin/nano -w', ['+7', '/a.js']],
    ['code --wait', ['--goto', '/a.js:7']],
    ['hx', ['/a.js:7']],
    ['my-editor', ['/a.js']],
  ])('%s opens it at its line, where we know how', (command, words) => {
    expect(wordsAt(command, { file: '/a.js', line: 7 })).toEqual(words);
  });
});
