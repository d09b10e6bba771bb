import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../src/prompts/render.ts';
import {
  type ReadText,
  type WantedFile,
  excerptsText,
  readExcerpts,
} from '../../src/prompts/excerpts.ts';

const limits = { wholeBytes: 0, partBytes: 1000, totalBytes: 10_000 };

function part(path: string, start: number, end: number): WantedFile {
  return { path, whole: false, parts: [{ start, end }] };
}

function reader(contents: Record<string, string>): ReadText {
  return async (path) => contents[path] ?? null;
}

const mark = (word: string) => `-----${word} RSA PRIVATE KEY-----`;

describe('reading excerpts', () => {
  test('takes the lines of the best part, with their numbers', async () => {
    const read = reader({ 'a.ts': 'one\r\ntwo\r\nthree\r\nfour' });
    const excerpts = await readExcerpts([part('a.ts', 2, 3)], read, limits);
    expect(excerpts.shown).toEqual([{ path: 'a.ts', start: 2, end: 3, text: '2: two\n3: three' }]);
    expect(excerptsText(excerpts)).toBe('--- a.ts:2-3\n2: two\n3: three');
  });

  test('leaves out what cannot be read or is not there any more', async () => {
    const files = [part('gone.ts', 1, 2), part('a.ts', 90, 99)];
    const excerpts = await readExcerpts(files, reader({ 'a.ts': 'one' }), limits);
    expect(excerpts).toEqual({ shown: [], leftOut: [] });
  });

  test('cuts a part that is too long, and says how much is missing', async () => {
    const content = 'a line of some length\n'.repeat(80);
    const { shown } = await readExcerpts([part('a.ts', 1, 80)], reader({ 'a.ts': content }), {
      ...limits,
      partBytes: 330,
    });
    expect(shown).toMatchObject([{ start: 1, end: 11 }]);
    expect(shown[0]?.text).toMatch(/\n11: [^\n]+\n\[cut here: 69 more lines not shown\]$/);
  });

  test('names the places for which there was no room', async () => {
    const content = 'a line of some length\n'.repeat(40);
    const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => part(path, 1, 30));
    const read = reader({ 'a.ts': content, 'b.ts': content, 'c.ts': content });
    const excerpts = await readExcerpts(files, read, { ...limits, totalBytes: 800 });
    expect(excerpts.leftOut).toEqual(['b.ts:1-30', 'c.ts:1-30']);
    expect(excerptsText(excerpts)).toMatch(/\nNot shown for lack of room: b\.ts:1-30, c\.ts:1-30$/);
  });

  test('never shows more than its limits', async () => {
    const line = fc.string({ maxLength: 60, unit: 'grapheme' });
    const law = fc.asyncProperty(
      fc.array(fc.array(line, { maxLength: 40 }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: 4000 }),
      async (texts, partBytes, totalBytes) => {
        const files = texts.map((_, n) => ({ ...part(`${n}.ts`, 1, 40), whole: n % 2 === 0 }));
        const contents = Object.fromEntries(texts.map((text, n) => [`${n}.ts`, text.join('\n')]));
        const { shown } = await readExcerpts(files, reader(contents), {
          wholeBytes: partBytes,
          partBytes,
          totalBytes,
        });
        const sizes = shown.map(({ text }) => sizeOf(text));
        expect(sizes.every((size) => size <= partBytes)).toBe(true);
        expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(totalBytes);
      },
    );
    await fc.assert(law, { numRuns: 100 });
  });

  test('shows no secret, also where a key begins above the part', async () => {
    const body = 'MIIEowIBAAKCAQEAr8Zq3XbU0vV1\n'.repeat(6);
    const key = `${mark('BEGIN')}\n${body}${mark('END')}\nafter`;
    const { shown } = await readExcerpts([part('a.ts', 4, 9)], reader({ 'a.ts': key }), limits);
    expect(shown[0]?.text).not.toContain('MIIE');
    expect(shown[0]?.text).toMatch(/\n9: after$/);
  });

  test('shows a file whole where it fits, else its parts, those that overlap as one', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    const read = reader({ 'a.ts': `${lines.slice(0, 5).join('\n')}\n`, 'b.ts': lines.join('\n') });
    const parts = [
      { start: 20, end: 24 },
      { start: -3, end: 4 },
      { start: 5, end: 9 },
    ];
    const wanted = ['a.ts', 'b.ts'].map((path) => ({ path, whole: true, parts }));
    const { shown } = await readExcerpts(wanted, read, { ...limits, wholeBytes: 100 });
    expect(shown.map(({ path, start, end }) => [path, start, end])).toEqual([
      ['a.ts', 1, 5],
      ['b.ts', 1, 9],
      ['b.ts', 20, 24],
    ]);
  });
});
