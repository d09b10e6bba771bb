import { expect, test } from 'vitest';
import { isNamedIn, needlesOf, stemOfWord } from '../../src/context/needles.ts';

function finds(keyword: string, name: string): boolean {
  return needlesOf([keyword]).some((needle) => isNamedIn(name, needle));
}

test.each([
  ['date', 'parseDate'],
  ['date', 'DATE_FORMAT'],
  ['parsing', 'parser'],
  ['formatting', 'format_date'],
  ['timezones', 'timezone.ts'],
  ['queries', 'runQuery'],
  ['dry-run', 'dryRun'],
  ['dry-run', 'dry_run'],
  ['parseDate', 'parse-date.ts'],
  ['JSON', 'toJson'],
  ['日期', '解析日期'],
  ['src/context/date.ts', 'date'],
])('%s is found in %s', (keyword, name) => {
  expect(finds(keyword, name)).toBe(true);
});

test.each([
  ['date', 'update'],
  ['CI', 'circle'],
  ['CI', 'decision'],
  ['parseDate', 'parse the date'],
])('%s is not found in %s', (keyword, name) => {
  expect(finds(keyword, name)).toBe(false);
});

test('a keyword that holds nothing to look for gives no needle', () => {
  expect(needlesOf(['', ' ', '\n', 'x'])).toEqual([]);
});

test.each([
  ['validation', 'validat'],
  ['classes', 'class'],
  ['status', 'status'],
  ['caching', 'cach'],
  ['string', 'string'],
])('the stem of %s is %s', (word, stem) => {
  expect(stemOfWord(word)).toBe(stem);
});
