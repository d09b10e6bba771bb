import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineFramer, type FramedLine } from '../../../src/agents/process/line-pump.ts';
import { byteTail } from '../../../src/agents/process/record.ts';

function framed(chunks: readonly Buffer[], maxLineBytes?: number): FramedLine[] {
  const framer = lineFramer(maxLineBytes);
  return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.end()];
}

const framedText = (text: string) => framed([Buffer.from(text)]);

/** Every way to cut bytes in two, and all of them one by one. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  for (let at = 0; at <= bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield [...bytes].map((byte) => Buffer.from([byte]));
}

describe('lineFramer', () => {
  test('cuts at line feeds and drops the carriage return before one, but no other', () => {
    expect(framedText('a\nb\r\n\r\nc\rd\n')).toEqual(['a', 'b', '', 'c\rd']);
  });

  test('delivers a last line without a line end', () => {
    expect(framedText('a\nlast')).toEqual(['a', 'last']);
    expect(framedText('')).toEqual([]);
    expect(framedText('a\n')).toEqual(['a']);
  });

  test('never tears a character, wherever a text of four scripts is cut', () => {
    const text = 'Grüße\r\nПривет, 世界\n👩‍👩‍👧 ok\nשלום';
    const lines = ['Grüße', 'Привет, 世界', '👩‍👩‍👧 ok', 'שלום'];
    for (const chunks of cuts(Buffer.from(text))) expect(framed(chunks)).toEqual(lines);
  });

  test('drops a byte order mark at the start, wherever it is cut, and only there', () => {
    const bytes = Buffer.from('\uFEFFa\n\uFEFFb\n');
    for (const chunks of cuts(bytes)) expect(framed(chunks)).toEqual(['a', '\uFEFFb']);
  });

  test('keeps the beginning of a byte order mark that is none', () => {
    expect(framed([Buffer.from([0xef]), Buffer.from([0xbb])])).toEqual(['\uFFFD']);
    expect(framed([Buffer.from([0xef]), Buffer.from('a\nb')])).toEqual(['\uFFFDa', 'b']);
  });

  test('flags a line that is too long, with its length, however it is cut', () => {
    const bytes = Buffer.from('{"a":1}\n0123456789abc\r\n{"b":2}\n0123456789\r\n0123456789x');
    const lines = ['{"a":1}', { overlong: 13 }, '{"b":2}', '0123456789', { overlong: 11 }];
    for (const chunks of cuts(bytes)) expect(framed(chunks, 10)).toEqual(lines);
  });

  test('keeps invalid bytes to their own line', () => {
    const bytes = Buffer.concat([
      Buffer.from('before\n'),
      Buffer.from([0xc3, 0x0a, 0xff, 0xe2, 0x82, 0x0a]),
      Buffer.from('äfter\n'),
    ]);
    for (const chunks of cuts(bytes)) {
      const lines = framed(chunks);
      expect(lines).toHaveLength(4);
      expect([lines[0], lines[3]]).toEqual(['before', 'äfter']);
    }
  });

  test('keeps no hold of a chunk that is overwritten later', () => {
    const framer = lineFramer();
    const chunk = Buffer.from('whole\nopen ');
    expect(framer.push(chunk)).toEqual(['whole']);
    chunk.fill(0x58);
    expect(framer.push(Buffer.from('line\n'))).toEqual(['open line']);
  });

  test('gives the same lines for every chunking of every byte string', () => {
    const byte = fc.constantFrom(0x0a, 0x0d, 0x61, 0x62, 0xef, 0xbb, 0xbf, 0xc3, 0xa9);
    const bytes = fc.array(byte, { maxLength: 60 });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 8 }), (values, places) => {
        const whole = Buffer.from(values);
        const at = [0, ...places.toSorted((a, b) => a - b), whole.length];
        const chunks = at.map((from, index) => whole.subarray(from, at[index + 1] ?? from));
        expect(framed(chunks, 12)).toEqual(framed([whole], 12));
      }),
      { numRuns: 5_000 },
    );
  });
});

test('a tail keeps the last bytes, whatever chunks they come in', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{0,25}$/), { maxLength: 12 }), (chunks) => {
      const last = byteTail(10);
      for (const chunk of chunks) last.push(Buffer.from(chunk));
      expect(last.text()).toBe(chunks.join('').slice(-10));
    }),
  );
});

test('a tail leaves out the rest of a character that its cut has torn', () => {
  const last = byteTail(4);
  last.push(Buffer.from('世界!'));
  expect(last.text()).toBe('界!');
});
