import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentWriter } from '../../../src/context/local/segment-writer.ts';
import { stemOf } from '../../../src/context/local/stem.ts';
import { asciiTerms } from '../../../src/context/local/ascii-terms.ts';
import { blockTextOf } from '../../../src/context/local/block-text.ts';
import { hashOf } from '../../../src/context/local/segment-format.ts';
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
      const { length } = text;
      expect(indexOf({ text: Buffer.from(text), start: 0, end: length, tokens: [] })).toEqual(
        indexOf({ ...noText, tokens: tokensIn(text) }),
      );
    }),
  );
});

test('a text of any script gives the terms of its tokens, whatever line they stand in', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'Ab',
      'über',
      '日本',
      'naïve-x',
      '\n',
      '\r\n',
      ' ',
      '-',
      'e\u0301',
      '404',
      '\u2028',
    ),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const { text: bytes, start, end, tokens } = blockTextOf(text);
      const found = [...tokensIn(bytes.toString('latin1', start, end)), ...tokens];
      expect(found.toSorted()).toEqual(tokensIn(text).toSorted());
    }),
  );
});

test('the terms of an ASCII token are the same without strings', () => {
  const terms = asciiTerms('@');
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'Date',
      'URL',
      'parsing',
      'V2',
      'utf8',
      '_',
      '$',
      '-',
      '404',
      'x'.repeat(41),
    ),
    fc.stringMatching(/^[\w$-]{1,4}$/),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), (pieces) => {
      const token = pieces.join('');
      const count = terms.find(Buffer.from(token), 0, token.length);
      const found = new Set(
        Array.from(
          terms.highs.subarray(0, count),
          (high, at) => high * 2 ** 32 + (terms.lows[at] ?? 0),
        ),
      );
      expect([...found]).toEqual(termsOf(token).map((term) => hashOf(`@${term}`)));
    }),
  );
});

const noText = { text: Buffer.alloc(0), start: 0, end: 0 };

function indexOf(block: Parameters<ReturnType<typeof segmentWriter>['addBlock']>[0]): Buffer {
  const writer = segmentWriter();
  writer.addBlock(block, []);
  writer.endDocument(Buffer.alloc(16), { lines: 1, kind: 0, payload: '' });
  return Buffer.concat(writer.finish());
}
