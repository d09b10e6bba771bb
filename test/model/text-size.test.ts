import { expect, test } from 'vitest';
import { tokensOf } from '../../src/model/text-size.ts';

/** With what the tokenizer o200k counts. */
const counted = [
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['{"id": 1234567, "name": "example", "tags": ["a", "b"]}', 22],
  ['\n\n\n\n', 4],
  ['日本語のテキストを数える', 8],
] as const;

test.each(counted)('the tokens of %j are counted to about %i', (text, tokens) => {
  expect(tokensOf(text) / tokens).toBeGreaterThan(0.6);
  expect(tokensOf(text) / tokens).toBeLessThan(1.5);
});

test('nothing has no tokens, and more text never fewer', () => {
  expect(tokensOf('')).toBe(0);
  expect(tokensOf('a b')).toBeLessThanOrEqual(tokensOf('a b 1'));
});
