import { describe, expect, test } from 'vitest';
import { excerptsText, readExcerpts } from '../../src/prompts/context-text.ts';
import { sizeOf } from '../../src/prompts/budget.ts';

const file = { path: 'a.ts', start: 2, end: 3, symbols: [], score: 1, reasons: [] };
const limits = { eachBytes: 1000, totalBytes: 10_000 };

function reader(contents: Record<string, string>): (path: string) => Promise<string | null> {
  return async (path) => contents[path] ?? null;
}

describe('reading excerpts', () => {
  test('takes the lines of the best part, with their numbers', async () => {
    const [excerpt] = await readExcerpts(
      [file],
      reader({ 'a.ts': 'one\r\ntwo\r\nthree\r\nfour' }),
      limits,
    );
    expect(excerpt).toEqual({ path: 'a.ts', start: 2, end: 3, text: '2: two\n3: three' });
    expect(excerptsText([{ path: 'a.ts', start: 2, end: 3, text: '2: two' }])).toBe(
      '--- a.ts:2-3\n2: two',
    );
  });

  test('leaves out what cannot be read or is not there any more', async () => {
    const files = [
      { ...file, path: 'gone.ts' },
      { ...file, start: 90, end: 99 },
    ];
    expect(await readExcerpts(files, reader({ 'a.ts': 'one' }), limits)).toEqual([]);
  });

  test('cuts each file and stops when all bytes are used', async () => {
    const content = Array.from(
      { length: 400 },
      (_, line) => `line ${line} — ${'ß'.repeat(9)}`,
    ).join('\n');
    const files = Array.from({ length: 10 }, (_, n) => ({
      ...file,
      path: `${n}.ts`,
      start: 1,
      end: 400,
    }));
    const read = reader(Object.fromEntries(files.map(({ path }) => [path, content])));
    const excerpts = await readExcerpts(files, read, { eachBytes: 1000, totalBytes: 3300 });
    const sizes = excerpts.map(({ text }) => sizeOf(text));
    expect(excerpts.length).toBe(4);
    expect(sizes.every((size) => size <= 1000)).toBe(true);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(3300);
    for (const { text } of excerpts) {
      expect(text).toMatch(/\[cut here: \d+ more bytes are not shown\]$/);
      expect(text).not.toContain('\uFFFD');
    }
  });
});
