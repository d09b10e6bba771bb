import { expect, test } from 'vitest';
import { locationsInText, type CodeLocation } from '../../../src/context/mcp/search.ts';

const shown = ({ name, start, end }: CodeLocation) => `${name}:${start}-${end}`;
const read = (text: string) => locationsInText(text).map(shown);

test('paths are read with the lines of the numbered code below them', () => {
  const text = `The following code sections were retrieved:
Path: src/date.ts
    12\timport { zone } from './zone.ts';
    13\t
    14\texport function parseDate() {
...
    90\t}
Path: docs/notes.md
     1\tPath: not/this.ts
`;
  expect(read(text)).toEqual(['src/date.ts:12-14', 'docs/notes.md:1-1']);
});

test('a location with a range is read, and the code that is shown of it is not', () => {
  const text = `Found 2 results for query: "x" in codebase '/srv/app'

1. Code snippet (typescript) [app]
   Location: src/date.ts:10-20
   Score: 0.913
   Context:
\`\`\`typescript
import { a } from './a.ts';
const path: string = 'src/none.ts';
\`\`\`

2. Code snippet (go) [app]
   Location: cmd/main.go:1-9
`;
  // Other words that look like paths are no files of the repository.
  const known = read(text).filter((place) => /^(?:src|cmd|a)/.test(place));
  expect(known).toEqual(['src/date.ts:10-20', 'cmd/main.go:1-9']);
});

test.each([
  ['Path: src/a.ts', 'src/a.ts:null-null'],
  ['**File:** `src/a.ts` (lines 3-9)', 'src/a.ts:null-null'],
  ['File: /srv/app/src/a.ts#L3-L9', '/srv/app/src/a.ts:3-9'],
  ['Path: /srv/a.py\nL10:class A:\nL11:    pass', '/srv/a.py:10-11'],
  ['### src/a.ts:3-9', 'src/a.ts:3-9'],
  ['* src/a.ts [3-9] (score 0.8)', 'src/a.ts:null-null'],
  ['```ts src/a.ts\ncode()\n```', 'src/a.ts:null-null'],
  ['```typescript title="src/a.ts"\ncode()\n```', 'src/a.ts:null-null'],
  ['Have a look at (src/a.ts:3-9), please.', 'src/a.ts:3-9'],
])('%s', (text, place) => {
  expect(read(text)[0]).toBe(place);
});

test('prose without any path gives none', () => {
  expect(read('No results found for query: "fix the date" in this codebase.')).toEqual([]);
  expect(read('')).toEqual([]);
});

test('a text that tries to be slow to read is read at once', () => {
  const texts = ['Path: ', '- '.repeat(50_000), `a${' '.repeat(50_000)}b`, 'L1'.repeat(50_000)];
  for (const text of texts) expect(locationsInText(text).length).toBeLessThan(9);
  expect(locationsInText(`Path: ${'x ('.repeat(20_000)}`)).toEqual([]);
});
