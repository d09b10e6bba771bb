import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  editText,
  editorWords,
  openFile,
  wordsAt,
} from '../../../src/commands/wiring/terminal-editor.ts';

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
      /"no-such-editor" could not be started \(not found\); to set another: export EDITOR=nano\. Nothing/,
    ],
    ['ends with an error', editor('fail'), /ended with exit code 3\. Nothing was changed\.$/],
    ['is killed', editor('killed'), /was ended by SIGTERM\. Nothing was changed\.$/],
  ])('that %s leaves the text as it was and says why', async (_, environment, why) => {
    const edited = await editText(file, environment);
    expect(edited).toEqual({ ok: false, why: expect.stringMatching(why) });
  });
});

test.each([
  ['code --wait', ['code', '--wait']],
  ['  vim ', ['vim']],
  ['"/opt/My Editor/run" -n', ['/opt/My Editor/run', '-n']],
  ["'/opt/My Editor/run'", ['/opt/My Editor/run']],
  ['/opt/My\\ Editor/run', ['/opt/My Editor/run']],
  ['emacs -e "(say \\"hi\\")"', ['emacs', '-e', '(say "hi")']],
  ['vi; rm -rf $HOME', ['vi;', 'rm', '-rf', '$HOME']],
])('the words of %s', (line, words) => {
  expect(editorWords({ EDITOR: line })).toEqual(words);
});

test('VISUAL goes before EDITOR, and an empty one is none', () => {
  expect(editorWords({ VISUAL: 'a', EDITOR: 'b' })).toEqual(['a']);
  expect(editorWords({ VISUAL: ' ', EDITOR: 'b' })).toEqual(['b']);
  expect(editorWords({})).toEqual(['vi']);
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
    [['vi'], ['vi', '+7', '/a.js']],
    [
      ['/usr/bin/nano', '-w'],
      ['/usr/bin/nano', '-w', '+7', '/a.js'],
    ],
    [
      ['code', '--wait'],
      ['code', '--wait', '--goto', '/a.js:7'],
    ],
    [['hx'], ['hx', '/a.js:7']],
    [['my-editor'], ['my-editor', '/a.js']],
  ])('%j opens it at its line', (words, at) => {
    expect(wordsAt(words, { file: '/a.js', line: 7 })).toEqual(at);
  });
});
