import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { editText, editorWords } from '../../../src/commands/wiring/terminal-editor.ts';

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
    ['is not set up', {}, /^No editor is set; try: export EDITOR=nano$/],
    [
      'is not there',
      { EDITOR: 'no-such-editor' },
      /"no-such-editor" could not be started \(not found\)\. Nothing/,
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
  expect(editorWords({})).toBeNull();
});
