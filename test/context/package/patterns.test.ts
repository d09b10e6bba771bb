import { expect, test } from 'vitest';
import { detectedPatterns } from '../../../src/context/package/patterns.ts';
import type { RelevantFile } from '../../../src/model/context.ts';

function found(...paths: readonly string[]): readonly RelevantFile[] {
  return paths.map((path) => ({ path, start: 1, end: 1, symbols: [], score: 1, reasons: [] }));
}

test('neighbours of a kind, tests and naming are told in sentences', () => {
  const all = [
    'src/mail-provider.ts',
    'src/file-provider.ts',
    'src/chat-provider.ts',
    'src/index.ts',
    'src/mail.ts',
    'test/mail-provider.test.ts',
    'lib/only.ts',
  ];
  expect(detectedPatterns(found('src/mail-provider.ts', 'lib/only.ts'), all)).toEqual([
    'src holds files whose names end in "-provider.ts" beside src/mail-provider.ts: src/file-provider.ts, src/chat-provider.ts.',
    'src/mail-provider.ts is tested by test/mail-provider.test.ts.',
    'No test file has the name of lib/only.ts.',
    'File names in src are mostly kebab-case.',
  ]);
});

test('folders of a kind are neighbours of their entry files', () => {
  const all = ['mw/cors/index.ts', 'mw/etag/index.ts', 'mw/cache/index.ts', 'index.ts'];
  expect(detectedPatterns(found('mw/cors/index.ts'), all)[0]).toBe(
    'mw holds folders like that of mw/cors/index.ts: mw/etag/index.ts, mw/cache/index.ts.',
  );
});

test('what is the same for every file of a folder is told once', () => {
  const all = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'test/a.test.ts'];
  expect(detectedPatterns(found('src/a.ts', 'src/b.ts', 'src/c.ts'), all)).toEqual([
    'src holds files of the same language beside src/a.ts: src/b.ts, src/c.ts.',
    'src/a.ts is tested by test/a.test.ts.',
    'No test file has the name of src/b.ts and src/c.ts.',
  ]);
});

test('nothing found, nothing said', () => {
  expect(detectedPatterns([], ['a.ts'])).toEqual([]);
});
