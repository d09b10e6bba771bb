import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarkedFile } from '../../../src/git/content-mark.ts';
import { wantedFile } from '../../../src/context/local/contents.ts';
import { keyWords } from '../../../src/context/local/document-key.ts';
import { bytesOf } from '../../../src/context/local/little-endian.ts';
import { treeContents, type TreeContents } from '../../../src/context/local/tree-contents.ts';

const names = ['a.ts', 'a.test.ts', 'b.ts', 'docs/a.ts', 'go.sum', 'logo.png', 'x/b.ts', 'y.md'];
const someMark = fc.integer({ min: 0, max: 3 }).map((id) => `blob ${`${id}`.repeat(40)}` as const);
const someFiles = fc
  .tuple(fc.subarray(names), fc.array(someMark, { minLength: 8, maxLength: 8 }))
  .map(([paths, marks]) =>
    paths.map((path, at): MarkedFile => ({ path, mark: marks[at] ?? 'blob ' })),
  );

function isSearched({ path }: MarkedFile): boolean {
  return !/\.(?:sum|png)$/.test(path);
}

function keysIn({ keys }: TreeContents): readonly string[] {
  return Array.from({ length: keys.length / keyWords }, (_, file) =>
    bytesOf(keys.subarray(file * keyWords, (file + 1) * keyWords)).toString('latin1'),
  );
}

test('files with the same key have the same content, and what nobody searches has none', () => {
  fc.assert(
    fc.property(someFiles, (files) => {
      const contents = treeContents(files);
      const keys = files.map((file) => wantedFile(file).key);
      expect([...contents.firsts]).toEqual(
        files.map((file, at) => (isSearched(file) ? keys.indexOf(keys[at] ?? '') : -1)),
      );
      expect(keysIn(contents).filter((_, at) => contents.firsts[at] !== -1)).toEqual(
        keys.filter((_, at) => contents.firsts[at] !== -1),
      );
    }),
  );
});

test('what was known of some of the files makes no difference', () => {
  fc.assert(
    fc.property(someFiles, someFiles, (before, others) => {
      const known = treeContents(before);
      // The same objects where neither path nor content is another.
      const files = others.map((file) => {
        return before.find(({ path, mark }) => path === file.path && mark === file.mark) ?? file;
      });
      const [told, plain] = [treeContents(files, known), treeContents(others)];
      expect(told.traits).toEqual(plain.traits);
      expect(told.keys).toEqual(plain.keys);
      expect(told.firsts).toEqual(plain.firsts);
    }),
  );
});
