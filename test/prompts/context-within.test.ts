import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/model/text-size.ts';
import { contextWithin } from '../../src/prompts/context-text.ts';
import { sizeOf } from '../../src/prompts/render.ts';
import { codebaseContext } from '../helpers/codebase-context.ts';

const code = Array.from({ length: 60 }, (_, n) => (n % 6 === 5 ? '' : `  const value${n} = ${n};`));
const files = ['src/a.ts', 'src/b.ts', 'src/c.ts'].map((path) => ({
  path,
  start: 1,
  end: 60,
  symbols: ['value'],
  score: 1,
  reasons: ['defines value'],
}));
const context = codebaseContext({
  relevant_files: files,
  detected_patterns: ['src/a.ts is tested by test/a.test.ts.'],
  build_facts: [
    { kind: 'test', value: 'npm test', folder: '', language: 'javascript', source: 'package.json' },
  ],
});
const read = async () => code.join('\n');

test('everything is shown where there is room, best first', async () => {
  const text = await contextWithin(context, read, 20_000);
  expect([...text.matchAll(/^--- (\S+)/gm)].map(([, place]) => place)).toEqual([
    'src/a.ts:1-60',
    'src/b.ts:1-60',
    'src/c.ts:1-60',
  ]);
  expect(text).toContain('59: ');
  expect(text).toMatch(/^Tests:\n/);
  expect(text).toContain('\nBuild and test:\n- test: npm test (package.json)\n');
});

test('with little room the best file is shown, and what is missing is said', async () => {
  const text = await contextWithin(context, read, 400);
  expect(text).toMatch(/--- src\/a\.ts:1-60 \[value\]: defines value\n1: {3}const value0/);
  expect(text).toMatch(/;\n\[cut here: \d+ more lines not shown\]\n\[left out [^\n]+\]$/);
  expect(text).toMatch(/\[left out for lack of room: 2 files\]$/);
});

test('a later file that fits is shown after one that does not', async () => {
  const long = `${'x'.repeat(4000)}\n`.repeat(60);
  const mixed = async (path: string) => (path === 'src/a.ts' ? long : code.join('\n'));
  const text = await contextWithin(context, mixed, 2000);
  expect([...text.matchAll(/^--- (\S+)/gm)].map(([, place]) => place)).toEqual([
    'src/b.ts:1-60',
    'src/c.ts:1-60',
  ]);
  expect(text).toMatch(/\n\[left out for lack of room: 1 file\]$/);
});

test('where the answers to the queries find no room, tests and commands still do', async () => {
  const insights = Array.from({ length: 6 }, () => `src has ${'a.ts, '.repeat(40)}`);
  const longer = { ...context, architecture_insights: insights };
  const text = await contextWithin(longer, read, 1000);
  expect(text).toMatch(/^Tests:\n/);
  expect(text).toMatch(/\[left out for lack of room: [^\n]*what answers the queries\]$/);
  expect(await contextWithin(longer, read, 20_000)).toContain('\nArchitecture:\n- src has a.ts');
});

test('what is known of the project is whole or left out', async () => {
  const text = await contextWithin(context, read, 40);
  expect(text).toBe(
    [
      'Relevant files, best first (found by search):',
      '[left out for lack of room: 3 files, what is known of the project]',
    ].join('\n'),
  );
});

test('the text is never above its budget', async () => {
  const word = fc.string({ maxLength: 80, unit: 'grapheme' });
  const law = fc.asyncProperty(
    fc.record({
      paths: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,60}\.ts$/), { maxLength: 12 }),
      lines: fc.array(word, { maxLength: 80 }),
      sentences: fc.array(word, { maxLength: 12 }),
      tokens: fc.integer({ min: 1, max: 3000 }),
    }),
    async ({ paths, lines, sentences, tokens }) => {
      const found = codebaseContext({
        relevant_files: paths.map((path) => ({
          ...files[0],
          path,
          start: 1,
          end: 60,
          symbols: [],
          score: 1,
          reasons: sentences,
        })),
        detected_patterns: sentences,
        architecture_insights: sentences,
      });
      const text = await contextWithin(found, async () => lines.join('\n'), tokens);
      expect(estimateTokens(sizeOf(text))).toBeLessThanOrEqual(tokens);
    },
  );
  await fc.assert(law, { numRuns: 150 });
});
