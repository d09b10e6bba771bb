import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  property,
  record,
  string,
} from 'fast-check';
import stringWidth from 'string-width';
import type { Row } from '../../../../src/faces/tui/screen-rows.ts';
import { describe, expect, test } from 'vitest';
import { inputRows } from '../../../../src/faces/tui/widgets/text-field/field-view.tsx';
import {
  pressKey,
  visibleLines,
  textField,
  withTyped,
} from '../../../../src/faces/tui/widgets/text-field/field.ts';

const textOf = (line: Row) => line.map(({ text }) => text).join('');
const shape = { width: 20, lines: 'many' } as const;

/** The field after some keys; `|` is the cursor of what is given and of what comes back. */
function after(marked: string, ...keys: readonly string[]): string {
  const cursor = marked.indexOf('|');
  const start = { ...textField(marked.replace('|', '')), cursor };
  return shown(keys.reduce((field, key) => pressKey(field, key, shape) ?? field, start));
}

function shown({ text, cursor }: ReturnType<typeof textField>): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('the cursor', () => {
  test.each([
    ['steps over a whole grapheme', 'a👍🏽|b', ['left'], 'a|👍🏽b'],
    ['steps over a letter with its accents', '|e\u0301x', ['right'], 'e\u0301|x'],
    ['goes to the start of the line', 'one\ntwo th|ree', ['ctrl+a'], 'one\n|two three'],
    ['goes to the end of the line', 'on|e\ntwo', ['end'], 'one|\ntwo'],
    ['goes back by words', 'fix the_parser.ts |', ['alt+left', 'ctrl+left'], 'fix |the_parser.ts '],
    ['goes on by words', '|fix größe, now', ['alt+f', 'ctrl+right'], 'fix größe|, now'],
    ['stays at the end', 'a|', ['right', 'alt+f', 'end', 'delete'], 'a|'],
    ['goes down', 'on|e\ntwo', ['down'], 'one\ntw|o'],
    ['counts columns, not letters', '漢字|\nabcdef', ['down'], '漢字\nabcd|ef'],
    [
      'goes down in a line that is broken on the screen',
      '|one two three four five',
      ['down'],
      'one two three four |five',
    ],
  ])('%s', (_, start, keys, end) => {
    expect(after(start, ...keys)).toBe(end);
  });

  test('does not leave the field: the screen is asked what up and down mean there', () => {
    const field = textField('one');
    expect(pressKey(field, 'up', shape)).toBeNull();
    expect(pressKey(field, 'down', shape)).toBeNull();
    expect(pressKey(textField('one\ntwo'), 'up', { ...shape, lines: 'one' })).toBeNull();
  });
});

describe('keys', () => {
  test.each([
    ['delete a grapheme backwards', 'a👍🏽|', ['backspace'], 'a|'],
    ['delete a grapheme forwards', '|👍🏽a', ['delete'], '|a'],
    ['delete a word backwards', 'fix the parser|', ['ctrl+w', 'alt+backspace'], 'fix |'],
    ['delete a word forwards', '|fix the', ['alt+d'], '| the'],
    ['delete to the start of the line', 'one\ntwo| three', ['ctrl+u'], 'one\n| three'],
    ['delete to the end of the line', 'o|ne\ntwo', ['ctrl+k'], 'o|\ntwo'],
    ['start a new line', 'a|b', ['alt+enter'], 'a\n|b'],
  ])('%s', (_, start, keys, end) => {
    expect(after(start, ...keys)).toBe(end);
  });

  test.each(['enter', 'esc', 'tab', 'pageup', 'ctrl+c', 'ctrl+r', 'a'])(
    '%s is left to others',
    (key) => {
      expect(pressKey(textField('one\ntwo'), key, shape)).toBeNull();
    },
  );

  test('what becomes one grapheme by deleting is not cut by the cursor', () => {
    expect(after('e\n|\u0301x', 'backspace')).toBe('e\u0301|x');
  });
});

test('pasted text is made safe to show, its line ends are kept', () => {
  const field = withTyped(textField(), 'one\r\n\u001b[31mtwo\u001b]0;x\u0007\rthree\u202e');
  expect(field.text).toBe('one\ntwo\nthree');
});

test('the row of the cursor is always among the rows that are shown', () => {
  const field = { ...textField(Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\n')) };
  const texts = (cursor: number) =>
    inputRows({ ...field, cursor }, { width: 20, height: 3, active: true }).map(textOf);
  expect(texts(0)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(texts(field.text.length)).toEqual(['line 47', 'line 48', 'line 49 ']);
});

// A rare grapheme alone takes five columns, which a narrower field cannot hold.
const anything = string({ unit: 'grapheme', maxLength: 60 }).chain((text) =>
  record({ text: constant(text), width: integer({ min: 8, max: 30 }) }),
);

test('lines hold the whole text and stay in the field', () => {
  assert(
    property(anything, ({ text, width }) => {
      const { text: safe } = textField(text);
      const lines = visibleLines(safe, width);
      const joined = lines.map(
        ({ start, end, isSoft }) => safe.slice(start, end) + (isSoft ? '' : '\n'),
      );
      expect(joined.join('')).toBe(`${safe}\n`);
      for (const line of inputRows(textField(text), { width, height: 99, active: true })) {
        expect(stringWidth(textOf(line))).toBeLessThanOrEqual(width);
      }
    }),
    { examples: [[{ text: '\u{16fe0}   ', width: 5 }]] },
  );
});

test('no keys leave the cursor inside of a grapheme', () => {
  const keys = 'left right up down alt+b alt+f home end backspace delete ctrl+w'.split(' ');
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
  assert(
    property(anything, array(constantFrom(...keys)), ({ text, width }, pressedKeys) => {
      const end = pressedKeys.reduce(
        (field, key) => pressKey(field, key, { width, lines: 'many' }) ?? field,
        textField(text),
      );
      const places = [...segments.segment(end.text)].map(({ index }) => index);
      expect([...places, end.text.length]).toContain(end.cursor);
    }),
  );
});
