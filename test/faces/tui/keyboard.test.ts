import { describe, expect, test } from 'vitest';
import { type Taker, firstPress } from '../../../src/faces/tui/keyboard.ts';

/** All presses of typed text, as names, or in quotes where it is text. */
function pressed(typed: string, taker: Taker): readonly string[] {
  const all: string[] = [];
  for (let text = typed; text !== '';) {
    const { press, left } = firstPress({ name: null, text, isPasted: false }, taker);
    if (press !== null) all.push(press.name ?? `"${press.text}"`);
    text = left;
  }
  return all;
}

describe('where a field takes text', () => {
  test.each([
    ['text is taken at once', 'Add a flag', ['"Add a flag"']],
    ['Enter behind one line was pressed', 'Add a flag\r', ['"Add a flag"', 'enter']],
    ['Enter before one line was pressed', '\rtwo', ['enter', '"two"']],
    ['Tab behind one line was pressed', 'change @li\t', ['"change @li"', 'tab']],
    ['Enter that is held down is pressed as often', '\r\r\r', ['enter', 'enter', 'enter']],
    ['Tab and Enter that arrive at once were pressed', '\t\r', ['tab', 'enter']],
    ['several lines were pasted', 'one\rtwo\r', ['"one\rtwo\r"']],
    ['a table was pasted', 'a\tb\tc\n', ['"a\tb\tc\n"']],
    [
      'keys that write nothing stand alone',
      'ab\u0004\u0004cd',
      ['"ab"', 'ctrl+d', 'ctrl+d', '"cd"'],
    ],
    ['a letter that is held down is text', 'aaaa', ['"aaaa"']],
  ])('%s', (_, typed, expected) => {
    expect(pressed(typed, 'text')).toEqual(expected);
  });

  test('a big paste that nobody told of is one text', () => {
    expect(pressed('long line\r'.repeat(400), 'text')).toHaveLength(1);
  });
});

describe('where keys are taken', () => {
  test.each([
    ['each letter is a key', 'jjk', ['j', 'j', 'k']],
    ['Enter, Tab and space have names', 'y\r\t ', ['y', 'enter', 'tab', 'space']],
    ['control characters are keys with Ctrl', '\u000e\u001f\n', ['ctrl+n', 'ctrl+_', 'ctrl+j']],
    ['what is beyond the letters has no name', 'j👍k', ['j', '"👍"', 'k']],
    ['what is too long to be typed was pasted, and does nothing', 'delete everything\r', []],
  ])('%s', (_, typed, expected) => {
    expect(pressed(typed, 'keys')).toEqual(expected);
  });

  test('a key is pressed as often as it repeats', () => {
    expect(pressed('j'.repeat(300), 'keys')).toHaveLength(300);
  });
});

test.each(['text', 'keys'] as const)('what was pasted is never a key (%s)', (taker) => {
  const pasted = firstPress({ name: null, text: 'y', isPasted: true }, taker);
  expect(pasted).toEqual({ press: { name: null, text: 'y' }, left: '' });
});
