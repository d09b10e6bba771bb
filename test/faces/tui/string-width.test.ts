import * as fc from 'fast-check';
import exactWidth from 'string-width';
import { expect, test } from 'vitest';
import stringWidth from '../../../src/faces/tui/string-width.ts';

test('the quick way gives the same widths', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '│ ',
      '\u001b[2m',
      '\u001b[39m',
      '✓',
      '▸●',
      '日本',
      'e\u0301',
      '👩‍💻',
      '⚠️',
      '\u001b[',
    ),
    fc.integer({ min: 0x2000, max: 0x2bff }).map((code) => String.fromCodePoint(code)),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const text = parts.join('');
      expect(stringWidth(text)).toBe(exactWidth(text));
    }),
    { numRuns: 500 },
  );
});
