import { expect, test } from 'vitest';
import { contextPage } from '../../src/commands/context-page.ts';

const looked = {
  files: 200_001,
  commits: 0,
  skipped: { binary: 2, unreadable: 1 },
  unlisted: 0,
  refused: 0,
  unread: 0,
};
const found = {
  relevant_files: [],
  token_estimates: [],
  detected_patterns: [],
  architecture_insights: [],
  build_facts: [],
  provider: 'search',
  duration_ms: 1000,
};
const lastLine = (also: { unlisted?: number; refused?: number; unread?: number }): string =>
  contextPage({ ...found, looked: { ...looked, ...also } }, 200).at(-1) ?? '';

test('where no search found anything, none is named', () => {
  const page = contextPage({ ...found, provider: 'none', looked }, 120);
  expect(page[0]).toBe('No file matches this task.');
  expect(page.at(-1)).toMatch(/^searched for 1\.0 s; looked at 200001 files/);
});

test('what was looked at is told, with what was left out', () => {
  expect(lastLine({})).toBe(
    '0 files by search in 1.0 s; looked at 200001 files (without 2 binary and 1 unreadable)',
  );
  expect(lastLine({ unread: 7 })).toMatch(/2 binary, 1 unreadable and 7 unread\)$/);
  expect(lastLine({ unlisted: 3 })).toMatch(
    /, but not into 3 folders: too many files without git$/,
  );
  expect(lastLine({ refused: 1 })).toMatch(/, but not into 1 folder that cannot be read$/);
  expect(lastLine({ refused: 2, unlisted: 1 })).toMatch(
    /, but not into 2 folders that cannot be read, nor into 1 folder: too many files without git$/,
  );
});
