import { expect, test } from 'vitest';
import { stemOfWord, termsOf, tokensIn } from '../../../src/context/search/terms.ts';

test.each([
  ['parseDate', ['pars', 'dat', '=parsedat']],
  ['parse_date', ['pars', 'dat', '=parsedat']],
  ['PARSE-DATES', ['pars', 'dat', '=parsedat']],
  ['HTTPServer', ['http', 'serv', '=httpserv']],
  ['readUtf8Line', ['read', 'utf8', 'utf', 'lin', '=readutf8lin', '=readutf8', '=utf8lin']],
  ['x', []],
  ['导入路径', ['导入', '入路', '路径']],
])('%s is found as %j', (token, terms) => {
  expect([...termsOf(token)].toSorted()).toEqual([...terms].toSorted());
});

test('the forms of a word have one stem', () => {
  const forms = [
    ['validate', 'validates', 'validation', 'validator', 'validated', 'validating'],
    ['map', 'maps', 'mapping', 'mapped', 'mapper'],
    ['copy', 'copies', 'copied', 'copying'],
    ['class', 'classes'],
    ['parse', 'parser', 'parsing', 'parsed'],
  ];
  for (const words of forms) expect(new Set(words.map(stemOfWord)).size, words.join()).toBe(1);
  expect(stemOfWord('status')).not.toBe(stemOfWord('state'));
});

test('a text is split into its names and words, and numbers of some length', () => {
  expect(tokensIn('parseDate(dry-run, 42, 404) of $el: größe_2, 导入路径')).toEqual([
    'parseDate',
    'dry-run',
    '404',
    'of',
    '$el',
    'größe_2',
    '导入路径',
  ]);
});
