import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOf } from '../../../src/context/identifiers.ts';
import { segmentWriter } from '../../../src/context/local/segment-writer.ts';
import { stemOf } from '../../../src/context/local/stem.ts';
import { kernel, type Kernel } from '../../../src/context/local/kernel.ts';
import { hashOf } from '../../../src/context/local/segment-format.ts';
import { partsOfName, termsOf, tokensIn } from '../../../src/context/local/terms.ts';
import { addText } from './add-text.ts';

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

test('an ASCII name has the same parts and tokens by either way of finding them', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w$ -]{1,12}$/), (text) => {
      for (const token of text.match(/[\w$-]+/g) ?? []) {
        if (/[A-Z]\d+[a-z]/.test(token)) continue;
        expect(partsOfName(token)).toEqual(partsOf(token));
      }
      const spaced = text.replaceAll(' ', '\n');
      expect(tokensIn(`${spaced}\nü`).slice(0, -1)).toEqual(tokensIn(spaced));
    }),
  );
});

test('an ASCII text has the same tokens, read as bytes or by their pattern', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'Ab', 'Date', '_', '$', '-', ' ', '\n', '1', '404', '.', '2fa', '"'),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { asText, asTokens } = indexesOf(pieces.join(''));
      expect(asText).toEqual(asTokens);
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
      '×',
      '“',
      '─',
      '✓',
      '²',
      '½',
    ),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { asText, asTokens } = indexesOf(pieces.join(''));
      expect(asText).toEqual(asTokens);
    }),
  );
});

test('the signs that are read as bytes are in no name', () => {
  for (let page = 0x80; page < 0x3000; page += 0x80) {
    const signs = Array.from({ length: 0x80 }, (_, at) => String.fromCodePoint(page + at));
    const text = signs.map((sign, at) => `ab${sign}cd\nname${at}${sign}\n`).join('');
    const { asText, asTokens } = indexesOf(text);
    expect(asText, `from ${page}`).toEqual(asTokens);
  }
});

test('the kernel knows an ASCII token by the same terms, as a word and as a name that is defined', () => {
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
      ' ',
      '.',
      '404',
      'x'.repeat(41),
      ...'ies sses ches is us copy mapp ize ization ated ators ing ed er ly ment ness'.split(' '),
    ),
    fc.stringMatching(/^[\w$-]{1,4}$/),
    fc.stringMatching(/^[a-z]{1,4}$/),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), (pieces) => {
      const token = pieces.join('');
      for (const [as, prefix] of [
        ['word', ''],
        ['defined', '@'],
      ] as const) {
        const terms = blockOf((words) => {
          for (const term of termsOf(token)) words.addTerm(hashOf(prefix + term));
        });
        expect(blockOf((words) => words.addToken(token, as)).equals(terms)).toBe(true);
      }
    }),
  );
});

/** A block with what is added to it. */
function blockOf(add: (words: Kernel) => void): Buffer {
  const words = kernel();
  // The kernel itself finds nothing in it.
  words.takeBlocks(Buffer.from('ü'), [2]);
  words.addBlocks([], { addLines: () => add(words), addNames: () => undefined });
  const { lists, buckets } = words.encode();
  words.release();
  return Buffer.concat([lists, buckets]);
}

/** The index of a text, and that of its tokens, each in a line of its own. */
function indexesOf(text: string): { readonly asText: Buffer; readonly asTokens: Buffer } {
  const tokens = tokensIn(text).join('\n');
  return { asText: indexOf(tokens, text), asTokens: indexOf(tokens, tokens) };
}

/** The first block gives the terms their order. */
function indexOf(...blocks: readonly string[]): Buffer {
  const writer = segmentWriter();
  for (const block of blocks) addText(writer, block);
  writer.endDocument({ key: '\0'.repeat(16), lines: 1, kind: 0, payload: '' });
  return Buffer.concat(writer.finish());
}
