import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText } from '../../src/model/clean-text.ts';
import { cpuFloors } from '../helpers/cpu-floors.ts';

const esc = '\u001b';
const bell = '\u0007';
const st = `${esc}\\`;

/** What comes in between `a` and `b`, and what may be left of it. */
const hostile: readonly (readonly [string, string, string])[] = [
  ['colour', `${esc}[31m`, ''],
  ['colour with colons', `${esc}[38:5:1m`, ''],
  ['clear screen', `${esc}[2J`, ''],
  ['cursor move', `${esc}[10;20H`, ''],
  ['alternate screen', `${esc}[?1049h`, ''],
  ['position report', `${esc}[6n`, ''],
  ['intermediate bytes', `${esc}[0 q`, ''],
  ['an unterminated CSI before a line feed', `${esc}[31\n`, '\n'],
  ['a CSI cut off by another one', `${esc}[31${esc}[32m`, ''],
  ['title with BEL', `${esc}]0;owned${bell}`, ''],
  ['title with ST', `${esc}]2;owned${st}`, ''],
  ['link', `${esc}]8;;http://evil.invalid${st}`, ''],
  ['an unterminated OSC', `${esc}]0;owned\n`, '\n'],
  ['an OSC cut off by a colour', `${esc}]0;owned${esc}[31m`, ''],
  ['device control string', `${esc}P1$r0m${st}`, ''],
  ['an unterminated DCS', `${esc}Pq#0\n`, '\n'],
  ['application command', `${esc}_Gf=100;AAAA${st}`, ''],
  ['start of string', `${esc}Xtext${st}`, ''],
  ['full reset', `${esc}c`, ''],
  ['reverse index', `${esc}M`, ''],
  ['escape twice', `${esc}${esc}[31m`, ''],
  ['escape alone before a line feed', `${esc}\n`, '\n'],
  ['8-bit CSI', '\u009b31m', ''],
  ['8-bit OSC', `\u009d0;owned${bell}`, ''],
  ['8-bit DCS', '\u0090q#0\u009c', ''],
  ['8-bit APC', '\u009fGf\u009c', ''],
  ['8-bit index', '\u0084', ''],
  ['bell', bell, ''],
  ['backspaces', '\b\b\b', ''],
  ['carriage return', '\r', ''],
  ['NUL', '\0', ''],
  ['delete', '\u007f', ''],
  ['right-to-left override', '\u202e', ''],
  ['isolates', '\u2066\u2067\u2068\u2069', ''],
  ['zero-width space', '\u200b', ''],
  ['zero-width joiners', '\u200c\u200d', ''],
  ['byte order mark', '\ufeff', ''],
  ['soft hyphen', '\u00ad', ''],
  ['line separators', '\u2028\u2029', ''],
  ['invisible filler', '\u3164\u115f', ''],
  ['tags', '\u{e0041}\u{e0042}\u{e007f}', ''],
  ['a sequence put together around an invisible character', `${esc}\u200b[31m`, '[31m'],
  ['a lone high surrogate', '\ud83d', '\ufffd'],
  ['a lone low surrogate', '\ude00', '\ufffd'],
  ['a pair split by an invisible character', '\ud83d\u200b\ude00', '\ufffd\ufffd'],
];

// Everything that a terminal could take for more than text.
const controls = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
const unsafe = new RegExp(`[${controls}\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f]`);

describe('cleanText', () => {
  test.each(hostile)('takes out: %s', (_, sequence, left) => {
    expect(cleanText(`a${sequence}b`)).toBe(`a${left}b`);
  });

  test.each(hostile)('leaves nothing dangerous of it at the very end: %s', (_, sequence) => {
    for (let length = 1; length <= sequence.length; length += 1) {
      const cleaned = cleanText(`a${sequence.slice(0, length)}`);
      expect(cleaned).not.toMatch(unsafe);
      expect(cleaned.isWellFormed()).toBe(true);
    }
  });

  test.each([
    '',
    'plain',
    'two\nlines\tand a tab',
    'Grüße, 世界, Привет, שלום',
    '👍🏽 ❤️',
    '[31m ]0; a\\b',
  ])('keeps safe text as it is: %j', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  test('leaves nothing dangerous of any text, and cleaning again changes nothing', () => {
    const part = fc.oneof(
      fc.constantFrom(...hostile.map(([, sequence]) => sequence)),
      fc.constantFrom(esc, '[', ']', 'P', '\\', '\n', bell, '\u009b', 'text', '1;2'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const cleaned = cleanText(parts.join(''));
        expect(cleaned).not.toMatch(unsafe);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
      { numRuns: 1_000 },
    );
  });

  test('takes time in proportion to the text, also to a hostile one', () => {
    const text = `${esc}[${'1'.repeat(500_000)}${`${esc}]0;`.repeat(100_000)}`;
    const startedAt = cpuFloors();
    cleanText(text);
    expect(cpuFloors() - startedAt).toBeLessThan(20);
  });
});
