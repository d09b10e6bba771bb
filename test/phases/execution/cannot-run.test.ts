import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CheckRun } from '../../../src/model/check-record.ts';
import { missingPart } from '../../../src/phases/execution/cannot-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'conclave-cannot-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const failed = (output: string): CheckRun => ({
  check: 'npm run compile',
  kind: 'command',
  criterion: null,
  passed: false,
  note: 'exit code 2',
  output,
  ms: 1,
});
const missing = (output: string, ...paths: string[]) => {
  const files = paths.map((path) => ({ path, action: 'modify', change: 'x' }) as const);
  return missingPart(failed(output), [{ files }], { home: folder, cwd: folder });
};

test.each([
  "src/a.test.ts(8,29): error TS2591: Cannot find name 'node:test'. Do you need to install type definitions for node? Try `npm i --save-dev @types/node` and then add 'node' to the types field in your tsconfig.",
  "src/a.test.ts(3,1): error TS2582: Cannot find name 'describe'. Do you need to install type definitions for a test runner? Try `npm i --save-dev @types/jest` or `npm i --save-dev @types/mocha`.",
  "error TS2688: Cannot find type definition file for 'node'.",
  "src/a.ts(1,20): error TS2307: Cannot find module 'yargs' or its corresponding type declarations.",
  "ModuleNotFoundError: No module named 'yaml'",
])(
  'a compiler or a program of the whole machine that lacks what the project needs: %s',
  async (line) => {
    expect(await missing(`> tsc -p .\n${line}\n`, 'src/a.ts')).toMatchObject({ line, copy: null });
  },
);

test('what the tasks bring, or is of the project itself, is not missing', async () => {
  const own = "src/a.ts(1,20): error TS2307: Cannot find module './b.js'.";
  const types = "error TS2688: Cannot find type definition file for 'node'.";
  expect(await missing(own, 'src/a.ts')).toBeNull();
  expect(await missing(types, 'package.json')).toBeNull();
});
