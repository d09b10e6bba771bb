import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addText,
  segmentWriter,
  type SegmentWriter,
} from '../../../src/context/local/segment-writer.ts';

const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,9}$/);
const blocks = fc.array(fc.array(word, { maxLength: 30 }), { minLength: 1, maxLength: 5 });

test('a writer gives the same, whatever the memory that it works in was used for before', () => {
  fc.assert(
    fc.property(blocks, blocks, (own, others) => {
      const first = segmentOf(own);
      segmentOf(others);
      expect(segmentOf(own).equals(first)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('two writers at once do not disturb each other', () => {
  fc.assert(
    fc.property(blocks, blocks, (own, others) => {
      const right = segmentOf(own);
      const writer = segmentWriter();
      const other = segmentWriter();
      for (const [at, words] of own.entries()) {
        add(writer, words);
        add(other, others[at] ?? []);
      }
      end(other);
      expect(end(writer).equals(right)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('a text is taken apart after each 20 lines', () => {
  const writer = segmentWriter();
  // The character after a line feed in ASCII may not be taken for one.
  const character = fc.constantFrom('\n', '\v', 'a', 'ü');
  fc.assert(
    fc.property(fc.array(character, { maxLength: 300 }), (pieces) => {
      const text = pieces.join('');
      const { count, ends } = writer.take(Buffer.from(text));
      const lines = text === '' ? [''] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
      expect(count).toBe(lines.length);
      const firsts = lines.flatMap((_, at) => (at % 20 === 0 ? [at] : []));
      const until = firsts.map((first) => lines.slice(0, first + 20).join(''));
      expect([...ends]).toEqual(until.map((part) => Buffer.byteLength(part)));
    }),
  );
});

test('more names than a block can hold at once are counted all the same', () => {
  const names = Array.from({ length: 70_000 }, (_, at) => `name${at}`);
  const writer = segmentWriter();
  addText(writer, [...names, ...names].join(' '), []);
  // Each of them, and their letters.
  expect(writer.size).toBe(70_001);
  end(writer);
});

function segmentOf(words: readonly (readonly string[])[]): Buffer {
  const writer = segmentWriter();
  for (const block of words) add(writer, block);
  return end(writer);
}

function add(writer: SegmentWriter, words: readonly string[]): void {
  const [first = ''] = words;
  const defined = first === '' ? [] : [{ name: first, block: 0, at: 0 }];
  addText(writer, words.join(' '), defined);
}

/** A copy: the next writer takes the memory. */
function end(writer: SegmentWriter): Buffer {
  writer.endDocument(Buffer.alloc(16), { lines: 1, kind: 0, payload: '' });
  return Buffer.concat(writer.finish());
}
