import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuse } from '../../src/context/chain.ts';
import type { RelevantFile } from '../../src/model/context.ts';

function file(path: string, from: string): RelevantFile {
  return {
    path,
    start: 1,
    end: from === 'first' ? 9 : 5,
    symbols: [from],
    score: 7,
    reasons: [from],
  };
}
const filesOf = (paths: readonly string[], from: string) => paths.map((path) => file(path, from));

const paths: fc.Arbitrary<string[]> = fc.uniqueArray(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
  { maxLength: 12 },
);
const twoLists = fc.tuple(paths, paths);

test('a file of both lists comes before the files of only one', () => {
  const both = fuse(filesOf(['a', 'b'], 'first'), filesOf(['c', 'b'], 'second'), 9);
  expect(both.map(({ path }) => path)).toEqual(['b', 'a', 'c']);
});

test('a file of both keeps the part of the first, with the reasons of both', () => {
  const [both] = fuse([file('a', 'first')], [file('a', 'second')], 9);
  expect(both).toEqual({ ...file('a', 'first'), score: 1, reasons: ['first', 'second'] });
});

test('the best file of the first list is never lost, however poor the second', () => {
  fc.assert(
    fc.property(twoLists, fc.nat(12), ([first, second], spare) => {
      const most = Math.max(first.length, second.length, 1) + spare;
      const all = fuse(filesOf(first, 'first'), filesOf(second, 'second'), most);
      expect(all.length).toBeLessThanOrEqual(most);
      expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(first.slice(0, 1)));
    }),
  );
});

test('files of one list alone keep their order, and scores only fall, from at most 1', () => {
  fc.assert(
    fc.property(twoLists, ([first, second]) => {
      const all = fuse(filesOf(first, 'first'), filesOf(second, 'second'), 24);
      expect(all).toHaveLength(new Set([...first, ...second]).size);
      const alone = all.map(({ path }) => path).filter((path) => !second.includes(path));
      expect(alone).toEqual(first.filter((path) => !second.includes(path)));
      const scores = all.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    }),
  );
});
