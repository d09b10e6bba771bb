import { expect, test } from 'vitest';
import { withoutInvisible } from '../../src/model/invisible.ts';

const tags = (text: string) =>
  Array.from(text, (sign) => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0))).join('');

test('tags, marks of direction and characters of no width go, and are counted', () => {
  const text = `a${tags('evil')}b\u200Bc\u202Ed\u2066e\uFEFF\nf`;
  expect(withoutInvisible(text)).toEqual({ text: 'abcde\nf', removed: 8 });
});

test.each([
  ['plain', 'const a = 1;\r\n\tb();'],
  ['emoji that are joined', 'family 👨‍👩‍👧 and heart ❤️'],
  ['Persian with a joiner between its letters', 'می‌خواهم'],
  ['East Asian text', '日本語 한국어'],
])('%s stays as it is', (_, text) => {
  expect(withoutInvisible(text)).toEqual({ text, removed: 0 });
});

test('a joiner beside Latin letters hides in a name, and goes', () => {
  expect(withoutInvisible('pass\u200Dword \u200C')).toEqual({ text: 'password ', removed: 2 });
});
