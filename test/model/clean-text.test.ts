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
  ['colour reset', `${esc}[0m`, ''],
  ['true colour', `${esc}[38;2;1;2;3m`, ''],
  ['colour with colons', `${esc}[38:5:1m`, ''],
  ['clear screen', `${esc}[2J`, ''],
  ['clear scrollback', `${esc}[3J`, ''],
  ['cursor home', `${esc}[H`, ''],
  ['cursor move', `${esc}[10;20H`, ''],
  ['cursor up', `${esc}[99A`, ''],
  ['hide cursor', `${esc}[?25l`, ''],
  ['alternate screen', `${esc}[?1049h`, ''],
  ['mouse tracking', `${esc}[?1003h`, ''],
  ['bracketed paste', `${esc}[200~`, ''],
  ['position report', `${esc}[6n`, ''],
  ['device attributes', `${esc}[c`, ''],
  ['window report', `${esc}[21t`, ''],
  ['intermediate bytes', `${esc}[0 q`, ''],
  ['private parameters', `${esc}[>4;2m`, ''],
  ['an unterminated CSI before a line feed', `${esc}[31\n`, '\n'],
  ['a CSI cut off by another one', `${esc}[31${esc}[32m`, ''],
  ['title with BEL', `${esc}]0;owned${bell}`, ''],
  ['title with ST', `${esc}]2;owned${st}`, ''],
  ['title with C1 ST', `${esc}]2;owned\u009c`, ''],
  ['link', `${esc}]8;;http://evil.invalid${st}`, ''],
  ['clipboard', `${esc}]52;c;ZXZpbA==${bell}`, ''],
  ['notification', `${esc}]9;hello${bell}`, ''],
  ['colour query', `${esc}]11;?${bell}`, ''],
  ['shell integration', `${esc}]133;A${bell}`, ''],
  ['inline image', `${esc}]1337;File=inline=1:AAAA${bell}`, ''],
  ['an unterminated OSC', `${esc}]0;owned\n`, '\n'],
  ['an OSC cut off by a colour', `${esc}]0;owned${esc}[31m`, ''],
  ['device control string', `${esc}P1$r0m${st}`, ''],
  ['sixel image', `${esc}Pq#0;2;0;0;0${st}`, ''],
  ['an unterminated DCS', `${esc}Pq#0\n`, '\n'],
  ['application command', `${esc}_Gf=100;AAAA${st}`, ''],
  ['an unterminated APC', `${esc}_Gf=100\n`, '\n'],
  ['privacy message', `${esc}^secret${st}`, ''],
  ['start of string', `${esc}Xtext${st}`, ''],
  ['full reset', `${esc}c`, ''],
  ['charset', `${esc}(0`, ''],
  ['save cursor', `${esc}7`, ''],
  ['keypad', `${esc}=`, ''],
  ['reverse index', `${esc}M`, ''],
  ['screen alignment', `${esc}#8`, ''],
  ['escape twice', `${esc}${esc}[31m`, ''],
  ['escape alone before a line feed', `${esc}\n`, '\n'],
  ['8-bit CSI', '\u009b31m', ''],
  ['8-bit OSC', `\u009d0;owned${bell}`, ''],
  ['8-bit OSC with 8-bit ST', '\u009d0;owned\u009c', ''],
  ['8-bit DCS', '\u0090q#0\u009c', ''],
  ['8-bit APC', '\u009fGf\u009c', ''],
  ['8-bit PM', '\u009esecret\u009c', ''],
  ['8-bit SOS', '\u0098text\u009c', ''],
  ['8-bit index', '\u0084', ''],
  ['next line', '\u0085', ''],
  ['bell', bell, ''],
  ['backspaces', '\b\b\b', ''],
  ['carriage return', '\r', ''],
  ['vertical tab and form feed', '\v\f', ''],
  ['shift out and in', '\u000e\u000f', ''],
  ['NUL', '\0', ''],
  ['delete', '\u007f', ''],
  ['enquiry', '\u0005', ''],
  ['XOFF', '\u0013', ''],
  ['right-to-left override', '\u202e', ''],
  ['embeddings', '\u202a\u202b\u202c\u202d', ''],
  ['isolates', '\u2066\u2067\u2068\u2069', ''],
  ['direction marks', '\u200e\u200f\u061c', ''],
  ['zero-width space', '\u200b', ''],
  ['zero-width joiners', '\u200c\u200d', ''],
  ['word joiner', '\u2060', ''],
  ['byte order mark', '\ufeff', ''],
  ['soft hyphen', '\u00ad', ''],
  ['line separators', '\u2028\u2029', ''],
  ['invisible filler', '\u3164\u115f', ''],
  ['invisible operators', '\u2061\u2062\u2063', ''],
  ['tags', '\u{e0041}\u{e0042}\u{e007f}', ''],
  ['interlinear notes', '\ufff9\ufffa\ufffb', ''],
  ['a sequence put together around an invisible character', `${esc}\u200b[31m`, '[31m'],
  ['a lone high surrogate', '\ud83d', '\ufffd'],
  ['a lone low surrogate', '\ude00', '\ufffd'],
  ['surrogates in the wrong order', '\ude00\ud83d', '\ufffd\ufffd'],
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
