import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentWriter, type SegmentWriter } from '../../../src/context/local/segment-writer.ts';
import { addText } from './add-text.ts';

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

test('a text is taken apart after each 20 lines, and a name is one of its block', () => {
  // The character after a line feed in ASCII may not be taken for one.
  const character = fc.constantFrom('\n', '\n', '\v', 'a', 'bé ', 'ü ');
  const known = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(character, { maxLength: 300 }), known, (pieces, isKnown) => {
      const text = pieces.join('');
      const lines = text === '' ? [''] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
      const firsts = lines.flatMap((_, at) => (at % 20 === 0 ? [at] : []));
      const parts = firsts.map((first) => lines.slice(first, first + 20).join(''));
      const named = parts.map((part) => ({ part, has: part.includes('a') }));
      const whole = segmentWriter();
      const { count } = whole.take(Buffer.from(text));
      expect(count).toBe(lines.length);
      let before = 0;
      const names = named.flatMap(({ part, has }, block) => {
        const at = before + Buffer.byteLength(part.slice(0, part.indexOf('a')));
        before += Buffer.byteLength(part);
        const place = isKnown[block % 3] === true ? at : null;
        return has ? [{ name: 'a', line: 1 + 20 * block, at: place }] : [];
      });
      whole.addBlocks(names);
      const wholeEnd = end(whole);
      const byParts = segmentWriter();
      for (const { part, has } of named)
        addText(byParts, part, has ? [{ name: 'a', at: null }] : []);
      expect(end(byParts).equals(wholeEnd)).toBe(true);
    }),
  );
});

test('each block of a text can be a document of its own', () => {
  const text = fc.constantFrom('Parse a date', 'é', '', 'Größe of dates\n', 'a → b');
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (texts) => {
      const ends = texts.map((_, at) => Buffer.byteLength(texts.slice(0, at + 1).join('')));
      const documents = texts.map((payload) => ({
        key: '\0'.repeat(16),
        lines: 0,
        kind: 3,
        payload,
      }));
      const together = segmentWriter();
      together.takeBlocks(Buffer.from(texts.join('')), ends);
      together.addDocuments(documents);
      const all = Buffer.concat(together.finish());
      const oneByOne = segmentWriter();
      for (const [at, own] of texts.entries()) {
        addText(oneByOne, own);
        const document = documents[at];
        if (document !== undefined) oneByOne.endDocument(document);
      }
      expect(Buffer.concat(oneByOne.finish()).equals(all)).toBe(true);
    }),
  );
});

test('more names than a block can hold at once are counted all the same', () => {
  const names = Array.from({ length: 70_000 }, (_, at) => `name${at}`);
  const writer = segmentWriter();
  addText(writer, [...names, ...names].join(' '));
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
  const defined = first === '' ? [] : [{ name: first, at: 0 }];
  addText(writer, words.join(' '), defined);
}

/** A copy: the next writer takes the memory. */
function end(writer: SegmentWriter): Buffer {
  writer.endDocument({ key: '\0'.repeat(16), lines: 1, kind: 0, payload: '' });
  return Buffer.concat(writer.finish());
}
