import { expect, test } from 'vitest';
import { architectureInsights, detectedPatterns } from '../../src/context/insights.ts';
import type { RelevantFile } from '../../src/model/context.ts';

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

test('imports among the found files are told with their lines, hubs first', async () => {
  const contents = new Map([
    ['a.ts', "// a\nimport { c } from './c.ts';\nimport { d } from './d.ts';\n"],
    ['b.ts', "import { c } from './c.ts';\n"],
    ['c.ts', ''],
  ]);
  const read = async (path: string): Promise<string | null> => contents.get(path) ?? null;
  expect(await architectureInsights(found('a.ts', 'b.ts', 'c.ts', 'gone.ts'), read)).toEqual([
    'c.ts is imported by 2 of the found files: a.ts and b.ts.',
    'a.ts imports c.ts (line 2).',
    'b.ts imports c.ts (line 1).',
  ]);
});

test('nothing found, nothing said', async () => {
  expect(detectedPatterns([], ['a.ts'])).toEqual([]);
  expect(await architectureInsights([], async () => null)).toEqual([]);
});
