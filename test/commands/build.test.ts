import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtCli } from '../helpers/built.ts';

let chunks: readonly { readonly name: string; readonly text: string }[];
beforeAll(() => {
  const folder = join(dirname(builtCli()), 'chunks');
  chunks = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
});

test('nothing from npm is loaded at run time but the optional ripgrep', () => {
  const packages = chunks.flatMap(({ text }) =>
    [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport|\brequire\()\s*"([^"./][^"]*)"/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  const foreign = [...new Set(packages)].filter((name) => !name.startsWith('node:'));
  expect(packages.length).toBeGreaterThan(50);
  expect(foreign).toEqual(['@vscode/ripgrep']);
});

test('no chunk brings a terminal UI along', () => {
  expect(chunks.length).toBeGreaterThan(10);
  const marks = /react\.element|ink-testing|reconciler|yoga-layout/i;
  expect(chunks.filter(({ text }) => marks.test(text)).map(({ name }) => name)).toEqual([]);
});

test('the chunk of the command line brings neither checks nor charts along', () => {
  const program = chunks.filter(({ name }) => name.startsWith('program-'));
  expect(program).toHaveLength(1);
  expect(program[0]?.text).not.toMatch(/ZodError|xstate|ajv/i);
  expect(program[0]?.text.length).toBeLessThan(100_000);
});
