import { defineConfig } from 'vitest/config';

/** What the short form leaves to the whole battery, as other files touch it. */
const long = ['ends', 'sessions'].map((name) => `test/contract/${name}.test.ts`);

/** The real CLIs against a model server on loopback. `CONCLAVE_CONTRACT=short` tries each failure with
 * one of them, `full` in a whole session too, and repeats more. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/contract/**/*.test.ts'],
    exclude: process.env['CONCLAVE_CONTRACT'] === 'short' ? long : [],
    globalSetup: ['test/helpers/build-first.ts', 'test/contract/install.ts'],
    testTimeout: 120_000,
    // Real processes on a busy machine: what fails in CI is tried once more, and named as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 60_000,
    // Of the longer forms, more tests are about time limits: they run one file after the other.
    fileParallelism: process.env['CONCLAVE_CONTRACT'] === 'short',
    maxWorkers: 2,
  },
});
