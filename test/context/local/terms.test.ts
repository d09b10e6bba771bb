import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentWriter } from '../../../src/context/local/segment-writer.ts';
import { stemOf } from '../../../src/context/local/stem.ts';
import { termsOf, tokensIn } from '../../../src/context/local/terms.ts';

test.each([
  ['parseDate', ['pars', 'dat', '=parsedat']],
  ['parse_date', ['pars', 'dat', '=parsedat']],
  ['PARSE-DATES', ['pars', 'dat', '=parsedat']],
  ['HTTPServer', ['http', 'serv', '=httpserv']],
  ['readUtf8Line', ['read', 'utf8', 'utf', 'lin', '=readutf8lin', '=readutf8', '=utf8lin']],
  ['x', []],
  ['导入路径', ['导入', '入路', '路径']],
])('%s is kept as %j', (token, terms) => {
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
  for (const words of forms) expect(new Set(words.map(stemOf)).size, words.join()).toBe(1);
  expect(stemOf('status')).not.toBe(stemOf('state'));
});

test('an ASCII text gives the same index, read as bytes or as tokens', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'Ab', 'Date', '_', '$', '-', ' ', '\n', '1', '404', '.', '2fa', '"'),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const bytes = Buffer.from(text);
      expect(indexOf({ text: bytes, start: 0, end: bytes.length })).toEqual(
        indexOf({ tokens: tokensIn(text) }),
      );
    }),
  );
});

function indexOf(block: Parameters<ReturnType<typeof segmentWriter>['addBlock']>[0]): Buffer {
  const writer = segmentWriter();
  writer.addBlock(block, []);
  writer.endDocument(Buffer.alloc(16), { lines: 1, kind: 0, payload: '' });
  return Buffer.concat(writer.finish());
}
